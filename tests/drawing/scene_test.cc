#include "drawing/scene.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "framework/scene.h"
#include "simulator/dynamic_sim_component.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

using Json = nlohmann::json;
using Point = std::array<double, 3>;

/// A scene with the numbers that its signals have now.
class ScenePoints {
 public:
  explicit ScenePoints(SystemHarness& system)
      : system_(system), scene_(Json::parse(DescribeScene(system.system()))) {}

  const Json& json() const { return scene_; }
  Point At(const std::string& item, std::size_t point) const {
    Point at{};
    for (std::size_t i = 0; i < 3; ++i) {
      const Json& coordinate = Find(item).at("points").at(point).at(i);
      at[i] = coordinate.is_string() ? system_.Read(coordinate.get<std::string>()) : coordinate.get<double>();
    }
    return at;
  }
  double Length(const std::string& item) const {
    const Point a = At(item, 0), b = At(item, 1);
    return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
  const Json& Find(const std::string& name) const {
    for (const Json& item : scene_.at("items")) {
      if (item.at("name") == name) return item;
    }
    throw std::out_of_range(name);
  }

 private:
  SystemHarness& system_;
  Json scene_;
};

constexpr const char* kBooms = R"(
    <Body name="king" at="3 -2 1 m" joint="revolute" axis="0 0 1" inertia="1e4 1e4 2e4 kg.m2"/>
    <Body name="main" on="king" at="0.6 0 4 m" joint="revolute" axis="0 -1 0" mass="5 t" centre="4.5 0 0 m"
        inertia="0 4e4 4e4 kg.m2"/>
    <Body name="outer" on="main" at="11 0 0 m" joint="revolute" axis="0 -1 0" mass="2.5 t" centre="3 0 0 m"
        inertia="0 1e4 1e4 kg.m2"/>
    <Mount name="boom" a="king" a_at="1.5 0 1.4 m" b="main" b_at="3.6 0 -0.55 m" shortest="3.16 m"/>
    <Mount name="knuckle" a="main" a_at="6.2 0 -0.75 m" b="outer" b_at="1.15 0 -0.75 m" shortest="2.7 m"/>
    <Load name="load" on="outer" at="6 0 0 m" about="king" mass="10 t" length="4 m"/>)";

std::string Crane(double q0, double q1, double q2, double roll, const std::string& base) {
  return fmt::format(
      R"(<System name="crane"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>
      <mechanism.Crane name="crane" level="Standard" roll="{} rad" {}>{}
        <Start king_angle="{} rad" main_angle="{} rad" outer_angle="{} rad"/>
      </mechanism.Crane></System>)",
      roll, base, kBooms, q0, q1, q2);
}

/// Distances of joints are the lengths of what lies between them, in any pose and however the vessel lies.
TEST(Scene, CraneAgreesWithItsKinematics) {
  constexpr double kRounding = 1e-12;  // [m], of some hundred operations on numbers below 100 m
  const auto distance = [](const Point& a, const Point& b) {
    return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  };
  for (const double q0 : {0.0, 1.1, -2.5}) {
    for (const double q1 : {0.2, 0.9}) {
      for (const double q2 : {-0.4, -1.7}) {
        for (const double roll : {0.0, 0.2}) {
          SystemHarness system(Crane(q0, q1, q2, roll, "heave=\"0.7 m\" pitch=\"-0.1 rad\""));
          system.simulation().Initialize();
          const ScenePoints scene(system);
          // The first point of a hull is its joint.
          const Point foot = scene.At("king", 0), pivot = scene.At("main", 0), knee = scene.At("outer", 0);
          EXPECT_NEAR(distance(foot, pivot), std::hypot(0.6, 4), kRounding);
          EXPECT_NEAR(distance(pivot, knee), 11, kRounding);
          EXPECT_NEAR(distance(knee, scene.At("load_wire", 0)), 6, kRounding);
          EXPECT_NEAR(scene.Length("boom"), system.Read("crane.boom_length"), kRounding);
          EXPECT_NEAR(scene.Length("knuckle"), system.Read("crane.knuckle_length"), kRounding);
          // The foot of the pedestal: heave, then R = Ry(pitch) Rx(roll) of its place in the vessel.
          const double sr = std::sin(roll), cr = std::cos(roll), sp = std::sin(-0.1), cp = std::cos(-0.1);
          const double x = 3, y = cr * -2 - sr * 1, z = sr * -2 + cr * 1;
          EXPECT_NEAR(foot[0], cp * x + sp * z, kRounding);
          EXPECT_NEAR(foot[1], y, kRounding);
          EXPECT_NEAR(foot[2], -sp * x + cp * z + 0.7, kRounding);
        }
      }
    }
  }
}

