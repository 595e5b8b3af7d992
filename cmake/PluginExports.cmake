# What davit_fmu_plugin_runtime.so shows to plug-ins, as a version script:
#   cmake -D NM=FILE -D ARCHIVES=FILE;FILE -D OUTPUT=FILE -P PluginExports.cmake
#
# The functions of FMI, all of davit and of fmt, which its headers use. Not what is unique in a process (STB_GNU_UNIQUE:
# variables that are inline, or of templates): the loader would join it with that of another davit. Plug-ins have their
# own copies of these.

execute_process(COMMAND ${NM} --extern-only --defined-only ${ARCHIVES} OUTPUT_VARIABLE symbols ERROR_QUIET
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " u [^\n]+" unique "${symbols}")
list(REMOVE_DUPLICATES unique)
list(SORT unique)
set(hidden "")
foreach(symbol ${unique})
  string(SUBSTRING ${symbol} 3 -1 symbol)
  string(APPEND hidden "    ${symbol};\n")
endforeach()
file(WRITE ${OUTPUT} "DAVIT_00000000000000000000000000000000 {
  global:
    fmi2*; fmi3*;
    _ZN5davit*; _ZNK5davit*; _ZTVN5davit*; _ZTIN5davit*; _ZTSN5davit*; _ZTTN5davit*; _ZTh*5davit*;
    _ZN3fmt*; _ZNK3fmt*; _ZTVN3fmt*; _ZTIN3fmt*; _ZTSN3fmt*;
  local:
${hidden}    *;
};
")
