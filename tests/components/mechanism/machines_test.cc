// The machines of systems/ that a mechanism.Mechanism moves, as a user runs them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "components/register.h"
#include "session/simulation.h"
#include "simulator/sparing_evaluations.h"
#include "tests/support/partials_law.h"

namespace davit {
namespace {

/// What the laws need to know of a system.
struct Machine {
  std::string name;       ///< of the file and of the system
  std::string mechanism;  ///< the component
  /// Cylinders; those of one group are in parallel.
  std::vector<std::vector<std::string>> cylinders;
  std::vector<std::string> frictions;  ///< joints with viscous friction
  std::vector<std::string> calm = {};  ///< values that make the base rest
  /// [s]; later on mass is lost, with its energy.
  double closed_until = 1e9;
  std::string telescope = {};  ///< a body on a prismatic joint with a cylinder of this name
  std::string drive = {};      ///< a rotary drive
  std::vector<std::string> dampers = {};
};

void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

std::vector<Machine> Machines() {
  return {
      {.name = "excavator",
       .mechanism = "arm",
       .cylinders = {{"boom.cylinder"}, {"stick.cylinder"}, {"bucket.cylinder"}},
       .frictions = {"boom", "stick", "bucket", "rocker", "link"}},
      {.name = "wheel_loader",
       .mechanism = "loader",
       .cylinders = {{"lift.cylinder"}, {"tilt.cylinder"}},
       .frictions = {"arm", "bucket", "crank", "link"},
       .closed_until = 8},
      {.name = "stewart_platform",
       .mechanism = "hexapod",
       .cylinders = {{"axis1.cylinder"},
                     {"axis2.cylinder"},
                     {"axis3.cylinder"},
                     {"axis4.cylinder"},
                     {"axis5.cylinder"},
                     {"axis6.cylinder"}},
       .frictions = {}},
      {.name = "forestry_crane",
       .mechanism = "crane",
       .cylinders = {{"lift.cylinder"}, {"outer.cylinder"}, {"telescope.cylinder"}},
       .frictions = {"column", "boom", "outer", "telescope", "link", "grapple"},
       .telescope = "telescope",
       .drive = "slew_drive"},
      {.name = "a_frame",
       .mechanism = "stern",
       .cylinders = {{"cylinder1", "cylinder2"}},
       .frictions = {"frame"},
       .calm = {"heave.response=0", "roll.response=0 rad/m"},
       .dampers = {"pitch_damper", "roll_damper"}},
  };
}

class MachinesTest : public testing::TestWithParam<Machine> {
 protected:
  std::unique_ptr<Simulation> Load(const std::vector<std::string>& set = {}) {
    return Simulation::Load(std::string(DAVIT_SOURCE_DIR) + "/systems/" + GetParam().name + ".xml", models_,
                            {.load = {.set = set},
                             .log_level = RunLog::Severity::kWarning,
                             .log = [this](RunLog::Severity /*severity*/,
                                           std::string_view line) { warnings_.emplace_back(line); }})
        .Take();
  }
  static double Of(const Simulation& machine, const std::string& name) {
    return machine.Read(GetParam().mechanism + "." + name);
  }
  static DynamicSimComponent& MechanismOf(Simulation& machine) {
    const auto& components = machine.system().components();
    return dynamic_cast<DynamicSimComponent&>(
        **std::ranges::find(components, GetParam().mechanism, &Component::name));
  }
  static std::vector<std::string> Cylinders() {
    std::vector<std::string> all;
    for (const auto& group : GetParam().cylinders) all.insert(all.end(), group.begin(), group.end());
    return all;
  }
  /// Of the pressures on the piston [N].
  static double Push(const Simulation& machine, const std::string& cylinder) {
    const double bore = machine.Read(cylinder + ".bore"), rod = machine.Read(cylinder + ".rod");
    const double area = std::numbers::pi / 4 * bore * bore, of_rod = std::numbers::pi / 4 * rod * rod;
    return machine.Read(cylinder + ".p_a") * area - machine.Read(cylinder + ".p_b") * (area - of_rod);
  }
  /// Potential energy at the start, with the cylinders of a group moved by dx [m].
  double EnergyAt(const std::vector<std::string>& group, double dx) {
    std::vector<std::string> set = GetParam().calm;
    const auto machine = Load(GetParam().calm);
    machine->Initialize();
    for (const std::string& cylinder : group) {
      const std::string x = std::to_string(machine->Read(cylinder + ".x") + dx);
      set.push_back(cylinder + ".x=" + x);
      if (cylinder.starts_with(GetParam().telescope + "."))
        set.push_back(GetParam().mechanism + "." + GetParam().telescope + "_x=" + x);
    }
    const auto moved = Load(set);
    moved->Initialize();
    return Of(*moved, "potential_energy");
  }