TEST(Scene, LoadHangsBelowTheTipByTheWire) {
  SystemHarness system(Crane(0.5, 0.7, -0.9, 0, ""));
  system.simulation().Initialize();
  const ScenePoints scene(system);
  const Point tip = scene.At("load_wire", 0), load = scene.At("load_wire", 1);
  EXPECT_NEAR(load[0], tip[0], 1e-12);
  EXPECT_NEAR(load[1], tip[1], 1e-12);
  EXPECT_NEAR(load[2], tip[2] - 4, 1e-12);
  EXPECT_EQ(scene.At("load", 0), load);
  EXPECT_EQ(scene.At("load_path", 0), load);
}

TEST(Scene, CraneInItsCircuitShowsTheCylindersOnce) {
  SystemHarness system(std::string(R"(<System name="held"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>
    <mechanism.Crane name="crane">)") +
                       kBooms + R"(</mechanism.Crane>
    <hydraulic.Volume name="a"/><hydraulic.Volume name="b"/>
    <hydraulic.Cylinder name="cylinder" stroke="3 m"/>
    <Connect from="cylinder.a" to="a.port"/><Connect from="cylinder.b" to="b.port"/>
    <Connect from="cylinder.rod" to="crane.boom"/></System>)");
  const Json scene = ScenePoints(system).json();
  ASSERT_FALSE(scene.at("items").empty());
  for (const Json& item : scene.at("items")) EXPECT_EQ(item.at("component"), "crane");
}

constexpr const char* kLift = R"(<System name="lift"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>
  <hydraulic.Volume name="a"/><hydraulic.Volume name="b"/><hydraulic.Volume name="c"/><hydraulic.Volume name="d"/>
  <hydraulic.Cylinder name="first" stroke="2 m"><Start x="0.5 m"/></hydraulic.Cylinder>
  <hydraulic.Cylinder name="second" stroke="1 m"/>
  <mechanical.Mass name="load" mass="10 t"/><mechanical.Mass name="other" mass="1 t"/>
  <Connect from="first.a" to="a.port"/><Connect from="first.b" to="b.port"/>
  <Connect from="second.a" to="c.port"/><Connect from="second.b" to="d.port"/>
  <Connect from="first.rod" to="load.a"/><Connect from="second.rod" to="other.a"/></System>)";

TEST(Scene, CylinderCarriesItsLoad) {
  SystemHarness system(kLift);
  system.simulation().Initialize();
  const ScenePoints scene(system);
  EXPECT_EQ(scene.At("rod", 1), (Point{0, 0, 2.5}));
  EXPECT_EQ(scene.At("mass", 0), (Point{0, 0, 2.5}));
  EXPECT_EQ(scene.At("piston", 0), (Point{0, 0, 0.5}));
}

/// Where several mechanisms stand at the origin they are set beside each other, with what they carry.
TEST(Scene, MechanismsStandBesideEachOther) {
  SystemHarness system(kLift);
  const Json scene = ScenePoints(system).json();
  std::map<std::string, double> at;
  for (const Json& item : scene.at("items")) {
    if (item.at("name") == "rod" || item.at("name") == "mass")
      at[item.at("component")] = item.at("points").at(0).at(0).get<double>();
  }
  EXPECT_EQ(at.at("first"), 0);
  EXPECT_EQ(at.at("load"), 0);
  EXPECT_GT(at.at("second"), 1);
  EXPECT_EQ(at.at("other"), at.at("second"));
}

TEST(Scene, SliderCrankKeepsItsLengths) {
  SystemHarness system(R"(<System name="slider"><SimulatorManager TimeStep="20 ms" StopTime="10 s">
    <Integration solver="DAE" method="ida" rtol="1e-8" atol="1e-8"/></SimulatorManager>
    <mechanical.SliderCrank name="crank"/></System>)");
  for (const double t : {0.0, 1.0, 4.0, 9.0}) {
    system.RunTo(t);
    const ScenePoints scene(system);
    EXPECT_NEAR(scene.Length("crank"), 0.5, 1e-12) << t;
    // The constraints hold within the tolerance of the solver.
    EXPECT_NEAR(scene.Length("rod"), 1, 1e-6) << t;
  }
}

