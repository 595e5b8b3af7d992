#include "studio/check_system.h"

#include <gtest/gtest.h>

#include <memory>

#include "simulator/dynamic_sim_component.h"
#include "simulator/state_variable.h"
#include "tests/studio/studio_rig.h"

namespace davit {
namespace {

class Forgetful final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Forgetful", .text = "Its derivative is never written"};
  void EvaluateDiffEquations(double /*t*/) override {}

 private:
  StateVariable x{this, "x", "", "State"};
};

// What only an evaluation at the start shows, as of `davit check`, stands at its component, too.
TEST(CheckSystem, EvaluatesTheStart) {
  const TestFolder test("check_system_start");
  test.Write("s.xml",
             "<System name='s'><SimulatorManager TimeStep='1 ms' StopTime='1 s'/>\n"
             "<test.Forgetful name='one'/></System>");
  Registry registry = ModelsOfTests();
  registry.Add<Forgetful>();
  const Json checked = Json::parse(
      CheckSystem(std::make_shared<const Folder>(test.path()), {.registry = registry}, "s.xml", {}));
  EXPECT_EQ(checked["can_run"], false);
  ASSERT_EQ(checked["faults"].size(), 1U) << checked;
  EXPECT_EQ(checked["faults"][0]["path"], "one");
  EXPECT_EQ(checked["faults"][0]["line"], 2);
}

// The parts of a fault stay apart on the way to the editor, also where a name has a `; `.
TEST(CheckSystem, KeepsProblemAndRemedyApart) {
  const TestFolder test("check_system_parts");
  test.Write("s.xml",
             "<System name='s'><SimulatorManager TimeStep='1 ms' StopTime='1 s'/>"
             "<Connect from='a; b' to='c'/></System>");
  const Registry registry = ModelsOfTests();
  const Json checked = Json::parse(
      CheckSystem(std::make_shared<const Folder>(test.path()), {.registry = registry}, "s.xml", {}));
  ASSERT_FALSE(checked["faults"].empty());
  const std::string text = checked["faults"][0]["text"], remedy = checked["faults"][0]["remedy"];
  EXPECT_NE(text.find("'a; b'"), std::string::npos) << text;
  EXPECT_EQ(remedy.find("b'"), std::string::npos) << remedy;
}

// A check that is no longer wanted, or takes too long, ends with the reason as its fault.
TEST(CheckSystem, EndsWhenThereIsAReasonToStop) {
  const TestFolder test("check_system_stop");
  std::string text = "<System name='s' xmlns='urn:davit:system:1'>\n";
  for (int i = 0; i < 100; ++i) text += "<mechanical.Mass name='m" + std::to_string(i) + "' mass='1 kg'/>\n";
  test.Write("s.xml", text + "</System>");
  const Registry registry = ModelsOfTests();
  int asked = 0;
  const StudioModels models{.registry = registry,
                            .reason_to_stop = [&] { return ++asked > 10 ? "not wanted; ask again" : ""; }};
  const Json checked =
      Json::parse(CheckSystem(std::make_shared<const Folder>(test.path()), models, "s.xml", {}));
  EXPECT_EQ(checked["can_run"], false);
  ASSERT_EQ(checked["faults"].size(), 1U) << checked;
  EXPECT_EQ(checked["faults"][0]["file"], "s.xml");
  EXPECT_EQ(checked["faults"][0]["text"], "not wanted");
  EXPECT_EQ(checked["faults"][0]["remedy"], "ask again");
  EXPECT_EQ(asked, 11);
}

constexpr std::string_view kSwing =
    "<System name='s'><SimulatorManager TimeStep='1 ms' StopTime='1 s'/><mechanism.Mechanism name='arm'>\n"
    "<Body name='boom' at='0 0 2 m' joint='revolute' axis='0 -1 0' start='90 deg' mass='10 kg' centre='1 0 0 "
    "m'\n"
    " inertia='1 5 5 kg.m2'/><Frame name='tip' on='boom' at='3 0 0 m'/></mechanism.Mechanism></System>";

// The studio draws a mechanism where its outputs are at the start.
TEST(CheckSystem, GivesTheMechanismAtItsStart) {
  const TestFolder test("check_system_pose");
  test.Write("s.xml", kSwing);
  const Registry registry = ModelsOfTests();
  const Json pose = Json::parse(
      DescribeStartPose(std::make_shared<const Folder>(test.path()), {.registry = registry}, "s.xml", {}));
  EXPECT_TRUE(pose["faults"].empty()) << pose;
  std::size_t signals = 0;
  for (const Json& item : pose["scene"]["items"]) {
    for (const Json& point : item["points"]) {
      for (const Json& one : point) {
        if (!one.is_string()) continue;
        ++signals;
        EXPECT_TRUE(pose["values"].contains(one.get<std::string>())) << one;
      }
    }
  }
  EXPECT_GT(signals, 3U);
  EXPECT_NEAR(pose["values"]["arm.tip_z"].get<double>(), 5, 1e-12) << "it points upwards";
}

TEST(CheckSystem, SaysWhyAMechanismHasNoStart) {
  const TestFolder test("check_system_no_pose");
  std::string text(kSwing);
  text.replace(text.find("mass='10 kg'"), 12, "mass='-1 kg'");
  test.Write("s.xml", text);
  const Registry registry = ModelsOfTests();
  const auto folder = std::make_shared<const Folder>(test.path());
  const Json faulty = Json::parse(DescribeStartPose(folder, {.registry = registry}, "s.xml", {}));
  EXPECT_TRUE(faulty["scene"].is_null());
  EXPECT_FALSE(faulty["faults"].empty()) << faulty;
  text = kSwing;
  text.replace(text.find("<Frame"), 0, "<Loop name='stay' b='boom' b_at='1 0 0 m' distance='9 m'/>");
  test.Write("s.xml", text);
  const Json open = Json::parse(DescribeStartPose(folder, {.registry = registry}, "s.xml", {}));
  EXPECT_TRUE(open["scene"].is_null());
  EXPECT_NE(open.dump().find("stay does not close"), std::string::npos) << open;
}

}  // namespace
}  // namespace davit
