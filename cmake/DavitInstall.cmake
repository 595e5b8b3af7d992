# What `cmake --install` puts where, the CMake package (also for the build folder), and the Debian package.

include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/davit)
set(data_folder ${CMAKE_INSTALL_DATADIR}/davit)
set(doc_folder ${CMAKE_INSTALL_DATADIR}/doc/davit)

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
  install(TARGETS davit_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/davit)
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
add_custom_command(TARGET davit_cli POST_BUILD
  COMMAND davit_cli schema -o ${PROJECT_BINARY_DIR}/davit.xsd > ${PROJECT_BINARY_DIR}/davit_schema.log
  BYPRODUCTS ${PROJECT_BINARY_DIR}/davit.xsd VERBATIM)
install(FILES ${PROJECT_BINARY_DIR}/davit.xsd DESTINATION ${data_folder})
install(DIRECTORY statecharts/charts DESTINATION ${data_folder})
install(DIRECTORY docs/ DESTINATION ${doc_folder} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN site EXCLUDE)
string(TIMESTAMP DAVIT_CREATED "%Y-%m-%dT%H:%M:%SZ" UTC)  # heeds SOURCE_DATE_EPOCH
configure_file(cmake/copyright.in ${PROJECT_BINARY_DIR}/copyright @ONLY)
configure_file(cmake/davit.spdx.in ${PROJECT_BINARY_DIR}/davit.spdx @ONLY)
install(FILES LICENSE ${PROJECT_BINARY_DIR}/copyright ${PROJECT_BINARY_DIR}/davit.spdx DESTINATION ${doc_folder})

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

# ---- the Debian package: cpack -G DEB ------------------------------------------------------------

# Tests and benchmarks are no part of it: cpack packs what `cmake --build` made before.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(CPACK_PACKAGE_NAME davit)
set(CPACK_PACKAGE_CONTACT "The davit project <davit@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES OFF)  # the program exports its symbols to plug-ins
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Simulates machines described in XML")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Hydraulics, mechanics and control: differential equations, algebraic constraints
and transmission lines in one system, with levels of detail that switch while it
runs. With headers and a CMake package for plug-ins.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, graphviz, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, libboost-dev, libeigen3-dev, libsundials-dev, libsuitesparse-dev, libtinyxml2-dev, libudunits2-dev, libspdlog-dev, libfmt-dev, libhdf5-dev, libmatio-dev, pkg-config, duktape-dev")
include(CPack)
