# davit_add_web(TARGET)
#
# Makes the page of the folder web/ part of the library: WebFiles() of server/web_files.h gives its files. npm builds it, as
# part of the build; its packages are those of web/package-lock.json. Where there is no npm, or it cannot fetch the packages,
# the build says so and goes on, and there are no files; later builds try again.
function(davit_add_web target)
  find_program(NPM_PROGRAM npm DOC "npm, which builds the web page of davit serve")
  mark_as_advanced(NPM_PROGRAM)
  set(work ${PROJECT_BINARY_DIR}/web)
  set(source ${work}/web_files.cc)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  list(APPEND inputs ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/package-lock.json
    ${PROJECT_SOURCE_DIR}/web/build.mjs ${PROJECT_SOURCE_DIR}/server/studio_api.proto ${PROJECT_SOURCE_DIR}/drawing/styles/symbols.css
    ${PROJECT_SOURCE_DIR}/cmake/BuildWeb.cmake)
  if(NOT NPM_PROGRAM)
    message(STATUS "npm is not installed: davit serve will have no page (Debian: apt-get install nodejs npm)")
  endif()
  # The stamp is missing after a failure, so the next build tries again. The source is compiled again only if it differs.
  add_custom_command(OUTPUT ${work}/page.stamp BYPRODUCTS ${source}
    COMMAND ${CMAKE_COMMAND} -DNPM=${NPM_PROGRAM} -DFOLDER=${PROJECT_SOURCE_DIR} -DWORK=${work} -DOUTPUT=${source}
      -P ${PROJECT_SOURCE_DIR}/cmake/BuildWeb.cmake
    DEPENDS ${inputs} COMMENT "Building the web page" VERBATIM)
  set_source_files_properties(${source} PROPERTIES GENERATED ON SKIP_UNITY_BUILD_INCLUSION ON)
  add_custom_target(davit_web DEPENDS ${work}/page.stamp)
  target_sources(${target} PRIVATE ${source})
  add_dependencies(${target} davit_web)
endfunction()
