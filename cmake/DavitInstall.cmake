# What `cmake --install` puts where, the CMake package (also for the build folder), and the Debian packages.

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/davit)
set(data_folder ${CMAKE_INSTALL_DATADIR}/davit)
set(doc_folder ${CMAKE_INSTALL_DATADIR}/doc/davit)
# A component of the installation is a Debian package; the others are mpi and python.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME davit)
set(components davit)

# ---- program, libraries, headers -----------------------------------------------------------------

set(libraries
  davit_framework davit_expressions davit_statecharts davit_simulator davit_components davit_results davit_session
  davit_harness)
foreach(library ${libraries})
  string(REPLACE davit_ "" export_name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${export_name})
endforeach()
set_target_properties(davit_cli PROPERTIES EXPORT_NAME program)

if(TARGET davit_fmu_runtime)
  install(TARGETS davit_fmu_runtime davit_fmu_plugin_runtime LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/davit)
  install(TARGETS davit_fmu_host RUNTIME DESTINATION ${CMAKE_INSTALL_LIBDIR}/davit)
  install(FILES ${davit_fmu_xml} DESTINATION ${CMAKE_INSTALL_LIBDIR}/davit)
endif()
if(TARGET davit_mpi)
  install(TARGETS davit_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/davit COMPONENT mpi)
  list(APPEND components mpi)
endif()
if(TARGET davit_python)
  list(APPEND components python)
