# The libraries of others that davit links: for its own build, and for whoever links davit's libraries.

find_package(Threads REQUIRED)
find_package(Boost REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(tinyxml2 CONFIG REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)

get_target_property(DAVIT_SPDLOG_DEFINITIONS spdlog::spdlog INTERFACE_COMPILE_DEFINITIONS)
if(NOT "SPDLOG_FMT_EXTERNAL" IN_LIST DAVIT_SPDLOG_DEFINITIONS)
  message(FATAL_ERROR "spdlog brings its own copy of fmt; davit needs a spdlog built with SPDLOG_FMT_EXTERNAL")
endif()

find_path(UDUNITS2_INCLUDE_DIR udunits2.h PATH_SUFFIXES udunits2 REQUIRED)
find_library(UDUNITS2_LIBRARY udunits2 REQUIRED)
mark_as_advanced(UDUNITS2_INCLUDE_DIR UDUNITS2_LIBRARY)
add_library(udunits2::udunits2 UNKNOWN IMPORTED)
set_target_properties(udunits2::udunits2 PROPERTIES
  IMPORTED_LOCATION ${UDUNITS2_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${UDUNITS2_INCLUDE_DIR})

# ECMAScript in statecharts, used where it is installed.
find_path(DUKTAPE_INCLUDE_DIR duktape.h)
find_library(DUKTAPE_LIBRARY duktape)
mark_as_advanced(DUKTAPE_INCLUDE_DIR DUKTAPE_LIBRARY)
if(DUKTAPE_INCLUDE_DIR AND DUKTAPE_LIBRARY)
  add_library(duktape::duktape UNKNOWN IMPORTED)
  set_target_properties(duktape::duktape PROPERTIES
    IMPORTED_LOCATION ${DUKTAPE_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${DUKTAPE_INCLUDE_DIR})
endif()

# Of SUNDIALS only IDA with its dense and KLU solvers, as archives where they are installed: Debian's packages of the shared
# libraries, and SUNDIALS' CMake files, ask for MPI, PETSc and Trilinos.
find_path(SUNDIALS_INCLUDE_DIR ida/ida.h REQUIRED)
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse REQUIRED)
mark_as_advanced(SUNDIALS_INCLUDE_DIR KLU_INCLUDE_DIR)
add_library(davit_sundials_ida INTERFACE IMPORTED)
target_include_directories(davit_sundials_ida SYSTEM INTERFACE ${SUNDIALS_INCLUDE_DIR} ${KLU_INCLUDE_DIR})
set(davit_solver_libraries "")
foreach(part sundials_ida sundials_nvecserial sundials_sunmatrixdense sundials_sunmatrixsparse
    sundials_sunlinsoldense sundials_sunlinsolklu klu btf amd colamd suitesparseconfig)
  find_library(DAVIT_SOLVER_${part} NAMES lib${part}.a ${part} REQUIRED)
  mark_as_advanced(DAVIT_SOLVER_${part})
  list(APPEND davit_solver_libraries ${DAVIT_SOLVER_${part}})
  # Hidden, so that a shared library, such as a Python module, can have them, and another SUNDIALS in its process too.
  target_link_options(davit_sundials_ida INTERFACE LINKER:--exclude-libs,lib${part}.a)
endforeach()
target_link_libraries(davit_sundials_ida INTERFACE ${davit_solver_libraries})

# What result files are written and read with.
find_package(PkgConfig REQUIRED)
pkg_check_modules(hdf5 REQUIRED IMPORTED_TARGET hdf5-serial)
pkg_check_modules(matio REQUIRED IMPORTED_TARGET matio)

# Editing of lines at a terminal, used where it is installed.
pkg_check_modules(libedit IMPORTED_TARGET libedit)
