#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "server/http_api.h"
#include "session/describe_item.h"
#include "tests/server/live_system.h"

namespace davit {
namespace {

TEST(ApiSystem, ItemsHaveTheFieldsOfTheirDescription) {
  LiveSystem live;
  const nlohmann::json system = nlohmann::json::parse(DescribeSystem(live.context()));
  EXPECT_EQ(system["api_version"], kApiVersion);
  ASSERT_TRUE(system["items"].contains("load.mass"));
  for (const auto& [path, item] : system["items"].items()) {
    for (const ItemField& field : ItemFields())
      EXPECT_TRUE(field.is_optional || item.contains(field.name)) << path << ' ' << field.name;
  }
  const nlohmann::json& mass = system["items"]["load.mass"];
  EXPECT_EQ(mass["unit"], "kg");
  EXPECT_EQ(mass["min"], 0);
  EXPECT_FALSE(mass.contains("max")) << "JSON has no infinity";
}

}  // namespace
}  // namespace davit
