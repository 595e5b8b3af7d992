#include <gtest/gtest.h>
#include <studio_api.pb.h>

#include <string>
#include <string_view>

#include "server/authentication.h"

namespace davit {
namespace {

using studio_api::Container;

// The vectors were made by another implementation, protobufjs.
constexpr std::string_view kRootAnswer =
    "080222280a09080012035379731800121b0a1908011203417070180132093132372e302e302e3138893c4001";

TEST(StudioApi, HelloHasTheGoldenBytes) {
  studio_api::Hello hello;
  hello.set_system_name("Sys");
  hello.set_compat_version(2);
  hello.set_incremental_version(0);
  hello.set_application_name("App");
  hello.set_version_major(4);
  hello.set_version_minor(12);
  hello.set_version_patch(0);
  EXPECT_EQ(ToHex(hello.SerializeAsString()),
            "0a03537973100218003203417070"
            "3804"
            "400c"
            "4800");
}

TEST(StudioApi, StructureHasTheGoldenBytes) {
  Container request;
  request.set_message_type(Container::STRUCTURE_REQUEST);
  EXPECT_EQ(ToHex(request.SerializeAsString()), "0801");
  request.add_structure_request(3);
  EXPECT_EQ(ToHex(request.SerializeAsString()), "08011803");

  Container root;
  root.set_message_type(Container::STRUCTURE_RESPONSE);
  studio_api::Node& system = *root.add_structure_response();
  system.mutable_info()->set_node_id(0);
  system.mutable_info()->set_name("Sys");
  system.mutable_info()->set_node_type(0);
  studio_api::Info& application = *system.add_node()->mutable_info();
  application.set_node_id(1);
  application.set_name("App");
  application.set_node_type(1);
  application.set_server_addr("127.0.0.1");
  application.set_server_port(7689);
  application.set_is_local(true);
  EXPECT_EQ(ToHex(root.SerializeAsString()), kRootAnswer);

  Container leaf;
  leaf.set_message_type(Container::STRUCTURE_RESPONSE);
  studio_api::Info& info = *leaf.add_structure_response()->mutable_info();
  info.set_node_id(3);
  info.set_name("x");
  info.set_node_type(3);
  info.set_value_type(1);
  EXPECT_EQ(ToHex(leaf.SerializeAsString()),
            "0802220b0a090803120178"
            "1803"
            "2001");
}

TEST(StudioApi, ValuesHaveTheGoldenBytes) {
  Container getter;
  getter.set_message_type(Container::GETTER_REQUEST);
  studio_api::ValueRequest& request = *getter.add_getter_request();
  request.set_node_id(3);
  request.set_fs(5);
  EXPECT_EQ(ToHex(getter.SerializeAsString()), "08032a0b0803110000000000001440");
  request.set_node_id(0);
  request.set_fs(1);
  request.set_stop(true);
  EXPECT_EQ(ToHex(getter.SerializeAsString()), "08032a0d080011000000000000f03f1801");

  Container response;
  response.set_message_type(Container::GETTER_RESPONSE);
  studio_api::VariantValue& value = *response.add_getter_response();
  value.set_node_id(3);
  value.set_d_value(1.5);
  value.set_timestamp(1);
  EXPECT_EQ(ToHex(response.SerializeAsString()), "0804320d080311000000000000f83f7001");

  Container setter;
  setter.set_message_type(Container::SETTER_REQUEST);
  setter.add_setter_request()->set_node_id(4);
  setter.mutable_setter_request(0)->set_d_value(7.5);
  EXPECT_EQ(ToHex(setter.SerializeAsString()), "08053a0b0804110000000000001e40");
}

TEST(StudioApi, ErrorHasTheGoldenBytes) {
  Container container;
  container.set_message_type(Container::REMOTE_ERROR);
  container.mutable_error()->set_code(60);
  container.mutable_error()->set_text("no such node");
  container.mutable_error()->set_node_id(99);
  EXPECT_EQ(ToHex(container.SerializeAsString()),
            "08001212083c120c6e6f2073756368206e6f6465"
            "1863");
}

}  // namespace
}  // namespace davit