constexpr const char* kArm = R"(<System name="arm"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>
  <mechanism.Mechanism name="arm">
    <Body name="boom" at="0.3 0 1.8 m" joint="revolute" axis="0 -1 0" start="40 deg"
          mass="12 kg" centre="1.5 0 0 m" inertia="5 10 13 kg.m2"/>
    <Body name="stick" on="boom" at="3 0 0 m" joint="revolute" axis="0 -1 0" start="-70 deg"
          mass="9 kg" centre="1 0 0.2 m" inertia="1 3 3 kg.m2"/>
    <Body name="tool" on="stick" at="2 0 0 m" joint="spherical" mass="3 kg" centre="0.3 0.1 0 m" inertia="1 1 1 kg.m2"/>
    <Body name="carriage" on="boom" at="0.5 0 0.3 m" joint="prismatic" axis="1 0 0" mass="2 kg" centre="0.1 0 0 m"/>
    <Loop name="stay" a="base" a_at="-2 0 4 m" b="boom" b_at="2 0 0.4 m" distance="3.9 m"/>
    <Mount name="jack" a="boom" a_at="1 0 0.5 m" b="stick" b_at="-0.5 0 0.2 m" shortest="1.5 m"/>
    <Frame name="tip" on="stick" at="2.2 0 0.1 m"/>
  </mechanism.Mechanism></System>)";

/// What is fixed to a body keeps its distances, however the body moves: a view may make its shape once.
TEST(Scene, HullsOfAMechanismAreRigid) {
  SystemHarness system(kArm);
  const auto distances = [&](const ScenePoints& scene) {
    std::map<std::string, std::vector<double>> found;
    for (const Json& item : scene.json().at("items")) {
      if (item.at("kind") != "hull") continue;
      const std::string name = item.at("name");
      for (std::size_t i = 0; i < item.at("points").size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
          const Point a = scene.At(name, i), b = scene.At(name, k);
          found[name].push_back(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
        }
      }
    }
    return found;
  };
  system.RunTo(0.01);
  const auto before = distances(ScenePoints(system));
  const Point tip = ScenePoints(system).At("tip_path", 0);
  system.RunTo(0.5);
  const ScenePoints scene(system);
  const auto after = distances(scene);
  ASSERT_EQ(before.size(), 5U) << "four bodies and the base";
  for (const auto& [name, all] : before) {
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_NEAR(after.at(name)[i], all[i], 1e-12) << name;
  }
  EXPECT_NE(scene.At("tip_path", 0), tip) << "it has moved";
}

TEST(Scene, HullsHaveWhatIsFixedToTheirBody) {
  SystemHarness system(kArm);
  system.RunTo(0.01);
  const ScenePoints scene(system);
  const auto points = [&](const char* name) { return scene.Find(name).at("points").size(); };
  EXPECT_EQ(points("base"), 3U) << "its origin, the joint of the boom, the stay";
  EXPECT_EQ(points("boom"), 4U) << "two joints, jack and stay; the carriage slides";
  EXPECT_EQ(points("stick"), 4U) << "two joints, the jack and the tip";
  EXPECT_EQ(points("tool"), 2U) << "nothing is fixed to it: its joint and its centre";
  EXPECT_EQ(scene.Find("boom").at("points").at(0), scene.Find("base").at("points").at(1)) << "one place";
  // The box of 12 kg with the edges 3 m, 2 m and 1 m has these moments.
  EXPECT_NEAR(scene.Find("boom").at("depth").get<double>(), 1, 1e-12);
  EXPECT_NEAR(scene.Length("stay"), 3.9, 1e-6) << "within the errors of the loops";
  EXPECT_NEAR(scene.Length("jack"), system.Read("arm.jack_length"), 1e-12);
  EXPECT_EQ(scene.Find("jack").at("force"), "arm.jack_force");
  EXPECT_LT(scene.Find("jack").at("barrel").get<double>(), 1.5) << "the rod is never inside of its end";
}

TEST(Scene, TlmCylinderLooksAsTheOther) {
  const auto rig = [](const char* ends, const char* cylinder, const char* solver) {
    return fmt::format(R"(<System name="lift"><SimulatorManager TimeStep="0.1 ms" StopTime="1 s"/>
      <{0} name="a"/><{0} name="b"/><{1} name="cylinder" stroke="2 m"/>
      <mechanical.Mass name="load" mass="10 t" {2}><Start x="0.5 m"/></mechanical.Mass>
      <Connect from="cylinder.a" to="a.port"/><Connect from="cylinder.b" to="b.port"/>
      <Connect from="cylinder.rod" to="load.a"/></System>)",
                       ends, cylinder, solver);
  };
  SystemHarness tlm(rig("hydraulic.FlowSource", "hydraulic.CylinderC", "solver=\"Tlm\""));
  SystemHarness other(rig("hydraulic.Volume", "hydraulic.Cylinder", ""));
  tlm.simulation().Initialize();
  other.simulation().Initialize();
  const ScenePoints scene(tlm);
  EXPECT_EQ(scene.json(), ScenePoints(other).json());
  EXPECT_EQ(scene.At("rod", 1), (Point{0, 0, 2.5}));
  EXPECT_EQ(scene.At("mass", 0), (Point{0, 0, 2.5}));
  tlm.RunTo(0.1);
  EXPECT_EQ(scene.At("rod", 1)[2], 2 + tlm.Read("cylinder.x"));
}