  Registry models_ = AllModels();
  std::vector<std::string> warnings_;
};

// Virtual work: what the pressures of the start do if a cylinder extends is what the weights gain.
TEST_P(MachinesTest, ThePressuresOfTheStartCarryTheWeight) {
  constexpr double kMove = 1e-3;  // [m], of which the text has six digits behind the point
  const auto machine = Load(GetParam().calm);
  machine->Initialize();
  for (const auto& group : GetParam().cylinders) {
    double push = 0;
    for (const std::string& cylinder : group) push += Push(*machine, cylinder);
    const double gain = (EnergyAt(group, kMove) - EnergyAt(group, -kMove)) / (2 * kMove);
    EXPECT_NEAR(push, gain, 2e-3 * std::abs(gain)) << group.front();
  }
}

TEST_P(MachinesTest, CylindersStayInsideTheirStrokesAndLoopsClosed) {
  const auto machine = Load();
  machine->Initialize();
  const std::vector<std::string> cylinders = Cylinders();
  while (!machine->is_finished()) {
    machine->Step();
    for (const std::string& cylinder : cylinders) {
      const double x = machine->Read(cylinder + ".x"), stroke = machine->Read(cylinder + ".stroke");
      ASSERT_GT(x, 0) << cylinder << " at " << machine->time();
      ASSERT_LT(x, stroke) << cylinder << " at " << machine->time();
      for (const char* p : {".p_a", ".p_b"}) {
        ASSERT_GT(machine->Read(cylinder + p), 0) << cylinder << p << " at " << machine->time();
        ASSERT_LT(machine->Read(cylinder + p), machine->Read(cylinder + ".max_pressure"))
            << cylinder << p << " at " << machine->time();
      }
    }
    ASSERT_LT(Of(*machine, "loop_error"), 1e-6)
        << machine->time();  // of the states: the tolerance of the solver
  }
  EXPECT_THAT(warnings_, testing::IsEmpty());
}

// At several times of the run, so that the machine moves, and its cylinders push.
TEST_P(MachinesTest, ThePartialDerivativesAreThoseOfTheEquations) {
  const auto machine = Load();
  machine->Initialize();
  DynamicSimComponent& mechanism = MechanismOf(*machine);
  for (const double share : {0.0, 0.21, 0.37, 0.52, 0.83}) {
    while (machine->time() < share * machine->stop_time()) machine->Step();
    const auto evaluate = [&] {
      mechanism.EvaluateEfforts(machine->time());
      mechanism.EvaluateDiffEquations(machine->time());
    };
    EXPECT_THAT(WrongPartials(evaluate, mechanism), testing::IsEmpty()) << machine->time();
  }
}

// Evaluations of a solver leave outputs out: at step points all of them are those of the states there.
TEST_P(MachinesTest, AtStepPointsAllOutputsAreThoseOfTheStates) {
  const auto machine = Load();
  machine->Initialize();
  DynamicSimComponent& mechanism = MechanismOf(*machine);
  const auto outputs = [&] {
    std::vector<double> values;
    values.reserve(mechanism.declarations().outputs.size());
    for (const OutputDeclaration& output : mechanism.declarations().outputs) values.push_back(*output.value);
    return values;
  };
  const std::vector<double> at_start = outputs();
  while (machine->time() < 0.4 * machine->stop_time()) {
    machine->Step();
    const std::vector<double> shown = outputs();
    dynamic_cast<SparingEvaluations&>(mechanism).SetTrial(false);
    mechanism.EvaluateEfforts(machine->time());
    mechanism.EvaluateDiffEquations(machine->time());
    ASSERT_EQ(shown, outputs()) << machine->time();
  }
  EXPECT_NE(at_start, outputs());
}

// What cylinders and drives do is what bodies and rods gain and what friction takes. The integral over time
// is that of the trapezoidal rule over each TimeStep.
TEST_P(MachinesTest, TheWorkOfTheCylindersIsTheEnergyOfTheBodies) {
  const Machine& at = GetParam();
  std::vector<std::string> set = at.calm;
  set.emplace_back("SimulatorManager.TimeStep=2 ms");
  const auto machine = Load(set);
  machine->Initialize();
  const auto power = [&] {
    double sum = 0;
    for (const std::string& cylinder : Cylinders())
      sum += machine->Read(cylinder + ".force") * machine->Read(cylinder + ".v");
    for (const std::string& joint : at.frictions) {
      const double rate = Of(*machine, joint + (joint == at.telescope ? "_v" : "_rate"));
      sum -= Of(*machine, joint + "_friction") * rate * rate;
    }
    for (const std::string& damper : at.dampers) {
      const double force = machine->Read(damper + ".force");
      sum -= force * force / machine->Read(damper + ".coefficient");
    }
    if (!at.drive.empty()) sum += machine->Read(at.drive + ".torque") * machine->Read(at.drive + ".speed");
    return sum;
  };
  const auto energy = [&] {
    double sum = Of(*machine, "kinetic_energy") + Of(*machine, "potential_energy");
    for (const std::string& cylinder : Cylinders()) {
      const double v = machine->Read(cylinder + ".v");
      sum += machine->Read(cylinder + ".rod_mass") * v * v / 2;
    }
    return sum;
  };
  const double first = energy(), end = std::min(machine->stop_time(), at.closed_until);
  double work = 0, largest = 0, before = power();
  while (machine->time() < end - machine->time_step() / 2) {
    machine->Step();
    const double now = power();
    work += (before + now) / 2 * machine->time_step();
    before = now;
    largest = std::max(largest, std::abs(work));
    ASSERT_NEAR(energy() - first, work, 1e-4 * largest + 0.1) << machine->time();
  }
  EXPECT_GT(largest, 1000);
}

/// A system of `systems/` with all davit's models.
class MachineTest : public testing::Test {
 protected:
  std::unique_ptr<Simulation> Load(const std::string& name) {
    auto machine =
        Simulation::Load(std::string(DAVIT_SOURCE_DIR) + "/systems/" + name + ".xml", models_).Take();
    machine->Initialize();
    return machine;
  }
  Registry models_ = AllModels();
};

TEST_F(MachineTest, TheStewartPlatformFollowsTheWantedMotion) {
  const auto machine = Load("stewart_platform");
  double largest = 0;
  while (!machine->is_finished()) {
    machine->Step();
    const auto error = [&](const char* is, const char* wanted) {
      return std::abs(machine->Read(is) - machine->Read(wanted));
    };
    // A leg that is off by e turns the platform of radius 1 m by about e.
    const double of_legs = [&] {
      double most = 0;
      for (int i = 1; i <= 6; ++i)
        most = std::max(most, std::abs(machine->Read("control" + std::to_string(i) + ".error")));
      return most;
    }();
    EXPECT_LT(of_legs, 6e-3);
    EXPECT_LE(error("hexapod.seat_roll", "motion.roll"), 2 * of_legs + 1e-6) << machine->time();
    EXPECT_LE(error("hexapod.seat_pitch", "motion.pitch"), 2 * of_legs + 1e-6) << machine->time();
    EXPECT_LE(error("hexapod.platform_z", "motion.heave"), 2 * of_legs + 1e-6) << machine->time();
    largest = std::max(largest, machine->Read("motion.roll"));
  }
  EXPECT_GT(largest, 0.1);
}

TEST_F(MachineTest, TheLoaderKeepsItsBucketNearlyLevelAndTipsIt) {
  const auto machine = Load("wheel_loader");
  const double pitch = machine->Read("loader.edge_pitch"), height = machine->Read("loader.edge_z");
  while (machine->time() < 7.5) {
    machine->Step();
    EXPECT_NEAR(machine->Read("loader.edge_pitch"), pitch, 0.3) << machine->time();
  }
  EXPECT_GT(machine->Read("loader.edge_z"), height + 3);
  machine->RunUntil(11);
  EXPECT_GT(machine->Read("loader.edge_pitch"), std::numbers::pi / 4);  // down, positive about y
  EXPECT_EQ(machine->Read("loader.gravel_mass"), 0);
}

TEST_F(MachineTest, TheLogHangsBelowTheTipWhenItIsPutDown) {
  const auto machine = Load("forestry_crane");
  machine->Run();
  EXPECT_NEAR(machine->Read("crane.load_x"), machine->Read("crane.tip_x"), 0.1);
  EXPECT_NEAR(machine->Read("crane.load_y"), machine->Read("crane.tip_y"), 0.1);
  EXPECT_NEAR(machine->Read("crane.load_z"), machine->Read("crane.tip_z") - 1.4, 0.01);
}

// The frame is rigid, so rolling and heaving does not part them.
TEST_F(MachineTest, TheCylindersOfTheAFrameShareTheLoad) {
  const auto machine = Load("a_frame");
  while (!machine->is_finished()) {
    machine->Step();
    EXPECT_NEAR(machine->Read("cylinder1.x"), machine->Read("cylinder2.x"), 1e-12);
    EXPECT_NEAR(machine->Read("cylinder1.force"), machine->Read("cylinder2.force"), 1);
  }
  EXPECT_GT(machine->Read("stern.frame_angle"), 0.5);
}

// A switch of a cylinder changes no place, no speed and no pressure in its lines: only what acts from then on
// differs. At Ideal the chambers have the pressures of the lines.
TEST_F(MachineTest, LevelsOfCylindersSwitchWithoutABump) {
  const std::filesystem::path file(std::string(DAVIT_SOURCE_DIR) + "/systems/excavator.xml");
  std::ifstream stream(file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto loaded = [&](const std::string& switches) {
    std::string with = text;
    with.insert(with.rfind("</System>"), switches);
    auto machine = Simulation::LoadText(with, file, models_).Take();
    machine->Initialize();
    return machine;
  };
  const std::vector<std::string> kept{"boom.line_a.p",    "boom.line_b.p",      "stick.line_a.p",
                                      "bucket.line_a.p",  "boom.cylinder.x",    "boom.cylinder.v",
                                      "arm.boom_angle",   "arm.boom_rate",      "arm.stick_angle",
                                      "arm.stick_rate",   "arm.bucket_angle",   "arm.bucket_rate",
                                      "arm.rocker_angle", "arm.kinetic_energy", "arm.potential_energy"};
  std::string switches;  // while the boom lowers, the stick digs, the boom lifts
  for (const auto& [t, level] : std::vector<std::pair<double, std::string>>{
           {1.2, "Advanced"}, {2.0, "Ideal"}, {4.0, "Standard"}, {5.0, "Ideal"}, {7.0, "Advanced"}}) {
    std::string more = switches;
    for (const char* axis : {"boom", "stick", "bucket"})
      more +=
          "<At time='" + std::to_string(t) + " s' set='" + axis + ".cylinder.level' value='" + level + "'/>";
    const auto plain = loaded(switches), switched = loaded(more);
    for (const auto& machine : {plain.get(), switched.get()}) {
      machine->RunUntil(t);
      machine->manager().Settle();  // the switch, without the step that follows
    }
    ASSERT_EQ(switched->Read("boom.cylinder.level"), level == "Ideal" ? 0 : level == "Standard" ? 1 : 2);
    for (const std::string& name : kept)
      EXPECT_EQ(switched->Read(name), plain->Read(name)) << name << " at " << t;
    for (const char* name :
         {"boom.cylinder.p_a", "boom.cylinder.p_b", "stick.cylinder.p_a", "bucket.cylinder.p_a"})
      EXPECT_NEAR(switched->Read(name) / plain->Read(name), 1, 5e-3) << name << " at " << t;
    switches = more;
  }
  // Levels differ in friction, so one run is ahead of the other, but it does not jump.
  const auto fastest = [&](const std::string& with) {
    const auto machine = loaded(with);
    double largest = 0;
    while (!machine->is_finished()) {
      const double x = machine->Read("arm.teeth_x"), z = machine->Read("arm.teeth_z");
      machine->Step();
      largest =
          std::max(largest, std::hypot(machine->Read("arm.teeth_x") - x, machine->Read("arm.teeth_z") - z));
    }
    return largest;
  };
  EXPECT_LT(fastest(switches), 1.3 * fastest(""));
}

INSTANTIATE_TEST_SUITE_P(Systems, MachinesTest, testing::ValuesIn(Machines()),
                         [](const auto& machine) { return machine.param.name; });

}  // namespace
}  // namespace davit
