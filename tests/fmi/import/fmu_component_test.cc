// FMUs as components: their steps, states, events, parameters, inputs and outputs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

#include "fmi/import/fmu_component.h"
#include "fmi/import/fmu_declarer.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

using testing::HasSubstr;

constexpr double kFirstImpact = 0.4472135954999579;  // sqrt(2 h / -g) with h = 1, g = -10
constexpr double kImpactSpeed = 4.47213595499958;

/// Height and speed of the ball of tests/fmus between its impacts: h(0) = 1, g = -10, e = 0.5.
struct Flight {
  double h, v;
};
Flight BallAt(double t) {
  double begin = kFirstImpact;
  double speed = kImpactSpeed / 2;
  if (t < begin) return {1 - 5 * t * t, -10 * t};
  while (t > begin + speed / 5) {
    begin += speed / 5;
    speed /= 2;
    if (speed < 0.1) return {0, 0};
  }
  const double s = t - begin;
  return {speed * s - 5 * s * s, speed - 10 * s};
}

class FmuComponentTest : public testing::Test {
 protected:
  static std::string Ball(const std::string& attributes, const std::string& inside = {}) {
    return "<fmi.Fmu name=\"ball\" file=\"ball.fmu\" " + attributes + ">" + inside + "</fmi.Fmu>";
  }
};

// Law: the FMU of the ball solves each flight exactly; what it says at a step point is the solution there.
TEST_F(FmuComponentTest, CoSimulationGivesWhatTheFmuComputes) {
  PackBall2();
  const auto simulation = LoadWithFmus(Ball(R"(kind="CoSimulation")"));
  simulation->Initialize();
  EXPECT_EQ(simulation->Read("ball.h"), 1);
  for (int i = 1; i <= 150; ++i) {
    simulation->Step();
    const double t = simulation->time();
    EXPECT_NEAR(simulation->Read("ball.h"), BallAt(t).h, 1e-9) << t;
    EXPECT_NEAR(simulation->Read("ball.v"), BallAt(t).v, 1e-9) << t;
  }
}

// Law: flights are parabolas, which every method of order two integrates exactly, and impacts are located to
// 1e-12 s; an impact passes on speed times that, some 1e-11 m, and the default tolerances do not matter.
TEST_F(FmuComponentTest, ModelExchangeLocatesItsEvents) {
  PackBall2();
  const auto simulation = LoadWithFmus(Ball(R"(kind="ModelExchange" locals="boun*")"));
  simulation->Initialize();
  while (simulation->time() < 1.5) {
    simulation->Step();
    const double t = simulation->time();
    EXPECT_NEAR(simulation->Read("ball.h"), BallAt(t).h, 1e-8) << t;
    EXPECT_NEAR(simulation->Read("ball.v"), BallAt(t).v, 1e-8) << t;
  }
  EXPECT_EQ(simulation->Read("ball.bounces"), 6);
  EXPECT_EQ(simulation->Read("ball.v.ddt"), 0);  // it rests
}

// Law: both versions run the same model; the calls differ and nothing else.
TEST_F(FmuComponentTest, BothVersionsGiveTheSameBits) {
  PackBall2();
  PackBall3();
  const auto second = LoadWithFmus(Ball(R"(kind="ModelExchange")"));
  const auto third = LoadWithFmus("<fmi.Fmu name=\"ball\" file=\"ball3.fmu\"/>");
  second->Initialize();
  third->Initialize();
  for (int i = 0; i < 200; ++i) {
    second->Step();
    third->Step();
    ASSERT_EQ(second->Read("ball.h"), third->Read("ball.h")) << second->time();
    ASSERT_EQ(second->Read("ball.v"), third->Read("ball.v")) << second->time();
  }
  EXPECT_EQ(third->Read("ball.bounces"), 6);
}

// Law: v = g t, and from the kick on v = g t + kick: the solver steps exactly there, inside a TimeStep.
TEST_F(FmuComponentTest, ModelExchangeActsAtItsTimeEvents) {
  PackBall2();
  const auto simulation = LoadWithFmus(Ball(R"(kind="ModelExchange" kick.1="3 m/s" kick.time="0.2031")"));
  simulation->Initialize();
  simulation->AdvanceTo(0.2);
  EXPECT_NEAR(simulation->Read("ball.v"), -2, 1e-9);
  simulation->AdvanceTo(0.21);
  EXPECT_NEAR(simulation->Read("ball.v"), -2.1 + 3, 1e-9);
  EXPECT_NEAR(simulation->Read("ball.h"), 1 - 5 * 0.21 * 0.21 + 3 * (0.21 - 0.2031), 1e-9);
}

