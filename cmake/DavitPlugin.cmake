# davit_add_plugin(NAME source...)
#
# A plug-in of davit from C++ sources: the shared library NAME.so. It takes davit's functions from the program
# that loads it. Only what is marked visible leaves it, so classes of two plug-ins may have one name.
function(davit_add_plugin name)
  if(NOT ARGN)
    message(FATAL_ERROR "davit_add_plugin(${name}): name its sources, such as davit_add_plugin(${name} shuttle_valve.cc plugin.cc)")
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE davit::davit)
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  set_target_properties(${name} PROPERTIES
    PREFIX "" CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()