endif()
install(TARGETS davit_headers davit_cli EXPORT davitTargets)
install(TARGETS ${libraries} EXPORT davitLibraries)
install(DIRECTORY include/davit DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
foreach(folder framework expressions statecharts simulator components results session)
  install(DIRECTORY ${folder} DESTINATION ${DAVIT_INCLUDE_FOLDER} FILES_MATCHING PATTERN "*.h" PATTERN charts EXCLUDE)
endforeach()
install(FILES tests/support/component_harness.h tests/support/reach_law.h tests/support/system_harness.h DESTINATION ${DAVIT_INCLUDE_FOLDER}/tests/support)

# ---- data and texts ------------------------------------------------------------------------------

install(DIRECTORY systems DESTINATION ${data_folder})
install(DIRECTORY io/opcua DESTINATION ${data_folder} PATTERN node_modules EXCLUDE)
add_custom_command(TARGET davit_cli POST_BUILD
  COMMAND davit_cli schema -o ${PROJECT_BINARY_DIR}/davit.xsd > ${PROJECT_BINARY_DIR}/davit_schema.log
  BYPRODUCTS ${PROJECT_BINARY_DIR}/davit.xsd VERBATIM)
install(FILES ${PROJECT_BINARY_DIR}/davit.xsd DESTINATION ${data_folder})
install(DIRECTORY statecharts/charts DESTINATION ${data_folder})
install(DIRECTORY docs/ DESTINATION ${doc_folder} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN site EXCLUDE)
string(TIMESTAMP DAVIT_CREATED "%Y-%m-%dT%H:%M:%SZ" UTC)  # heeds SOURCE_DATE_EPOCH
configure_file(cmake/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)
configure_file(cmake/davit.spdx.in ${PROJECT_BINARY_DIR}/davit.spdx @ONLY)
install(FILES LICENSE CHANGELOG.md ${PROJECT_BINARY_DIR}/davit.spdx DESTINATION ${doc_folder})

# ---- the CMake package ---------------------------------------------------------------------------

install(EXPORT davitTargets NAMESPACE davit:: DESTINATION ${package_folder})
install(EXPORT davitLibraries NAMESPACE davit:: DESTINATION ${package_folder})
configure_package_config_file(cmake/davitConfig.cmake.in ${PROJECT_BINARY_DIR}/davitConfig.cmake
  INSTALL_DESTINATION ${package_folder})
# Plug-ins must fit to the byte, so only the same version will do.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/davitConfigVersion.cmake COMPATIBILITY ExactVersion)
install(FILES ${PROJECT_BINARY_DIR}/davitConfig.cmake ${PROJECT_BINARY_DIR}/davitConfigVersion.cmake
  cmake/DavitPlugin.cmake cmake/DavitDependencies.cmake DESTINATION ${package_folder})

# The build folder is a package too: -Ddavit_DIR=build/release
export(EXPORT davitTargets NAMESPACE davit:: FILE ${PROJECT_BINARY_DIR}/davitTargets.cmake)
export(EXPORT davitLibraries NAMESPACE davit:: FILE ${PROJECT_BINARY_DIR}/davitLibraries.cmake)
foreach(file DavitPlugin.cmake DavitDependencies.cmake)
  configure_file(cmake/${file} ${PROJECT_BINARY_DIR}/${file} COPYONLY)
endforeach()

# ---- the Debian packages: cpack -G DEB -----------------------------------------------------------

# Tests and benchmarks are no part of them: cpack packs what `cmake --build` made before.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(CPACK_PACKAGE_NAME davit)
set(CPACK_PACKAGE_CONTACT "The davit project <davit@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)  # not of the symbols for plug-ins
set(CPACK_COMPONENTS_ALL ${components})
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulates hydraulic machines and their control")
set(machines
"Hydraulics, mechanics and control: differential equations, algebraic
constraints and transmission lines in one system, with levels of detail
that switch while it runs.")

set(CPACK_DEBIAN_DAVIT_PACKAGE_NAME davit)
set(CPACK_DEBIAN_DAVIT_DESCRIPTION "${machines}\nWith headers and a CMake package for plug-ins.")
set(CPACK_DEBIAN_DAVIT_PACKAGE_RECOMMENDS "gnuplot-nox, graphviz")
set(CPACK_DEBIAN_DAVIT_PACKAGE_SUGGESTS "davit-mpi, python3-davit, g++, cmake, libboost-dev, libeigen3-dev, libsundials-dev, libsuitesparse-dev, libtinyxml2-dev, libudunits2-dev, libspdlog-dev, libfmt-dev, libhdf5-dev, libmatio-dev, pkg-config, duktape-dev")
# A package for those who use it: Debian's OpenMPI takes more disk space than davit.
set(CPACK_DEBIAN_MPI_PACKAGE_NAME davit-mpi)
set(CPACK_DEBIAN_MPI_DESCRIPTION "${machines}\nThis package adds studies and runs over several processes that mpirun starts.")
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "davit (= ${PROJECT_VERSION}), openmpi-bin")
math(EXPR python_next_minor "${Python_VERSION_MINOR} + 1")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-davit)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "${machines}\nThis package contains the Python module; it does not need the program.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), python3 (<< ${Python_VERSION_MAJOR}.${python_next_minor}), python3-numpy")
# Compiled Python comes and goes with the package.
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/postinst ${PROJECT_BINARY_DIR}/package/prerm)
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_STRICT_PERMISSION ON)
file(WRITE ${PROJECT_BINARY_DIR}/package/postinst "#!/bin/sh\nset -e\npy3compile -p python3-davit\n")
file(WRITE ${PROJECT_BINARY_DIR}/package/prerm "#!/bin/sh\nset -e\npy3clean -p python3-davit\n")

# What Debian's policy asks of each package. The news of a version are in CHANGELOG.md.
string(TIMESTAMP changelog_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component IN LISTS components)
  string(TOUPPER ${component} variable)
  set(package ${CPACK_DEBIAN_${variable}_PACKAGE_NAME})
  set(changelog ${PROJECT_BINARY_DIR}/${package}.changelog)
  file(WRITE ${changelog} "${package} (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
    "  * The changes are in /usr/share/doc/davit/CHANGELOG.md.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${changelog_date}\n")
  file(ARCHIVE_CREATE OUTPUT ${changelog}.gz PATHS ${changelog} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9)
  install(FILES ${changelog}.gz RENAME changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()
include(CPack)