// Law: a time event on a step point acts there.
TEST_F(FmuComponentTest, ATimeEventOnAStepPointActsThere) {
  PackBall2();
  const auto simulation = LoadWithFmus(Ball(R"(kind="ModelExchange" kick.1="3 m/s" kick.time="0.2")"));
  simulation->Initialize();
  simulation->AdvanceTo(0.2);
  EXPECT_NEAR(simulation->Read("ball.v"), -2 + 3, 1e-9);
  simulation->AdvanceTo(0.3);
  EXPECT_NEAR(simulation->Read("ball.v"), -3 + 3, 1e-9);
}

TEST_F(FmuComponentTest, ParametersStatesAndUnitsComeFromTheFile) {
  PackBall2();
  for (const char* kind : {"CoSimulation", "ModelExchange"}) {
    const auto simulation = LoadWithFmus(Ball(std::string("g=\"-2000 mm/s2\" kind=\"") + kind + "\""));
    simulation->Initialize();
    simulation->AdvanceTo(0.5);
    EXPECT_NEAR(simulation->Read("ball.h"), 1 - 0.25, 1e-9) << kind;
    EXPECT_EQ(simulation->ReadText("ball.g"), "-2 m/s2");
  }
  const auto simulation = LoadWithFmus(Ball(R"(kind="ModelExchange")", R"(<Start h="200 cm"/>)"));
  simulation->Initialize();
  EXPECT_EQ(simulation->Read("ball.h"), 2);
}

// Law: a live parameter counts from the step point on: the second impact takes another share of the speed.
TEST_F(FmuComponentTest, LiveParametersChangeDuringTheRun) {
  PackBall2();
  for (const char* kind : {"CoSimulation", "ModelExchange"}) {
    const auto simulation = LoadWithFmus(Ball(std::string("kind=\"") + kind + "\"") +
                                         "<At time=\"0.5 s\" set=\"ball.e\" value=\"1\"/>");
    simulation->Initialize();
    const double second_impact = kFirstImpact + kImpactSpeed / 10;
    simulation->AdvanceTo(0.95);
    const double s = 0.95 - second_impact;
    EXPECT_NEAR(simulation->Read("ball.v"), kImpactSpeed / 2 - 10 * s, 1e-8) << kind;
  }
}

// Law: a push of 10 m/s2 holds the ball; a constant is the same at all times, so both kinds agree.
TEST_F(FmuComponentTest, InputsAreRouted) {
  PackBall2();
  for (const char* kind : {"CoSimulation", "ModelExchange"}) {
    const auto simulation = LoadWithFmus(Ball(std::string("kind=\"") + kind + "\"") +
                                         "<signal.Constant name=\"hand\" value=\"10 m/s2\"/>"
                                         "<Route from=\"hand.y\" to=\"ball.push\"/>");
    simulation->Initialize();
    EXPECT_EQ(simulation->Read("ball.der(v)"), 0) << kind;
    simulation->AdvanceTo(1);
    EXPECT_EQ(simulation->Read("ball.h"), 1) << kind;
  }
}

/// Exports a system of this content with TimeStep = 100 ms, StopTime = 1 s as x.fmu.
void ExportContent(const std::string& content, FmiVersion version, const FmuSelection& selection = {},
                   bool has_model_exchange = true) {
  const std::filesystem::path file = FreshFolder() / "inner.xml";
  std::ofstream(file) << "<System name=\"inner\"><SimulatorManager TimeStep=\"100 ms\" StopTime=\"1 s\"/>"
                      << content << "</System>";
  ExportToFile(
      {.system = file, .version = version, .has_model_exchange = has_model_exchange, .selection = selection});
}

