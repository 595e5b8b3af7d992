# davit_add_plugin(NAME source... [CHARTS chart.scxml...])
#
# A plug-in of davit from C++ sources: the shared library NAME.so. It takes davit's functions from the program
# that loads it. Only what is marked visible leaves it, so classes of two plug-ins may have one name.
#
# A chart whose `name` is that of a model of the plug-in becomes part of it: the default chart of the model.
function(davit_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "CHARTS")
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "davit_add_plugin(${name}): name its sources, such as davit_add_plugin(${name} shuttle_valve.cc plugin.cc)")
  endif()
  add_library(${name} MODULE ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE davit::davit)
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  set_target_properties(${name} PROPERTIES
    PREFIX "" CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(NOT arg_CHARTS)
    return()
  endif()
  set(texts "")
  foreach(chart ${arg_CHARTS})
    cmake_path(ABSOLUTE_PATH chart BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE file)
    if(NOT EXISTS ${file})
      message(FATAL_ERROR "davit_add_plugin(${name}): there is no chart ${file}")
    endif()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} text)
    string(APPEND texts "    {\"${chart}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}_charts.cc @ONLY CONTENT
"#include <iterator>

#include \"framework/plugin.h\"

extern \"C\" {
[[gnu::visibility(\"default\")]] extern const davit::PluginCharts davit_plugin_charts;
}

static constexpr davit::PluginChart kCharts[] = {
@texts@};
const davit::PluginCharts davit_plugin_charts{std::size(kCharts), kCharts};
")
  target_sources(${name} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}_charts.cc)
endfunction()