TEST(Scene, MassesAloneStandBesideEachOther) {
  SystemHarness system(R"(<System name="pair"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>
    <mechanical.Mass name="first" mass="1 t" x_min="-1 m"><Start x="0.5 m"/></mechanical.Mass>
    <mechanical.Mass name="second" mass="1 t"/></System>)");
  system.simulation().Initialize();
  const ScenePoints scene(system);
  EXPECT_EQ(scene.At("mass", 0), (Point{0, 0, 0.5}));
  EXPECT_EQ(scene.Find("lower_stop").at("points").at(0).at(2), -1);
  EXPECT_THROW(scene.Find("upper_stop"), std::out_of_range);
  const Json& items = scene.json().at("items");
  EXPECT_EQ(items.back().at("component"), "second");
  const double radius = items.back().at("radius").get<double>();
  EXPECT_GE(items.back().at("points").at(0).at(0).get<double>(), 2 * radius) << "they do not touch";
}

TEST(Scene, NothingWhereNothingShowsItself) {
  SystemHarness system(R"(<System name="plain"><signal.Gain name="gain"/></System>)");
  EXPECT_EQ(DescribeScene(system.system()), R"({"views":[],"items":[]})");
}

TEST(Scene, TheSeaShowsItsWavesAroundAMechanism) {
  const std::string sea = R"(<marine.Sea name="sea" components="300" significant_height="2 m"/>)";
  std::string text = Crane(0, 0.4, -0.8, 0, "");
  text.insert(text.find("<mechanism.Crane"), sea);
  SystemHarness system(text);
  system.simulation().Initialize();
  const ScenePoints scene(system);
  const Json& waves = scene.Find("surface").at("waves");
  // The highest ones, in the order of their height.
  ASSERT_EQ(waves.size(), 200U);
  EXPECT_GE(waves.front().at(0), waves.back().at(0));
  for (const Json& wave : waves) {
    const double w = wave.at(1), k = wave.at(2);
    EXPECT_NEAR(w * w / (9.81 * k * std::tanh(300 * k)), 1, 1e-9);
  }
  // The crane stands where it stands without a sea.
  EXPECT_EQ(scene.At("king", 0)[0], 3);

  SystemHarness alone(R"(<System name="s"><SimulatorManager TimeStep="1 ms" StopTime="1 s"/>)" + sea +
                      "</System>");
  EXPECT_EQ(DescribeScene(alone.system()), R"({"views":[],"items":[]})");
}

/// What drawings need is no column of results, unless it is named.
TEST(Scene, PointsAreNotRecordedByGlobs) {
  const auto columns = [](const char* signals) {
    SystemHarness system(
        fmt::format(R"(<System name="crane"><SimulatorManager TimeStep="1 ms" StopTime="1 ms"/>
    <mechanism.Crane name="crane">{}</mechanism.Crane><Record signals="{}"/></System>)",
                    kBooms, signals));
    std::vector<std::string> paths;
    for (const Item& column : system.system().record_plan().columns) paths.push_back(column.path());
    return paths;
  };
  for (const std::string& path : columns("crane.*"))
    EXPECT_THAT(path, testing::Not(testing::HasSubstr("crane.at_")));
  EXPECT_THAT(columns("crane.at_outer_x"), testing::ElementsAre("crane.at_outer_x"));
}

/// A model of a plug-in.
class Pendulum final : public DynamicSimComponent, public MechanismPart {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Pendulum", .text = "Pendulum"};
  void DescribeScene(SceneBuilder& scene) const override {
    scene.Add({.name = "rod",
               .kind = SceneItem::Kind::kSegment,
               .text = "Rod",
               .points = {{0, 0, 0}, {x_, 0, z_}},
               .width = length_ / 20});
  }

 private:
  Parameter length_{this, "length", "m", "Length", 2.0, kPositive};
  Output x_{this, "x", "m", "End, to the right", OutputUse::kDrawing};
  Output z_{this, "z", "m", "End, upwards", OutputUse::kDrawing};
};

TEST(Scene, ModelsTellTheirOwn) {
  SystemHarness system(R"(<System name="swing"><test.Pendulum name="p"/></System>)",
                       [](Registry& registry) { registry.Add<Pendulum>(); });
  EXPECT_EQ(DescribeScene(system.system()),
            R"({"views":["side","top"],"items":[{"component":"p","name":"rod","kind":"segment","text":"Rod",)"
            R"("points":[[0.0,0.0,0.0],["p.x",0.0,"p.z"]],"width":0.1}]})");
}

}  // namespace
}  // namespace davit
