#include "session/describe_item.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "components/register.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_list.h"

namespace davit {
namespace {

using testing::HasSubstr;

TEST(DescribeItemTest, EachFieldIsInTypeScriptAndNoRequiredOneIsMissing) {
  Registry registry;
  RegisterComponents(registry);
  const std::string types = ItemTypeScript();
  std::map<std::string, int> seen;
  for (const ModelEntry* entry : registry.entries()) {
    ComponentPool pool;
    for (const Item& item : ListItems(pool.Create(*entry))) {
      std::map<std::string, int> fields;
      DescribeItem(item, [&](std::string_view name, const auto&) { ++fields[std::string(name)]; });
      for (const ItemField& field : ItemFields()) {
        const int count = fields.contains(std::string(field.name)) ? 1 : 0;
        seen[std::string(field.name)] += count;
        EXPECT_TRUE(field.is_optional || count == 1) << item.path() << ' ' << field.name;
      }
    }
  }
  for (const ItemField& field : ItemFields()) {
    EXPECT_GT(seen[std::string(field.name)], 0) << field.name;
    EXPECT_THAT(types, HasSubstr(std::string(field.name) + (field.is_optional ? "?: " : ": ")));
  }
}

}  // namespace
}  // namespace davit
