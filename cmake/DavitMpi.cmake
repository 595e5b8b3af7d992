# What studies and runs over several processes need of MPI: davit_mpi.so, beside the program, which loads it where
# mpirun has started it. Without MPI there is none, and the program works as ever. METIS (5.1, Apache-2.0) cuts systems
# into parts; without it they are cut in the order of their files.

find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_library(davit_mpi MODULE app/mpi/mpi_module.cc)
  set_target_properties(davit_mpi PROPERTIES
    PREFIX "" OUTPUT_NAME davit_mpi LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin CXX_VISIBILITY_PRESET hidden)
  target_include_directories(davit_mpi PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(davit_mpi PRIVATE OMPI_SKIP_MPICXX)
  target_link_libraries(davit_mpi PRIVATE MPI::MPI_CXX davit_warnings)
  find_path(METIS_INCLUDE_DIR metis.h)
  find_library(METIS_LIBRARY metis)
  if(METIS_INCLUDE_DIR AND METIS_LIBRARY)
    target_compile_definitions(davit_mpi PRIVATE DAVIT_HAS_METIS)
    target_include_directories(davit_mpi SYSTEM PRIVATE ${METIS_INCLUDE_DIR})
    target_link_libraries(davit_mpi PRIVATE ${METIS_LIBRARY})
  endif()
  add_dependencies(davit_cli davit_mpi)
endif()
