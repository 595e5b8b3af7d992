#include "studio/model_catalog.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "framework/aspect.h"
#include "framework/property.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_list.h"
#include "framework/xml/element_kind.h"
#include "server/described_json.h"
#include "session/describe_component.h"
#include "session/describe_item.h"
#include "session/model_description.h"
#include "tests/studio/studio_rig.h"

namespace davit {
namespace {

/// What the page makes of `used_with`, with the present options of a component.
bool IsUsed(const Json& used_with, const Component& component) {
  if (used_with.empty()) return true;
  for (const Json& use : used_with) {
    for (const PropertyBase* property : component.declarations().properties) {
      if (property->label().name != use["of"].get<std::string>()) continue;
      for (const Json& option : use["options"]) {
        if (property->ToText() == option.get<std::string>()) return true;
      }
    }
  }
  return false;
}

TEST(ModelCatalog, HasEachModelOnceWithItsPortsOnTheSymbol) {
  const Registry registry = ModelsOfTests();
  const Json catalog = Json::parse(DescribeModels(registry));
  std::set<std::string> names, domains;
  for (const Json& domain : catalog["domains"]) domains.insert(domain["name"].get<std::string>());
  for (const Json& model : catalog["models"]) {
    const std::string name = model["name"];
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_FALSE(model["text"].get<std::string>().empty()) << name;
    for (const Json& port : model["ports"]) {
      EXPECT_TRUE(domains.contains(port["domain"].get<std::string>())) << name << port;
      // Lines meet a symbol at the edge of its box, on the grid of the drawing.
      ASSERT_TRUE(port.contains("x")) << name << port;
      const double x = std::abs(port["x"].get<double>()), y = std::abs(port["y"].get<double>());
      const double width = model["symbol"]["width"], height = model["symbol"]["height"];
      EXPECT_TRUE(x == width / 2 || y == height / 2) << name << port;
      EXPECT_LE(x, width / 2) << name << port;
      EXPECT_LE(y, height / 2) << name << port;
    }
  }
  const std::vector<std::string> registered = registry.names();
  EXPECT_EQ(names, std::set<std::string>(registered.begin(), registered.end()));
}

TEST(ModelCatalog, HasEachElementWithEachAttribute) {
  const Json catalog = Json::parse(DescribeModels(ModelsOfTests()));
  std::set<std::string> shown, known;
  for (const Json& element : catalog["elements"]) {
    for (const Json& attribute : element["attributes"])
      shown.insert(element["name"].get<std::string>() + '.' + attribute["name"].get<std::string>());
  }
  for (const ElementKind& kind : ElementKinds()) {
    for (const AttributeKind& one : kind.attributes) known.insert(fmt::format("{}.{}", kind.name, one.name));
  }
  for (const AttributeKind& one : ComponentElement().attributes) known.insert(fmt::format(".{}", one.name));
  EXPECT_EQ(shown, known);
}

TEST(ModelCatalog, HasEachFieldOfEachSetting) {
  const Json catalog = Json::parse(DescribeModels(ModelsOfTests()));
  for (const Json& model : catalog["models"]) {
    for (const Json& parameter : model["parameters"]) {
      for (const ItemField& field : ItemFields())
        EXPECT_TRUE(field.is_optional || parameter.contains(field.name)) << parameter << field.name;
    }
  }
}

TEST(ModelCatalog, HasAllItemsOfAForm) {
  const Registry registry = ModelsOfTests();
  for (const ModelEntry* entry : registry.entries()) {
    const Json model = DescribeModelOf(*entry, registry);
    ComponentPool pool;
    Component& component = pool.Create(*entry);
    Diagnostics ignored;
    component.Configure(ignored);
    std::size_t parameters = 0, properties = 0;
    for (const Item& item : ListItems(component)) {
      parameters += item.kind() == Item::Kind::kParameter ? 1 : 0;
      properties += item.kind() == Item::Kind::kProperty ? 1 : 0;
    }
    EXPECT_EQ(model["parameters"].size(), parameters) << entry->info->name;
    EXPECT_EQ(model["properties"].size(), properties) << entry->info->name;
    EXPECT_EQ(model["ports"].size(), component.declarations().ports.size()) << entry->info->name;
    EXPECT_EQ(model["inputs"].size(), component.declarations().inputs.size()) << entry->info->name;
    EXPECT_EQ(model["aspects"].size(), component.declarations().aspects.size()) << entry->info->name;
  }
}

TEST(ModelCatalog, SaysWithWhichOptionsEquationsUseAnItem) {
  // At every option of every aspect, the others at their defaults.
  const Registry registry = ModelsOfTests();
  std::size_t conditions = 0;
  for (const ModelEntry* entry : registry.entries()) {
    ComponentPool pool;
    Component& component = pool.Create(*entry);
    Diagnostics ignored;
    component.Configure(ignored);
    const std::vector<Item> items = ListItems(component);
    const auto compare = [&] {
      for (const Item& item : items) {
        const Json used_with = ToJson(DescribeUses(item.when()));
        EXPECT_EQ(IsUsed(used_with, component), item.when().holds())
            << entry->info->name << ' ' << item.name() << ' ' << used_with << ' ' << item.when().ToText();
        conditions += used_with.empty() ? 0 : 1;
      }
    };
    compare();
    for (AspectBase* aspect : component.declarations().aspects) {
      const std::uint32_t before = aspect->option();
      for (std::uint32_t option = 0; option < aspect->options().size(); ++option) {
        aspect->Set(option);
        compare();
      }
      aspect->Set(before);
    }
  }
  EXPECT_GT(conditions, 100U);  // there are such items
}

// What may be inside of a component with an own language of elements, with all attributes.
TEST(ModelCatalog, HasTheElementsOfAMechanism) {
  const Registry registry = ModelsOfTests();
  const Json model = DescribeModelOf(*registry.Find("mechanism.Mechanism"), registry);
  std::vector<std::string> kinds;
  for (const Json& kind : model["inner"]) {
    kinds.push_back(kind["name"]);
    EXPECT_EQ(kind["place"], "component");
    for (const Json& attribute : kind["attributes"]) {
      EXPECT_FALSE(attribute["text"].get<std::string>().empty()) << attribute;
      const std::string name = attribute["name"];
      const bool has_options = name == "joint" || name == "path" || name == "deck_on";
      EXPECT_EQ(has_options, !attribute["options"].empty()) << attribute;
    }
  }
  for (const std::string& kind : kinds)
    EXPECT_NE(std::ranges::find(model["elements"], Json(kind)), model["elements"].end()) << kind;
  EXPECT_EQ(kinds.size(), 9U);
}

}  // namespace
}  // namespace davit