// Law: what an FMU does with its own inputs is left to it, unless a route leads there: u becomes 5 inside at
// 0.5 s, also where u is an input of the FMU, and where another input is routed. What is written outside
// counts from then on.
TEST_F(FmuComponentTest, InputsWithoutARouteAreLeftToTheFmu) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    for (const bool is_input : {false, true}) {
      ExportContent(R"(<At time="0.5 s" set="g.u" value="5"/><signal.Gain name="g" gain="2"/>
<signal.Gain name="other"/><Record signals="g.y other.y"/>)",
                    version, is_input ? FmuSelection{.inputs = {"g.u other.u"}} : FmuSelection{});
      for (const char* kind : {"CoSimulation", "ModelExchange"}) {
        const std::string content =
            std::string(R"(<signal.Ramp name="r"/><fmi.Fmu name="f" file="x.fmu" kind=")") + kind +
            R"("/><Route from="r.y" to="f.other.u"/>)";
        const auto run = LoadWithFmus(content);
        run->Initialize();
        run->AdvanceTo(0.4);
        EXPECT_EQ(run->Read("f.g.y"), 0) << kind;
        run->AdvanceTo(1);
        EXPECT_EQ(run->Read("f.g.y"), 10) << kind << is_input;
        EXPECT_NEAR(run->Read("f.other.y"), 1, 0.02) << kind;
        if (!is_input) continue;
        run->Write("f.g.u", 7);
        run->AdvanceTo(1.1);
        EXPECT_EQ(run->Read("f.g.y"), 14) << kind;
      }
    }
  }
}

// Law: an FMU that takes slopes of its inputs sees nothing of a jump before it happens. u = t, with a jump of
// 1 at 0.5 s: the integral is t^2/2, and from then on t^2/2 + t - 0.5.
TEST_F(FmuComponentTest, AJumpOfASourceIsNoSlope) {
  ExportContent(R"(<signal.Integrator name="I"/><Record signals="I.y"/>)", FmiVersion::k2);
  for (const char* step : {"100 ms", "20 ms"}) {
    for (const char* reader :
         {"", R"(<signal.LowPass name="own" time_constant="1 s"/><Route from="sum.y" to="own.u"/>)"}) {
      const std::string text =
          std::string("<System><SimulatorManager TimeStep=\"") + step +
          R"(" StopTime="1 s"/><signal.Ramp name="ramp"/><signal.Step name="jump" start_time="0.5 s"/>
<signal.Sum name="sum"/><fmi.Fmu name="f" file="x.fmu"/>
<Route from="ramp.y" to="sum.u"/><Route from="jump.y" to="sum.u"/><Route from="sum.y" to="f.I.u"/>)" +
          reader + "</System>";
      const auto run = Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus()).Take();
      run->Initialize();
      run->AdvanceTo(0.5);
      EXPECT_NEAR(run->Read("f.I.y"), 0.125, 1e-12) << step << reader;
      run->AdvanceTo(1);
      EXPECT_NEAR(run->Read("f.I.y"), 1, 1e-12) << step << reader;
    }
  }
}

// Law: outputs of a co-simulation FMU are held: what they lead to is a TimeStep late when it comes back,
// v(n+1) = v(n) + (-10 - v(n-1)) h, and there is no algebraic loop.
TEST_F(FmuComponentTest, CoSimulationIsSampled) {
  PackBall2();
  const auto simulation = LoadWithFmus(Ball(R"(kind="CoSimulation")") +
                                       "<signal.Gain name=\"brake\" gain=\"-1 1/s\"/>"
                                       "<Route from=\"ball.v\" to=\"brake.u\"/>"
                                       "<Route from=\"brake.y\" to=\"ball.push\"/>");
  simulation->Initialize();
  double v = 0;
  double before = 0;
  for (int i = 0; i < 20; ++i) {
    const double push = -before;
    before = v;
    simulation->Step();
    v += (-10 + push) * 0.01;
    EXPECT_NEAR(simulation->Read("ball.v"), v, 1e-12);
  }
  EXPECT_THAT(
      FaultsWithFmus(Ball(R"(kind="CoSimulation")") +
                     "<signal.Gain name=\"brake\"/><Route from=\"ball.v\" to=\"brake.u\" hold=\"none\"/>"),
      HasSubstr("known at communication points only; leave hold out"));
}

