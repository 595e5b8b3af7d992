# What studies need of MPI: davit_mpi.so, beside the program, which loads it where mpirun has started it. Without MPI
# there is none, and the program works as ever.

find_package(MPI QUIET COMPONENTS CXX)
if(MPI_CXX_FOUND)
  add_library(davit_mpi MODULE app/mpi/mpi_module.cc)
  set_target_properties(davit_mpi PROPERTIES
    PREFIX "" OUTPUT_NAME davit_mpi LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin CXX_VISIBILITY_PRESET hidden)
  target_include_directories(davit_mpi PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(davit_mpi PRIVATE OMPI_SKIP_MPICXX)
  target_link_libraries(davit_mpi PRIVATE MPI::MPI_CXX davit_warnings)
  add_dependencies(davit_cli davit_mpi)
endif()
