// What FMUs say of their equations for the Jacobians of solvers: dependencies, directional derivatives,
// states that take part at some levels only.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>

#include "fmi/fmu_description.h"
#include "fmi/import/fmu_component.h"
#include "simulator/islands/island.h"
#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/import/test_fmus.h"

namespace davit {
namespace {

/// An example as the only component, imported for model exchange, and the example itself, both with the same
/// method, tolerances and TimeStep.
struct Twins {
  std::unique_ptr<Simulation> native, imported;
};

std::vector<std::string> Settings(const std::string& method, double stop) {
  return {"SimulatorManager.TimeStep=0.01", "SimulatorManager.StopTime=" + std::to_string(stop),
          "SimulatorManager.Integration.method=" + method, "SimulatorManager.Integration.rtol=1e-6",
          "SimulatorManager.Integration.atol=1e-8"};
}

Twins MakeTwins(const std::string& name, const std::string& method, double stop, FmiVersion version,
                const std::string& attributes = {}) {
  ExportToFile({.system = ExampleSystem(name),
                .version = version,
                .has_co_simulation = false,
                .has_model_exchange = true});
  SimulationOptions options;
  options.load.set = Settings(method, stop);
  auto native = Simulation::Load(ExampleSystem(name), ModelsWithFmus(), options);
  EXPECT_NE(native.simulation, nullptr) << native.ToText();
  auto imported = Simulation::LoadText(
      "<System><SimulatorManager TimeStep=\"1 s\"><Integration/></SimulatorManager>"
      "<fmi.Fmu name=\"fmu\" file=\"x.fmu\" " +
          attributes + "/></System>",
      FreshFolder() / "twin.xml", ModelsWithFmus(), options);
  EXPECT_NE(imported.simulation, nullptr) << imported.ToText();
  return {std::move(native.simulation), std::move(imported.simulation)};
}

std::size_t StatesInUse(Simulation& simulation) {
  std::size_t count = 0;
  for (const auto& island : simulation.manager().islands()) count += island->states().size();
  return count;
}

/// Law: a stiff solver does the same with the FMU as with the system itself: as many steps, and, as the FMU
/// tells its dependencies, directional derivatives and states in use, no evaluation for its Jacobians.
void ExpectSameWork(const Twins& twins) {
  const RunStatistics native = twins.native->statistics(), imported = twins.imported->statistics();
  EXPECT_EQ(StatesInUse(*twins.imported), StatesInUse(*twins.native));
  // What differs is the order of sums in the norms of errors, and where steps end at events.
  EXPECT_NEAR(static_cast<double>(imported.solver_steps), static_cast<double>(native.solver_steps),
              0.02 * static_cast<double>(native.solver_steps));
  EXPECT_LE(imported.evaluations, native.evaluations + imported.solver_steps);
}

class FmuJacobianTest : public testing::TestWithParam<std::tuple<FmiVersion, const char*>> {};

TEST_P(FmuJacobianTest, StiffSolversDoWhatTheyDoWithTheSystemItself) {
  const auto [version, attributes] = GetParam();
  const Twins twins = MakeTwins("lifting_cylinder", "rodas5p", 10, version, attributes);
  ASSERT_TRUE(twins.native && twins.imported);
  for (Simulation* one : {twins.native.get(), twins.imported.get()}) {
    one->Initialize();
    one->Run();
  }
  ExpectSameWork(twins);
  // Both are within their tolerances of the solution.
  const double x = twins.native->Read("load.x");
  EXPECT_NEAR(twins.imported->Read("fmu.load.x"), x, 1e-4 * std::abs(x));
}

INSTANTIATE_TEST_SUITE_P(Versions, FmuJacobianTest,
                         testing::Combine(testing::Values(FmiVersion::k2, FmiVersion::k3),
                                          testing::Values("", "isolated=\"true\"")),
                         [](const auto& parameter) {
                           return std::string(std::get<0>(parameter.param) == FmiVersion::k2 ? "Two"
                                                                                             : "Three") +
                                  (*std::get<1>(parameter.param) == '\0' ? "" : "Isolated");
                         });

// Law: the derivatives over routed inputs belong to what the FMU says of its equations. Without them the
// check of the Jacobian would find it wrong, and say so. v' = u - 0.1 v with u = -4 x outside is a damped
// oscillation.
TEST(FmuRoutedInputTest, IsPartOfTheJacobian) {
  const std::filesystem::path system = FreshFolder() / "body.xml";
  std::ofstream(system) << R"(<System name="body"><SimulatorManager TimeStep="10 ms" StopTime="10 s"/>
<user.Equation name="m"><Input name="u"/><State name="x" start="1" der="v"/><State name="v" der="u - 0.1*v"/>
</user.Equation><Record signals="m.x m.v"/></System>)";
  for (const FmiVersion version : {FmiVersion::k2, FmiVersion::k3}) {
    ExportToFile(
        {.system = system, .version = version, .has_co_simulation = false, .has_model_exchange = true});
    std::vector<std::string> lines;
    SimulationOptions options;
    options.log_level = RunLog::Severity::kWarning;
    options.log = [&](RunLog::Severity, std::string_view line) { lines.emplace_back(line); };
    const auto run = Simulation::LoadText(R"(<System><SimulatorManager TimeStep="10 ms" StopTime="10 s">
<Integration method="rodas5p" rtol="1e-8" atol="1e-10"/></SimulatorManager>
<fmi.Fmu name="f" file="x.fmu"/><signal.Gain name="g" gain="-4"/>
<Route from="f.m.x" to="g.u"/><Route from="g.y" to="f.m.u"/></System>)",
                                          FreshFolder() / "test.xml", ModelsWithFmus(), options)
                         .Take();
    run->Initialize();
    run->Run();
    const double w = std::sqrt(4 - 0.05 * 0.05);
    EXPECT_NEAR(run->Read("f.m.x"), std::exp(-0.5) * (std::cos(10 * w) + 0.05 / w * std::sin(10 * w)), 1e-6);
    EXPECT_TRUE(lines.empty()) << testing::PrintToString(lines);
  }
}