// Law: a push -k h makes h'' = -10 - k h, a harmonic oscillation round -10/k: an ME FMU is one with its
// neighbours. h(t) = -10/k + (1 + 10/k) cos(sqrt(k) t).
TEST_F(FmuComponentTest, StatesOfModelExchangeAreIntegratedWithTheRest) {
  PackBall2();
  const auto simulation = LoadWithFmus(Ball(R"(kind="ModelExchange")") +
                                       "<signal.Gain name=\"spring\" gain=\"-4 1/s2\"/>"
                                       "<Route from=\"ball.h\" to=\"spring.u\"/>"
                                       "<Route from=\"spring.y\" to=\"ball.push\"/>");
  simulation->Initialize();
  simulation->AdvanceTo(0.3);
  EXPECT_NEAR(simulation->Read("ball.h"), -2.5 + 3.5 * std::cos(0.6), 1e-5);
}

TEST_F(FmuComponentTest, TwoInstancesAreAsTwoAlone) {
  PackBall2();
  for (const char* kind : {"CoSimulation", "ModelExchange"}) {
    const std::string first =
        std::string("<fmi.Fmu name=\"a\" file=\"ball.fmu\" e=\"0.9\" kind=\"") + kind + "\"/>";
    const std::string second =
        std::string("<fmi.Fmu name=\"b\" file=\"ball.fmu\" g=\"-3\" kind=\"") + kind + "\"/>";
    const auto both = LoadWithFmus(first + second);
    const auto a = LoadWithFmus(first);
    const auto b = LoadWithFmus(second);
    for (const auto* one : {&both, &a, &b}) (*one)->Initialize();
    for (int i = 0; i < 200; ++i) {
      for (const auto* one : {&both, &a, &b}) (*one)->Step();
      ASSERT_EQ(both->Read("a.h"), a->Read("a.h")) << kind;
      ASSERT_EQ(both->Read("b.v"), b->Read("b.v")) << kind;
    }
  }
}

// Law: a run that continues from a snapshot has the bits of one that was not interrupted.
TEST_F(FmuComponentTest, SnapshotsContinueBitForBit) {
  PackBall2();
  for (const char* kind : {"CoSimulation", "ModelExchange"}) {
    const std::string content = Ball(std::string("kind=\"") + kind + "\"");
    const auto run = LoadWithFmus(content);
    const auto other = LoadWithFmus(content);
    run->Initialize();
    run->AdvanceTo(0.7);
    const std::string snapshot = run->TakeSnapshot();
    EXPECT_FALSE(other->LoadSnapshot(snapshot).has_errors());
    run->Run();
    other->Run();
    EXPECT_EQ(run->Read("ball.h"), other->Read("ball.h")) << kind;
    EXPECT_EQ(run->Read("ball.v"), other->Read("ball.v")) << kind;
  }
  PackBall3();
  const auto without = LoadWithFmus("<fmi.Fmu name=\"ball\" file=\"ball3.fmu\"/>");
  without->Initialize();
  try {
    without->TakeSnapshot();
    FAIL();
  } catch (const std::runtime_error& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("/ball: ball3.fmu cannot save its state"));
  }
}

// Law: the process that an FMU runs in does not matter.
TEST_F(FmuComponentTest, IsolatedFmusGiveTheSameBits) {
  PackBall2();
  for (const char* kind : {"CoSimulation", "ModelExchange"}) {
    const std::string attributes =
        std::string(R"(e="0.8" kick.1="1 m/s" kick.time="0.3" kind=")") + kind + "\"";
    const auto here = LoadWithFmus(Ball(attributes));
    const auto there = LoadWithFmus(Ball(attributes + " isolated=\"true\""));
    here->Initialize();
    there->Initialize();
    for (int i = 0; i < 100; ++i) {
      here->Step();
      there->Step();
      ASSERT_EQ(here->Read("ball.h"), there->Read("ball.h")) << kind << " at " << here->time();
      ASSERT_EQ(here->Read("ball.der(v)"), there->Read("ball.der(v)")) << kind << " at " << here->time();
    }
    const auto other = LoadWithFmus(Ball(attributes + " isolated=\"true\""));
    EXPECT_FALSE(other->LoadSnapshot(there->TakeSnapshot()).has_errors());
    here->Run();
    other->Run();
    EXPECT_EQ(here->Read("ball.h"), other->Read("ball.h")) << kind;
  }
}

