# The program, from parts: a part is a folder of app/, with the commands that need further libraries. davit_cli has all
# of them. So that a first run compiles little, the launcher ./davit builds davit_with_run, which has none, and another
# program when a command or a system asks for a part (app/absent_part.h).

davit_add_library(davit_app_base FOLDERS app EXCLUDE app/main.cc
  LINK davit_components davit_statecharts davit_session davit_heap CLI11::CLI11 nlohmann_json::nlohmann_json)
add_library(davit_app INTERFACE)  # all of it, for tests
target_link_libraries(davit_app INTERFACE davit_app_base)

set(davit_parts "")
# davit_add_part(NAME library...)
function(davit_add_part part)
  davit_add_library(davit_app_${part} OBJECT FOLDERS app/${part} LINK davit_app_base ${ARGN})
  target_link_libraries(davit_app INTERFACE davit_app_${part})
  target_sources(davit_app INTERFACE $<TARGET_OBJECTS:davit_app_${part}>)
  set(davit_parts ${davit_parts} ${part} PARENT_SCOPE)
endfunction()
davit_add_part(drawing davit_drawing)
davit_add_part(live davit_server davit_drawing)
davit_add_part(studio davit_studio)
if(TARGET PkgConfig::libedit)
  davit_add_part(console PkgConfig::libedit)
else()
  target_sources(davit_app INTERFACE ${PROJECT_SOURCE_DIR}/app/absent/console.cc)
endif()
davit_add_part(studies davit_analysis)
davit_add_part(hopsan davit_hopsan)
davit_add_part(io davit_io)
davit_add_part(whole davit_drawing)
target_sources(davit_app_whole PRIVATE ${PROJECT_BINARY_DIR}/model_templates.cc)
if(TARGET davit_fmi)
  davit_add_part(fmi davit_fmi)
else()
  target_sources(davit_app INTERFACE ${PROJECT_SOURCE_DIR}/app/absent/fmi.cc)
endif()

add_library(davit_main OBJECT app/main.cc)
target_link_libraries(davit_main PRIVATE davit_app_base davit_warnings)
# No copy of std::cout in the program: libraries of FMUs, which look for names in themselves and what they are linked with
# first, would not find it.
set_target_properties(davit_main PROPERTIES POSITION_INDEPENDENT_CODE ON)

# davit_add_program(TARGET part...)
function(davit_add_program target)
  set(absent "")
  add_executable(${target} $<TARGET_OBJECTS:davit_main>)
  foreach(part drawing live studio console studies fmi hopsan io whole)
    if(part IN_LIST ARGN AND part IN_LIST davit_parts)
      target_link_libraries(${target} PRIVATE davit_app_${part})
    else()
      list(APPEND absent ${PROJECT_SOURCE_DIR}/app/absent/${part}.cc)
    endif()
  endforeach()
  target_sources(${target} PRIVATE ${absent})
  davit_unite_folders(${target} ${absent})
  target_link_libraries(${target} PRIVATE davit_app_base davit_warnings)
  # Plug-ins take davit's symbols from the program that loads them.
  # So the program has all of the libraries, also what it does not use itself.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX ENABLE_EXPORTS ON EXCLUDE_FROM_ALL ON
    LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,davit_framework,davit_expressions,davit_statecharts,davit_simulator,davit_components")
endfunction()
davit_add_program(davit_with_run)
davit_add_program(davit_with_drawing drawing)
davit_add_program(davit_with_live live drawing io)
davit_add_program(davit_with_studio studio live drawing fmi hopsan io)
davit_add_program(davit_with_console console io)
davit_add_program(davit_with_studies studies)
davit_add_program(davit_with_fmi fmi)
davit_add_program(davit_with_hopsan hopsan)
davit_add_program(davit_with_io io)
davit_add_program(davit_cli ${davit_parts})
set_target_properties(davit_cli PROPERTIES OUTPUT_NAME davit EXCLUDE_FROM_ALL OFF)
include(cmake/DavitMpi.cmake)
if(TARGET davit_fmi)
  foreach(program davit_with_studio davit_with_fmi davit_cli)
    add_dependencies(${program} davit_fmu_host davit_fmu_runtime davit_fmu_plugin_runtime)  # copied into FMUs
  endforeach()
endif()
