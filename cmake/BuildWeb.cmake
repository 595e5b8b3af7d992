# Run by the build: builds the page of FOLDER/web with NPM in WORK, and writes OUTPUT, the C++ source with its files.
cmake_minimum_required(VERSION 3.25)

# write_source(FILE...): WebFiles() with the files of WORK/page. The assembler reads them, so that a large file costs nothing.
function(write_source)
  set(bytes "")
  set(names "")
  set(rows "")
  set(index 0)
  foreach(file ${ARGN})
    cmake_path(GET file EXTENSION LAST_ONLY ending)
    set(type_.html "text/html; charset=utf-8")
    set(type_.js "text/javascript; charset=utf-8")
    set(type_.css "text/css; charset=utf-8")
    set(type_.svg "image/svg+xml")
    set(type_.txt "text/plain; charset=utf-8")
    file(SHA256 ${WORK}/page/${file} hash)  # in the source, so that it is compiled again when the file changes
    string(APPEND bytes "\n    \"/* ${hash} */\\n\"\n"
      "    \".hidden davit_web_${index}, davit_web_${index}_end\\n\"\n"
      "    \".globl davit_web_${index}, davit_web_${index}_end\\n\"\n"
      "    \"davit_web_${index}: .incbin \\\"${WORK}/page/${file}\\\"\\n\"\n"
      "    \"davit_web_${index}_end: .byte 0\\n\"")
    string(APPEND names "extern const std::byte davit_web_${index}[];\nextern const std::byte davit_web_${index}_end[];\n")
    string(APPEND rows "      {\"${file}\", \"${type_${ending}}\", {davit_web_${index}, davit_web_${index}_end}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  if(index EQUAL 0)
    set(body "  return {};\n")
  else()
    set(head "__asm__(\n    \".pushsection .rodata,\\\"a\\\",@progbits\\n\"${bytes}\n    \".popsection\\n\");\n\nextern \"C\" {\n${names}}\n\n")
    set(body "  static const auto kAll = std::to_array<WebFile>({\n${rows}  });\n  return kAll;\n")
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"#include \"server/web_files.h\"

#include <array>

@head@namespace davit {

std::span<const WebFile> WebFiles() {
@body@}

}  // namespace davit
")
endfunction()

# give_up(TEXT): without page.
function(give_up text)
  message(NOTICE "warning: davit serve will have no page: ${text}")
  write_source()
  file(REMOVE ${WORK}/page.stamp)
endfunction()

if(NOT NPM)
  write_source()
  file(TOUCH ${WORK}/page.stamp)  # nothing to try again before cmake finds npm
  return()
endif()

# The folder of the sources stays as it is: npm works on a copy.
set(copy ${WORK}/davit/web)
file(REMOVE_RECURSE ${copy}/src ${WORK}/page)
file(COPY ${FOLDER}/web/src ${FOLDER}/web/package.json ${FOLDER}/web/package-lock.json ${FOLDER}/web/build.mjs DESTINATION ${copy})
file(COPY ${FOLDER}/server/studio_api.proto DESTINATION ${WORK}/davit/server)
file(COPY ${FOLDER}/drawing/styles DESTINATION ${WORK}/davit/drawing)
if("$ENV{HOME}" STREQUAL "" OR NOT EXISTS "$ENV{HOME}")
  set(ENV{npm_config_cache} ${WORK}/npm_cache)
endif()

# Packages are installed again when the lock file differs. Their install scripts are not needed, so they do not run.
file(SHA256 ${copy}/package-lock.json lock)
set(installed "")
if(EXISTS ${copy}/node_modules/.installed)
  file(READ ${copy}/node_modules/.installed installed)
endif()
if(NOT installed STREQUAL lock)
  execute_process(COMMAND ${NPM} ci --omit=dev --ignore-scripts --no-audit --no-fund --prefer-offline
      --fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-timeout=20000
    WORKING_DIRECTORY ${copy} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output TIMEOUT 300)
  if(NOT result EQUAL 0)
    give_up("npm could not install the packages of web/package-lock.json\n${output}")
    return()
  endif()
  file(WRITE ${copy}/node_modules/.installed ${lock})
endif()

execute_process(COMMAND ${NPM} run --silent build -- --out ${WORK}/page
  WORKING_DIRECTORY ${copy} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT result EQUAL 0)
  # Not a matter of the network: the sources of the page are wrong.
  message(FATAL_ERROR "the web page could not be built\n${output}")
endif()
file(GLOB_RECURSE files RELATIVE ${WORK}/page ${WORK}/page/*)
list(SORT files)
write_source(${files})
file(TOUCH ${WORK}/page.stamp)
