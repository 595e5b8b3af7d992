#include "framework/xml/command_verb.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

TEST(CommandVerbTest, EachActionOfALineHasAVerbOfItsOwn) {
  std::set<CommandLine::Action> actions;
  std::set<std::string_view> names;
  for (const CommandVerb& verb : CommandVerbs()) {
    actions.insert(verb.action);
    names.insert(verb.name);
    EXPECT_EQ(FindCommandVerb(verb.name), &verb);
  }
  EXPECT_EQ(names.size(), CommandVerbs().size());
  EXPECT_EQ(actions.size(), static_cast<std::size_t>(CommandLine::Action::kHelp)) << "all but kNone";
}

/// The example of each verb can be read in a system with these names, with a time where the usage has one.
TEST(CommandVerbTest, ExamplesAreAsTheirUsage) {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  Diagnostics diagnostics;
  const auto system = LoadSystem(DAVIT_SOURCE_DIR "/systems/lifting_cylinder.xml", registry, {}, diagnostics);
  const SourceLocation place{std::make_shared<const std::string>("lines"), 1};
  for (const CommandVerb& verb : CommandVerbs()) {
    Diagnostics faults;
    EXPECT_TRUE(ParseCommandLine(*system, verb.example, place, faults)) << verb.example << ToText(faults);
    const bool is_timed =
        ParseCommandLine(*system, "1.5 s " + std::string(verb.example), place, faults).has_value();
    EXPECT_EQ(is_timed, UsageOf(verb).starts_with("[T] ")) << verb.example;
    EXPECT_TRUE(verb.example.starts_with(verb.name));
  }
}

TEST(CommandVerbTest, UsageHasThePlacesOfAllWords) {
  EXPECT_EQ(UsageOf(*FindCommandVerb("set")), "[T] set PATH VALUE");
  EXPECT_EQ(UsageOf(*FindCommandVerb("list")), "[T] list [GLOB]");
  EXPECT_EQ(UsageOf(*FindCommandVerb("until")), "until T|EXPR");
  EXPECT_EQ(FindCommandVerb("sett"), nullptr);
}

}  // namespace
}  // namespace davit
