# The server of `davit serve`: HTTP and WebSocket by Boost.Beast, messages by protobuf, TLS and hashes by OpenSSL.

# The code of the messages is not davit's own: without its warnings.
set(messages ${PROJECT_BINARY_DIR}/studio_api)
add_custom_command(OUTPUT ${messages}/studio_api.pb.cc ${messages}/studio_api.pb.h
  COMMAND ${CMAKE_COMMAND} -E make_directory ${messages}
  COMMAND protobuf::protoc --cpp_out=${messages} -I ${PROJECT_SOURCE_DIR}/server ${PROJECT_SOURCE_DIR}/server/studio_api.proto
  DEPENDS ${PROJECT_SOURCE_DIR}/server/studio_api.proto VERBATIM)
add_library(davit_studio_api STATIC ${messages}/studio_api.pb.cc ${messages}/studio_api.pb.h)
target_include_directories(davit_studio_api SYSTEM PUBLIC ${messages})
target_link_libraries(davit_studio_api PUBLIC protobuf::libprotobuf)
target_compile_features(davit_studio_api PUBLIC cxx_std_20)

davit_add_library(davit_server FOLDERS server server/net
  LINK davit_session davit_studio_api nlohmann_json::nlohmann_json OpenSSL::SSL OpenSSL::Crypto Boost::headers Threads::Threads)
include(cmake/DavitWeb.cmake)
davit_add_web(davit_server)
