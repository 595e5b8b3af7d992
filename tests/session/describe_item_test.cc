#include "session/describe_item.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "components/register.h"
#include "framework/tree/component_pool.h"
#include "framework/tree/item_list.h"
#include "session/describe_component.h"
#include "session/describe_run.h"

namespace davit {
namespace {

/// The fields that `one` has, counted by name in `seen`; no required one is missing.
template <class T>
void Count(DescribedFields<T> fields, const T& one, std::map<std::string, int>& seen) {
  std::set<std::string_view> had;
  for (const auto& [name, value] : Describe(fields, one).fields) {
    ++seen[std::string(name)];
    EXPECT_TRUE(had.insert(name).second) << name;
  }
  for (const DescribedField<T>& field : fields)
    EXPECT_TRUE(field.is_optional || had.contains(field.name)) << field.name;
}

/// Each field is had by something: none is forgotten, or always missing.
template <class T>
void ExpectAll(DescribedFields<T> fields, std::map<std::string, int>& seen) {
  for (const DescribedField<T>& field : fields) EXPECT_GT(seen[std::string(field.name)], 0) << field.name;
}

TEST(DescribeItemTest, EachFieldIsHadAndNoRequiredOneIsMissing) {
  Registry registry;
  RegisterComponents(registry);
  std::map<std::string, int> items, ports, inputs, outputs, states, aspects, models, components;
  for (const ModelEntry* entry : registry.entries()) {
    ComponentPool pool;
    Component& component = pool.Create(*entry);
    const Declarations& all = component.declarations();
    for (const Item& item : ListItems(component)) Count(ItemFields(), item, items);
    for (const PortDeclaration& one : all.ports) Count(PortFields(), one, ports);
    for (const InputDeclaration& one : all.inputs) Count(InputFields(), one, inputs);
    for (const OutputDeclaration& one : all.outputs) Count(OutputFields(), one, outputs);
    for (const StateDeclaration& one : all.states) Count(StateFields(), one, states);
    for (const AspectBase* one : all.aspects) Count(AspectFields(), {*one, component.model()}, aspects);
    Count(ModelFields(), std::as_const(component), models);
    Count(ComponentFields(), std::as_const(component), components);
  }
  ExpectAll(ItemFields(), items);
  ExpectAll(PortFields(), ports);
  ExpectAll(InputFields(), inputs);
  ExpectAll(OutputFields(), outputs);
  ExpectAll(StateFields(), states);
  ExpectAll(AspectFields(), aspects);
  ExpectAll(ModelFields(), models);
  ExpectAll(ComponentFields(), components);
  std::map<std::string, int> runs;
  Count(RunFields(), RunState{.stop_time = 1, .lateness = ShownDurations{}, .steps = ShownDurations{}}, runs);
  ExpectAll(RunFields(), runs);
}

/// Front ends loop over the fields: none writes a key itself. Names that other things have, too, such as
/// `text`, are not looked for.
TEST(DescribeItemTest, NoFrontEndWritesAKeyItself) {
  const std::regex write(
      "[\\[{]\"(value_kind|is_structural|is_signal|range_text|is_mandatory|has_text|presets|takes_"
      "chart|"
      "is_open|is_from_plugin|is_many|missed_periods|real_time_factor|speed)\"");
  std::size_t files = 0;
  for (const char* const folder : {"server", "studio", "python"}) {
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(DAVIT_SOURCE_DIR) / folder)) {
      if (file.path().extension() != ".cc") continue;
      std::stringstream text;
      text << std::ifstream(file.path()).rdbuf();
      EXPECT_FALSE(std::regex_search(text.str(), write)) << file.path();
      ++files;
    }
  }
  EXPECT_GT(files, 50U);
}

}  // namespace
}  // namespace davit