// The levels change inside the FMU: at times, by the pressures, by a chart.
TEST(FmuStatesInUseTest, ChangeWithTheLevelsOfTheFmu) {
  const Twins twins = MakeTwins("level_switching", "rodas5p", 20, FmiVersion::k2);
  ASSERT_TRUE(twins.native && twins.imported);
  for (Simulation* one : {twins.native.get(), twins.imported.get()}) one->Initialize();
  std::set<std::size_t> sizes;
  // Between switches: at the time of one, the FMU is behind it already.
  for (double second = 0.5; second < 20; ++second) {
    for (Simulation* one : {twins.native.get(), twins.imported.get()}) one->AdvanceTo(second);
    ASSERT_EQ(StatesInUse(*twins.imported), StatesInUse(*twins.native)) << second;
    sizes.insert(StatesInUse(*twins.imported));
    const double x = twins.native->Read("load.x");
    ASSERT_NEAR(twins.imported->Read("fmu.load.x"), x, 1e-4) << second;
  }
  EXPECT_GT(sizes.size(), 1U);
}

// Law: a state that comes into use begins with the value that the FMU gives it; the same bits after a
// snapshot, which has fewer states than the run at its start.
TEST(FmuStatesInUseTest, SnapshotsHaveThem) {
  const Twins twins = MakeTwins("level_switching", "rodas5p", 20, FmiVersion::k3);
  Simulation& one = *twins.imported;
  one.Initialize();
  one.AdvanceTo(0.5);
  const std::size_t at_first = StatesInUse(one);
  double saved_at = 0;
  for (int second = 1; second < 19 && StatesInUse(one) == at_first; ++second) {
    one.AdvanceTo(second);
    saved_at = second;
  }
  ASSERT_NE(StatesInUse(one), at_first);
  const std::string snapshot = one.TakeSnapshot();
  one.AdvanceTo(20);
  const double x = one.Read("fmu.load.x"), v = one.Read("fmu.load.v");
  const Diagnostics faults = one.LoadSnapshot(snapshot);
  for (const Diagnostic& fault : faults.all()) ADD_FAILURE() << ToText(fault);
  EXPECT_EQ(one.time(), saved_at);
  EXPECT_NE(StatesInUse(one), at_first);
  one.AdvanceTo(20);
  EXPECT_EQ(one.Read("fmu.load.x"), x);
  EXPECT_EQ(one.Read("fmu.load.v"), v);
}

// A level is set from outside during the run: the states of the new one take part at once.
TEST(FmuStatesInUseTest, ChangeWithALevelThatIsSet) {
  const Twins twins = MakeTwins("lifting_cylinder", "rodas5p", 10, FmiVersion::k2);
  ASSERT_TRUE(twins.native && twins.imported);
  const std::size_t count = 3;
  std::vector<std::size_t> sizes;
  for (Simulation* one : {twins.native.get(), twins.imported.get()}) {
    const std::string path = one == twins.native.get() ? "cylinder.level" : "fmu.cylinder.level";
    one->Initialize();
    for (std::size_t i = 0; i < count; ++i) {
      one->WriteText(path, i % 2 == 0 ? "Advanced" : "Ideal");
      one->AdvanceTo(2.0 * static_cast<double>(i + 1));
      sizes.push_back(StatesInUse(*one));
    }
  }
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(sizes[i], sizes[count + i]) << i;
  EXPECT_NE(sizes[0], sizes[1]);
  EXPECT_NEAR(twins.imported->Read("fmu.load.x"), twins.native->Read("load.x"), 1e-4);
}

