# The Python module davit: build/release/python/davit, for Debian's python3. Left out where its headers are missing.

set(DAVIT_PYTHON_PROGRAM /usr/bin/python3 CACHE FILEPATH "The Python that the module davit is made for")
set(davit_python_missing "")
if(DAVIT_SANITIZE)
  set(davit_python_missing "a program of Python has no sanitizer")
else()
  set(Python_EXECUTABLE ${DAVIT_PYTHON_PROGRAM})
  find_package(Python COMPONENTS Interpreter Development.Module QUIET)
  set(PYBIND11_FINDPYTHON ON)
  if(Python_FOUND)
    find_package(pybind11 CONFIG QUIET)
  endif()
  if(NOT Python_FOUND OR NOT pybind11_FOUND)
    set(davit_python_missing "the packages of the group [python] are missing; ./davit bootstrap python installs them")
  endif()
endif()
# The launcher looks here whether it has to configure again.
set(DAVIT_PYTHON_LEFT_OUT "${davit_python_missing}" CACHE INTERNAL "Why there is no Python module")
if(davit_python_missing)
  message(STATUS "The Python module is left out: ${davit_python_missing}")
  return()
endif()

set(python_build ${PROJECT_BINARY_DIR}/python/davit)
file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/*.cc)
pybind11_add_module(davit_python MODULE NO_EXTRAS ${python_sources})
davit_unite_folders(davit_python ${python_sources})
target_link_libraries(davit_python PRIVATE davit_analysis davit_io davit_components davit_session davit_warnings
  $<TARGET_NAME_IF_EXISTS:davit_fmi>)
target_compile_definitions(davit_python PRIVATE $<$<TARGET_EXISTS:davit_fmi>:DAVIT_PYTHON_HAS_FMI>)
# Calls inside of the module are direct, as in the program.
target_link_options(davit_python PRIVATE -Wl,-Bsymbolic-functions)
# Plug-ins take davit's symbols from it, so it has all of the libraries, as the program has.
set_target_properties(davit_python PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${python_build}
  LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,davit_framework,davit_expressions,davit_statecharts,davit_simulator,davit_components")

# What is written in Python lies beside it.
file(GLOB python_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/davit/*.py ${PROJECT_SOURCE_DIR}/python/davit/py.typed)
foreach(file IN LISTS python_files)
  cmake_path(GET file FILENAME name)
  add_custom_command(OUTPUT ${python_build}/${name}
    COMMAND ${CMAKE_COMMAND} -E copy ${file} ${python_build}/${name} DEPENDS ${file} VERBATIM)
  list(APPEND python_copies ${python_build}/${name})
endforeach()
add_custom_target(davit_python_files ALL DEPENDS ${python_copies})
add_dependencies(davit_python davit_python_files)
# Types of the compiled part, from its own docstrings.
add_custom_command(TARGET davit_python POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1
    ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/python/make_stubs.py ${python_build}/_core.pyi
  BYPRODUCTS ${python_build}/_core.pyi VERBATIM)

if(DAVIT_INSTALL)
  # Nothing where the module was not built.
  set(python_folder lib/python3/dist-packages/davit)
  install(TARGETS davit_python LIBRARY DESTINATION ${python_folder} COMPONENT python OPTIONAL)
  install(DIRECTORY ${python_build}/ DESTINATION ${python_folder} COMPONENT python OPTIONAL
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endif()