TEST_F(FmuComponentTest, InitializeRepeatsTheRun) {
  PackBall2();
  const auto simulation = LoadWithFmus(Ball(R"(kind="CoSimulation")"));
  std::vector<double> heights;
  for (int run = 0; run < 2; ++run) {
    simulation->Initialize();
    simulation->Run();
    heights.push_back(simulation->Read("ball.h"));
  }
  EXPECT_EQ(heights[0], heights[1]);
}

// Law: y = u for every type; whole numbers take the nearest one, and stay in the range of their type.
TEST_F(FmuComponentTest, AllTypesPass) {
  PackTypes3();
  std::string content = "<fmi.Fmu name=\"f\" file=\"types.fmu\" colour=\"blue\" label=\"four\"/>";
  const std::vector<std::pair<std::string, double>> cases{
      {"Float64", 1.25}, {"Float32", 0.5},  {"Int8", -100}, {"UInt8", 255},
      {"Int16", -30000}, {"UInt16", 65535}, {"Int32", -5},  {"UInt32", 4e9},
      {"Int64", -1e15},  {"UInt64", 1e18},  {"Boolean", 1}};
  for (const auto& [type, value] : cases) {
    content += "<signal.Constant name=\"c" + type + "\" value=\"" + std::to_string(value) +
               "\"/><Route from=\"c" + type + ".y\" to=\"f." + type + "_in\"/>";
  }
  const auto simulation = LoadWithFmus(content);
  simulation->Initialize();
  simulation->Step();
  for (const auto& [type, value] : cases) EXPECT_EQ(simulation->Read("f." + type + "_out"), value) << type;
  EXPECT_EQ(simulation->ReadText("f.shown"), "blue");
  EXPECT_EQ(simulation->Read("f.label_size"), 4);
  simulation->WriteText("f.colour", "red");
  simulation->Step();
  EXPECT_EQ(simulation->ReadText("f.shown"), "red");
}

TEST_F(FmuComponentTest, StructuralParametersSizeArrays) {
  PackTypes3();
  const auto simulation =
      LoadWithFmus(R"(<fmi.Fmu name="f" file="types.fmu" n="3" gain="10" u.1="4" u.3="6"/>)");
  simulation->Initialize();
  simulation->Step();
  EXPECT_EQ(simulation->Read("f.y.1"), 40);
  EXPECT_EQ(simulation->Read("f.y.2"), 20);
  EXPECT_EQ(simulation->Read("f.y.3"), 60);
}

// Law: communication points that are step points give the bits of the native run.
TEST_F(FmuComponentTest, ExportedSystemsComeBackBitForBit) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    for (const char* name : {"lifting_cylinder", "bouncing_ball", "level_switching"}) {
      const std::filesystem::path file = FreshFolder() / "native.fmu";
      Diagnostics diagnostics;
      ExportFmu({.system = ExampleSystem(name),
                 .output = file,
                 .version = version,
                 .has_reference = false,
                 .runtime = std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_fmu_runtime.so"},
                FmuModels(), diagnostics);
      const std::unique_ptr<Simulation> native = Simulation::Load(ExampleSystem(name), FmuModels()).Take();
      const std::string text = "<System><SimulatorManager TimeStep=\"" + std::to_string(native->time_step()) +
                               "\" StopTime=\"0.5 s\"/><fmi.Fmu name=\"x\" file=\"native.fmu\"/></System>";
      const std::unique_ptr<Simulation> imported =
          Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus()).Take();
      native->Initialize();
      imported->Initialize();
      while (!imported->is_finished()) {
        native->Step();
        imported->Step();
        for (const Item& item : native->system().record_plan().columns) {
          if (item.is_behaviour()) continue;
          ASSERT_EQ(imported->Read("x." + ItemNameOf(item.path())), item.Read())
              << name << " " << item.path() << " at " << native->time();
        }
      }
    }
  }
}

/// The system file `system`, exported for model exchange, and imported by a system with this <Integration>.
std::unique_ptr<Simulation> LoadExported(const std::filesystem::path& system, FmiVersion version,
                                         const std::string& integration) {
  ExportToFile(
      {.system = system, .version = version, .has_co_simulation = false, .has_model_exchange = true});
  const std::string text = "<System><SimulatorManager TimeStep=\"10 ms\" StopTime=\"10 s\"><Integration " +
                           integration + "/></SimulatorManager><fmi.Fmu name=\"x\" file=\"x.fmu\"/></System>";
  return Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus()).Take();
}

