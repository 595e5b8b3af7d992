# The library that runs a system inside an exported FMU: davit_fmu_runtime.so, beside the program.
#
# It shares nothing with the program that loads it, which may have a SUNDIALS, a fmt or another davit of its own: all
# is linked statically, and only the functions of FMI leave it (exports.map). What Debian has as shared libraries only
# is left out, compiled in, or goes along:
#
#   TinyXML-2      goes along under a name of its own: DavitFmuXml.cmake
#   fmt, spdlog    compiled in from Debian's headers
#   UDUNITS-2      left out: the exporter lists the units that the system uses (resources/davit.xml)
#   Duktape        compiled in from its source, which Debian has in duktape-dev
#   HDF5, matio    left out: the master records
#
# Sources compiled here take the place of those of the same name in the archives.
#
# davit_fmu_plugin_runtime.so is the same for systems with plug-ins, which take davit's functions from it: it has all of
# the framework and the models, and shows them under a version of its own. The exporter gives that version and the SONAME
# a name that no other FMU has, in the place of 32 zeros, and binds the plug-ins to it (fmi/fmu_plugins.h). It shares
# libstdc++ and libgcc with the plug-ins, so that exceptions can pass.

find_package(PkgConfig REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
find_package(ZLIB REQUIRED)

include(${CMAKE_CURRENT_LIST_DIR}/DavitFmuXml.cmake)

if(davit_solver_libraries MATCHES "\\.so(;|$)")
  message(FATAL_ERROR "exported FMUs need the archives (lib*.a) of SUNDIALS and SuiteSparse, and there are only shared libraries: "
    "${davit_solver_libraries}; install the archives, or configure with -DDAVIT_FMI=OFF")
endif()

set(davit_fmu_duktape "")
if(TARGET duktape::duktape AND DAVIT_ECMASCRIPT)
  find_file(DAVIT_DUKTAPE_SOURCE duktape.c PATHS /usr/share/duktape /usr/local/share/duktape NO_DEFAULT_PATH)
  mark_as_advanced(DAVIT_DUKTAPE_SOURCE)
  if(NOT DAVIT_DUKTAPE_SOURCE)
    message(FATAL_ERROR "duktape.c, the source of the Duktape that is installed, is not found, and exported FMUs compile it in; "
      "configure with -DDAVIT_DUKTAPE_SOURCE=FILE, -DDAVIT_ECMASCRIPT=OFF or -DDAVIT_FMI=OFF")
  endif()
  set(davit_fmu_duktape ${DAVIT_DUKTAPE_SOURCE})
  # It is C that C++ compilers take as well.
  set_source_files_properties(${davit_fmu_duktape} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-w")
endif()

file(GLOB davit_fmu_runtime_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/fmi/runtime/*.cc ${PROJECT_SOURCE_DIR}/fmi/manifest/*.cc ${PROJECT_SOURCE_DIR}/fmi/ports/*.cc ${PROJECT_SOURCE_DIR}/framework/units/*.cc)
set(davit_fmu_emergency_pool ${PROJECT_SOURCE_DIR}/fmi/runtime/emergency_pool.cc)  # for a libstdc++ that is not shared
list(REMOVE_ITEM davit_fmu_runtime_sources
  ${PROJECT_SOURCE_DIR}/framework/units/unit_library.cc ${davit_fmu_emergency_pool})
add_library(davit_fmu_runtime_objects OBJECT ${davit_fmu_runtime_sources}
  ${PROJECT_SOURCE_DIR}/results/display_unit.cc ${davit_fmu_duktape})
set_target_properties(davit_fmu_runtime_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(davit_fmu_runtime_objects PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(davit_fmu_runtime_objects PRIVATE $<TARGET_PROPERTY:spdlog::spdlog,INTERFACE_COMPILE_DEFINITIONS>)
target_compile_options(davit_fmu_runtime_objects PRIVATE -fno-semantic-interposition -ffunction-sections)
if(NOT DAVIT_LINT)  # clang does not know it
  target_compile_options(davit_fmu_runtime_objects PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
endif()
set_source_files_properties(${davit_fmu_runtime_sources} PROPERTIES
  COMPILE_OPTIONS "$<TARGET_PROPERTY:davit_warnings,INTERFACE_COMPILE_OPTIONS>")
# Only their headers.
target_link_libraries(davit_fmu_runtime_objects PRIVATE Boost::headers Eigen3::Eigen)

# davit_add_fmu_runtime(NAME EXPORTS file.map LINK what...)
function(davit_add_fmu_runtime name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXPORTS" "LINK")
  add_library(${name} MODULE $<TARGET_OBJECTS:davit_fmu_runtime_objects>)
  set_target_properties(${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin LINKER_LANGUAGE CXX
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH OFF LINK_DEPENDS ${arg_EXPORTS})
  target_link_libraries(${name} PRIVATE ${arg_LINK} ${davit_solver_libraries} davit_fmu_xml m)
  target_link_options(${name} PRIVATE -Wl,--version-script=${arg_EXPORTS} -Wl,--gc-sections -Wl,-Bsymbolic)
  if(NOT DAVIT_SANITIZE)
    target_link_options(${name} PRIVATE -Wl,-z,defs $<$<CONFIG:Release>:-s>)
  endif()
endfunction()

set(davit_fmu_archives davit_session davit_components davit_simulator davit_statecharts davit_expressions davit_framework)
set(davit_fmu_archive_files ${davit_fmu_archives})
list(TRANSFORM davit_fmu_archive_files REPLACE "(.+)" "$<TARGET_FILE:\\1>")
davit_add_fmu_runtime(davit_fmu_runtime EXPORTS ${PROJECT_SOURCE_DIR}/fmi/runtime/exports.map
  LINK -Wl,--start-group ${davit_fmu_archive_files} -Wl,--end-group)
add_dependencies(davit_fmu_runtime ${davit_fmu_archives})
target_link_options(davit_fmu_runtime PRIVATE -Wl,--exclude-libs,ALL)
if(NOT DAVIT_SANITIZE)
  target_link_options(davit_fmu_runtime PRIVATE -static-libstdc++ -static-libgcc)
  target_sources(davit_fmu_runtime PRIVATE ${davit_fmu_emergency_pool})
endif()

# All of what plug-ins may use, but for the units, which are compiled above.
set(davit_fmu_whole ${davit_fmu_archives})
list(REMOVE_ITEM davit_fmu_whole davit_session)
set(davit_fmu_plugin_exports ${PROJECT_BINARY_DIR}/fmu_plugin_exports.map)
set(davit_fmu_whole_files ${davit_fmu_whole})
list(TRANSFORM davit_fmu_whole_files REPLACE "(.+)" "$<TARGET_FILE:\\1>")
add_custom_command(OUTPUT ${davit_fmu_plugin_exports}
  COMMAND ${CMAKE_COMMAND} -D "NM=${CMAKE_NM}" -D "ARCHIVES=${davit_fmu_whole_files}" -D OUTPUT=${davit_fmu_plugin_exports}
    -P ${PROJECT_SOURCE_DIR}/cmake/PluginExports.cmake
  DEPENDS ${davit_fmu_whole} ${davit_fmu_whole_files} ${PROJECT_SOURCE_DIR}/cmake/PluginExports.cmake VERBATIM)
add_custom_target(davit_fmu_plugin_exports DEPENDS ${davit_fmu_plugin_exports})
set(davit_fmu_whole_objects ${davit_fmu_whole})
list(TRANSFORM davit_fmu_whole_objects REPLACE "(.+)" "$<FILTER:$<TARGET_OBJECTS:\\1>,EXCLUDE,framework[_/]units>")
davit_add_fmu_runtime(davit_fmu_plugin_runtime EXPORTS ${davit_fmu_plugin_exports}
  LINK ${davit_fmu_whole_objects} $<TARGET_FILE:davit_session>)
add_dependencies(davit_fmu_plugin_runtime ${davit_fmu_archives} davit_fmu_plugin_exports)
# 32 zeros, as in PluginExports.cmake.
target_link_options(davit_fmu_plugin_runtime PRIVATE -Wl,-soname,libdavit-00000000000000000000000000000000.so)
set_target_properties(davit_fmu_plugin_runtime PROPERTIES NO_SONAME ON)