// Law: dependencies that are wrong make Jacobians wrong, which costs steps at most: flights are parabolas,
// whatever a file says of them.
TEST(FmuDependenciesTest, ThatAreWrongDoNoHarm) {
  std::string description = BallDescription2();
  const std::string right = "<Derivatives><Unknown index=\"3\"/><Unknown index=\"4\"/></Derivatives>";
  ASSERT_NE(description.find(right), std::string::npos);
  description.replace(description.find(right), right.size(),
                      "<Derivatives><Unknown index=\"3\" dependencies=\"\"/><Unknown index=\"4\" "
                      "dependencies=\"2\"/></Derivatives>");
  PackFmu("ball", description, "ball2");
  const auto ball =
      Simulation::LoadText(
          "<System><SimulatorManager TimeStep=\"10 ms\"><Integration method=\"rodas5p\"/></SimulatorManager>"
          "<fmi.Fmu name=\"ball\" file=\"ball.fmu\" kind=\"ModelExchange\"/></System>",
          FreshFolder() / "ball.xml", ModelsWithFmus())
          .Take();
  ball->Initialize();
  ball->AdvanceTo(0.4);
  EXPECT_NEAR(ball->Read("ball.h"), 1 - 5 * 0.16, 1e-6);
  EXPECT_NEAR(ball->Read("ball.v"), -4, 1e-6);
}

TEST(FmuDependenciesTest, AreReadFromTheFile) {
  const std::filesystem::path file = FreshFolder() / "modelDescription.xml";
  std::ofstream(file) << R"xml(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="t">
  <ModelExchange modelIdentifier="m" providesDirectionalDerivatives="true"/>
  <ModelVariables>
    <Float64 name="u" valueReference="10" causality="input" start="0"/>
    <Float64 name="x" valueReference="20" start="0" initial="exact"/>
    <Float64 name="z" valueReference="21" start="0" initial="exact"/>
    <Float64 name="der(x)" valueReference="30" derivative="20"/>
    <Float64 name="der(z)" valueReference="31" derivative="21"/>
    <Float64 name="y" valueReference="40" causality="output"/>
    <Float64 name="w" valueReference="41" causality="output"/>
    <Boolean name="in_use(z)" valueReference="50"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="40" dependencies="21 20 21"/>
    <Output valueReference="41"/>
    <ContinuousStateDerivative valueReference="30" dependencies="10 21"/>
    <ContinuousStateDerivative valueReference="31" dependencies=""/>
  </ModelStructure>
  <Annotations>
    <Annotation type="org.davit.states-in-use">
      <StatesInUse>
        <Use valueReference="50" states="2"/>
        <Use valueReference="50" states="2"/>
        <Use valueReference="50" states="3"/>
        <Use valueReference="51" states="1"/>
        <Use valueReference="50" states="one"/>
      </StatesInUse>
    </Annotation>
    <Annotation type="com.example"><StatesInUse><Use valueReference="50" states="1"/></StatesInUse></Annotation>
    <Annotation type="org.davit.states-in-use"/>
  </Annotations>
</fmiModelDescription>)xml";
  Diagnostics diagnostics;
  const FmuDescription d = ReadFmuDescription(file, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics.all().front());
  EXPECT_TRUE(d.as_model_exchange.has_directional_derivatives);
  EXPECT_EQ(d.derivatives, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(d.variables[3].dependencies, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(d.variables[4].dependencies, std::vector<std::size_t>{});
  EXPECT_EQ(d.variables[5].dependencies, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(d.variables[6].dependencies, std::nullopt);
  EXPECT_FALSE(d.DependsOnInputs(d.variables[5]));
  EXPECT_TRUE(d.DependsOnInputs(d.variables[6]));
  ASSERT_EQ(d.uses.size(), 1U);  // what does not fit is passed over
  EXPECT_EQ(d.uses[0].variable, 7U);
  EXPECT_EQ(d.uses[0].states, std::vector<std::size_t>{1});
}

}  // namespace
}  // namespace davit