// Law: the states of an exported system stand in the island and are solved as the native ones, in the same
// steps with the same bits, to its StopTime, after which it has no events.
TEST_F(FmuComponentTest, ExportedStatesAreIntegratedAsTheNativeOnes) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    const std::unique_ptr<Simulation> native =
        Simulation::Load(ExampleSystem("mass_spring"), FmuModels()).Take();
    const std::unique_ptr<Simulation> imported = LoadExported(
        ExampleSystem("mass_spring"), version, R"(method="runge_kutta_dopri5" rtol="1e-7" atol="1e-9")");
    native->Initialize();
    imported->Initialize();
    std::size_t steps = 0;
    while (!imported->is_finished()) {
      native->Step();
      imported->Step();
      ++steps;
      for (const char* name : {"load.x", "load.v", "load.acceleration", "spring.force"})
        ASSERT_EQ(imported->Read(std::string("x.") + name), native->Read(name)) << name << native->time();
    }
    EXPECT_EQ(steps, 1000U);
    EXPECT_TRUE(native->is_finished());
    EXPECT_EQ(imported->statistics().evaluations, native->statistics().evaluations);
  }
}

// Law: a ball whose rebounds become ever shorter comes to rest inside its FMU, as it does natively: after
// sqrt(2/g) (1 + 2 e/(1 - e)) = 4.06 s for 1 m and e = 0.8.
TEST_F(FmuComponentTest, AnExportedBallComesToRest) {
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    const std::unique_ptr<Simulation> imported = LoadExported(
        ExampleSystem("bouncing_ball"), version, R"(method="runge_kutta_dopri5" rtol="1e-9" atol="1e-9")");
    imported->Initialize();
    imported->RunUntil(4.05);
    EXPECT_NE(imported->Read("x.ball.v"), 0);
    imported->RunUntil(4.1);
    EXPECT_EQ(imported->Read("x.ball.v"), 0);
    EXPECT_NEAR(imported->Read("x.ball.x"), 0, 1e-8);
  }
}

// Law: a time event that changes nothing does not restart the solver. A chart that waits makes each step
// point an event, so each TimeStep ends a step: of 6 evaluations, as method and step size go on.
TEST_F(FmuComponentTest, EventsThatChangeNothingAreNoRestarts) {
  const std::filesystem::path folder = FreshFolder();
  std::ofstream(folder / "waiting.scxml")
      << R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="davit" initial="waits">)"
      << R"(<state id="waits"><transition event="never" target="waits"/></state></scxml>)";
  std::ifstream stream(ExampleSystem("mass_spring"));
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  text.insert(text.find("<mechanical.Fixed"), R"(<Statechart name="chart" src="waiting.scxml"/>)");
  std::ofstream(folder / "waiting.xml") << text;
  const std::unique_ptr<Simulation> imported = LoadExported(
      folder / "waiting.xml", FmiVersion::k2, R"(method="runge_kutta_dopri5" rtol="1e-6" atol="1e-8")");
  imported->Initialize();
  imported->Run();
  EXPECT_GE(imported->statistics().solver_steps, 1000U);
  EXPECT_LE(imported->statistics().evaluations, 6 * 1000 + 30);
}

TEST_F(FmuComponentTest, SteadyStateSaysThatCoSimulationStandsStill) {
  PackBall2();
  std::string log;
  SimulationOptions options;
  options.is_steady = true;
  options.log_level = RunLog::Severity::kWarning;
  options.log = [&](RunLog::Severity, std::string_view line) { log += std::string(line) + "\n"; };
  const std::string text =
      "<System><SimulatorManager TimeStep=\"10 ms\"/>" + Ball(R"(kind="CoSimulation")") + "</System>";
  auto loaded = Simulation::LoadText(text, FreshFolder() / "test.xml", ModelsWithFmus(), options);
  ASSERT_NE(loaded.simulation, nullptr) << loaded.ToText();
  loaded.simulation->Initialize();
  EXPECT_THAT(log,
              HasSubstr("/ball: ball.fmu is for co-simulation, which cannot be searched for a steady state"));
}

}  // namespace
}  // namespace davit
