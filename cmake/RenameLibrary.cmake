# Copies a shared library, with another SONAME that is not longer:
#   cmake -D INPUT=FILE -D OUTPUT=FILE -D FROM=SONAME -D TO=SONAME -P RenameLibrary.cmake
# The SONAME is not part of the hash table of symbols, so its bytes can be replaced where they are.

function(count_of name file result)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C grep -zacxF ${name} ${file} OUTPUT_VARIABLE count
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result} "${count}" PARENT_SCOPE)
endfunction()

count_of(${FROM} ${INPUT} count)
if(NOT count STREQUAL "1")
  message(FATAL_ERROR "${INPUT}: has the string ${FROM} ${count} times, not once; configure with -DDAVIT_FMI=OFF")
endif()
string(REPLACE . "\\." pattern ${FROM})
string(LENGTH ${FROM} length)
string(LENGTH ${TO} new_length)
math(EXPR zeros "${length} - ${new_length}")
string(REPEAT "\\x00" ${zeros} padding)
# A string of the file is what lies between two zero bytes: -z.
execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C sed -z s/^${pattern}$/${TO}${padding}/ ${INPUT}
  OUTPUT_FILE ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
count_of(${FROM} ${OUTPUT} before)
count_of(${TO} ${OUTPUT} after)
file(SIZE ${INPUT} old_size)
file(SIZE ${OUTPUT} new_size)
if(NOT "${before} ${after} ${new_size}" STREQUAL "0 1 ${old_size}")
  file(REMOVE ${OUTPUT})
  message(FATAL_ERROR "${INPUT}: its SONAME cannot be changed to ${TO}; configure with -DDAVIT_FMI=OFF")
endif()
