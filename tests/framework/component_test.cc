#include "framework/component.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "framework/parameter.h"
#include "framework/registry.h"
#include "framework/run_log.h"

namespace davit {
namespace {

constexpr ModelInfo kPlainInfo{"test.Plain", "No levels"};
constexpr ModelEntry kPlain{.info = &kPlainInfo};
constexpr ModelInfo kLevelledInfo{"test.Levelled", "Two levels", {Level::kStandard, Level::kAdvanced}};
constexpr ModelEntry kLevelled{.info = &kLevelledInfo};

struct Tree {
  Tree() {
    root.Place("system", nullptr, {});
    crane.Place("crane", &root, {});
    boom.Place("boom", &crane, {std::make_shared<const std::string>("crane.xml"), 7});
    jib.Place("jib", &crane, {});
  }
  Component root, crane, boom, jib;
};

TEST(ComponentTest, PathsBeginBelowTheRoot) {
  const Tree tree;
  EXPECT_EQ(tree.root.path(), "");
  EXPECT_EQ(tree.root.DisplayPath(), "/");
  EXPECT_EQ(tree.boom.path(), "crane.boom");
  EXPECT_EQ(tree.boom.DisplayPath(), "/crane/boom");
  EXPECT_EQ(tree.boom.name(), "boom");
  EXPECT_EQ(*tree.boom.location().file, "crane.xml");
  EXPECT_EQ(tree.boom.location().line, 7);
}

TEST(ComponentTest, ChildrenKeepTheOrderOfTheFile) {
  const Tree tree;
  EXPECT_EQ(tree.crane.children(),
            (std::vector<Component*>{const_cast<Component*>(&tree.boom), const_cast<Component*>(&tree.jib)}));
  EXPECT_EQ(tree.crane.FindChild("jib"), &tree.jib);
  EXPECT_EQ(tree.crane.FindChild("crane"), nullptr);
  EXPECT_EQ(tree.boom.parent(), &tree.crane);
}

TEST(ComponentTest, AModelWithoutLevelsHasNone) {
  Component component;
  component.set_entry(kPlain);
  EXPECT_FALSE(component.level().has_value());
  EXPECT_TRUE(std::isnan(*component.level_value()));
}

TEST(ComponentTest, TheSimplestLevelIsTheFirst) {
  Component component;
  component.set_entry(kLevelled);
  EXPECT_EQ(component.level(), Level::kStandard);
  EXPECT_EQ(*component.level_value(), 1);
  component.SetLevel(Level::kAdvanced);
  EXPECT_EQ(component.level(), Level::kAdvanced);
  EXPECT_EQ(*component.level_value(), 2);
}

TEST(ComponentTest, TheRunLogOfAnAncestorCounts) {
  Tree tree;
  EXPECT_EQ(tree.boom.run_log(), nullptr);
  RunLog log(RunLog::Severity::kInfo, [](RunLog::Severity, std::string_view) {});
  RunLog own(RunLog::Severity::kInfo, [](RunLog::Severity, std::string_view) {});
  tree.root.set_run_log(&log);
  tree.jib.set_run_log(&own);
  EXPECT_EQ(tree.boom.run_log(), &log);
  EXPECT_EQ(tree.jib.run_log(), &own);
}

TEST(ComponentTest, DeclarationsStandInTheOrderOfMembers) {
  class Declared final : public Component {
   public:
    Parameter b{this, "b", "kg", "First", 2.0, kPositive};
    Parameter a{this, "a", "m", "Second", 3.0, kAny, Tunability::kStructural};
  };
  const Declared component;
  const auto& parameters = component.declarations().parameters;
  ASSERT_EQ(parameters.size(), 2U);
  EXPECT_EQ(parameters[0].label.name, "b");
  EXPECT_EQ(parameters[0].label.unit, "kg");
  EXPECT_EQ(parameters[0].range, kPositive);
  EXPECT_EQ(parameters[1].tunability, Tunability::kStructural);
  *parameters[0].value = 5;
  EXPECT_EQ(component.b, 5.0);
}

}  // namespace
}  // namespace davit
