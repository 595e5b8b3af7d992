# The XML library of exported FMUs: libdavitxml.so.9, beside davit_fmu_runtime.so.
#
# It is Debian's libtinyxml2.so.N with another SONAME, because Debian has TinyXML-2 as a shared library only. With its own
# name it is found beside the runtime (RUNPATH $ORIGIN), also where the program that loads the FMU has the library itself.

set(davit_fmu_xml ${PROJECT_BINARY_DIR}/bin/libdavitxml.so.9)

get_target_property(davit_tinyxml2 tinyxml2::tinyxml2 LOCATION)
file(REAL_PATH ${davit_tinyxml2} davit_tinyxml2)
execute_process(COMMAND ${CMAKE_READELF} -d ${davit_tinyxml2} OUTPUT_VARIABLE davit_dynamic ERROR_QUIET)
if(NOT davit_dynamic MATCHES "SONAME[^\n]*\\[(libtinyxml2\\.so\\.[0-9]+)\\]")
  message(FATAL_ERROR "${davit_tinyxml2}: is no shared library of TinyXML-2, which exported FMUs need; configure with -DDAVIT_FMI=OFF")
endif()

add_custom_command(OUTPUT ${davit_fmu_xml}
  COMMAND ${CMAKE_COMMAND} -D INPUT=${davit_tinyxml2} -D OUTPUT=${davit_fmu_xml} -D FROM=${CMAKE_MATCH_1}
    -D TO=libdavitxml.so.9 -P ${PROJECT_SOURCE_DIR}/cmake/RenameLibrary.cmake
  DEPENDS ${davit_tinyxml2} ${PROJECT_SOURCE_DIR}/cmake/RenameLibrary.cmake VERBATIM)
add_custom_target(davit_fmu_xml_copy DEPENDS ${davit_fmu_xml})
add_library(davit_fmu_xml SHARED IMPORTED)
set_target_properties(davit_fmu_xml PROPERTIES IMPORTED_LOCATION ${davit_fmu_xml} IMPORTED_SONAME libdavitxml.so.9)
add_dependencies(davit_fmu_xml davit_fmu_xml_copy)

# For the copyright file of the package: what Debian says of the library, without what it says of its own packaging.
set(DAVIT_FMU_COPYRIGHT "Copyright: Lee Thomason\nLicense: Zlib")
if(EXISTS /usr/share/doc/libtinyxml2-dev/copyright)
  file(READ /usr/share/doc/libtinyxml2-dev/copyright davit_tinyxml2_copyright)
  if(davit_tinyxml2_copyright MATCHES "\nFiles: \\*\n(.*)\n\nFiles: debian/")
    string(STRIP "${CMAKE_MATCH_1}" DAVIT_FMU_COPYRIGHT)
  endif()
endif()
string(PREPEND DAVIT_FMU_COPYRIGHT "\nFiles: libdavitxml.so.9\n"
  "Comment: TinyXML-2 as Debian has compiled it; altered: its SONAME.\n")
string(APPEND DAVIT_FMU_COPYRIGHT "\n")
