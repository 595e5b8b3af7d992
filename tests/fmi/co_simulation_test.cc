// Exported FMUs, driven as a master drives them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <thread>

#include "tests/fmi/exported_fmu.h"
#include "tests/fmi/process_footprint.h"
#include "tests/support/child_program.h"

namespace davit {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

struct FmuExample {
  const char* system;
  double h;     // [s] a whole multiple of TimeStep
  double stop;  // [s]
};

void PrintTo(const FmuExample& example, std::ostream* stream) { *stream << example.system; }

class FmuExampleTest : public testing::TestWithParam<FmuExample> {
 protected:
  static std::filesystem::path system() { return SystemNamed(GetParam().system); }
};

/// Name of the output of a recorded column: of a derivative as FMI writes it.
std::string OutputNamed(const std::string& path) {
  constexpr std::string_view kEnd = ".ddt";
  return path.ends_with(kEnd) ? "der(" + path.substr(0, path.size() - kEnd.size()) + ")" : path;
}

/// The variable as a number, whatever its type.
double ReadAny2(const ExportedFmu& fmu, fmi2Component c, fmi2ValueReference reference) {
  double real = 0;
  if (DAVIT_FMU_CALL(fmu, fmi2GetReal)(c, &reference, 1, &real) == fmi2OK) return real;
  fmi2Integer integer = 0;
  if (DAVIT_FMU_CALL(fmu, fmi2GetInteger)(c, &reference, 1, &integer) == fmi2OK) return integer;
  fmi2Boolean condition = fmi2False;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetBoolean)(c, &reference, 1, &condition), fmi2OK) << reference;
  return condition;
}

bool SameBits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Law: where communication points are step points, the FMU computes the bits of the native run.
TEST_P(FmuExampleTest, HasTheBitsOfTheNativeRun) {
  const auto [name, h, stop] = GetParam();
  const NativeRun native = RunNatively(system(), h, stop);
  const ExportedFmu fmu(system());
  Slave2 slave(fmu);
  const std::unique_ptr<Simulation> file = Simulation::Load(system(), FmuModels()).Take();
  slave.Start(0, file->stop_time());
  std::vector<fmi2ValueReference> references;
  for (const std::string& path : native.names) references.push_back(fmu.reference(OutputNamed(path)));
  double t = 0;
  for (std::size_t row = 0; row < native.rows.size(); ++row) {
    for (std::size_t i = 0; i < references.size(); ++i) {
      const double value = ReadAny2(fmu, slave.component(), references[i]);
      ASSERT_TRUE(SameBits(value, native.rows[row][i]))
          << native.names[i] << " at " << t << " s: " << value << " and " << native.rows[row][i];
    }
    if (row + 1 == native.rows.size()) break;
    ASSERT_EQ(slave.Step(t, h), fmi2OK) << testing::PrintToString(slave.log());
    t += h;  // a sum, as many masters have it
  }
}

TEST_P(FmuExampleTest, Fmi3HasTheBitsOfTheNativeRun) {
  const auto [name, h, stop] = GetParam();
  const NativeRun native = RunNatively(system(), h, stop);
  const ExportedFmu fmu(system(), FmiVersion::k3);
  std::vector<std::string> log;
  const auto take_line = [](fmi3InstanceEnvironment environment, fmi3Status, fmi3String, fmi3String message) {
    static_cast<std::vector<std::string>*>(environment)->emplace_back(message);
  };
  const fmi3Instance instance = DAVIT_FMU_CALL(fmu, fmi3InstantiateCoSimulation)(
      "slave", fmu.token().c_str(), fmu.resources_path().c_str(), false, false, false, false, nullptr, 0,
      &log, take_line, nullptr);
  ASSERT_NE(instance, nullptr) << testing::PrintToString(log);
  const std::unique_ptr<Simulation> file = Simulation::Load(system(), FmuModels()).Take();
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi3EnterInitializationMode)(instance, false, 0, 0, true, file->stop_time()),
            fmi3OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi3ExitInitializationMode)(instance), fmi3OK) << testing::PrintToString(log);
  std::vector<fmi3ValueReference> references;
  for (const std::string& path : native.names) references.push_back(fmu.reference(OutputNamed(path)));
  const auto read = [&](fmi3ValueReference reference) -> double {
    double real = 0;
    if (DAVIT_FMU_CALL(fmu, fmi3GetFloat64)(instance, &reference, 1, &real, 1) == fmi3OK) return real;
    fmi3Int64 option = 0;
    if (DAVIT_FMU_CALL(fmu, fmi3GetInt64)(instance, &reference, 1, &option, 1) == fmi3OK)
      return static_cast<double>(option);
    fmi3Boolean condition = false;
    EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi3GetBoolean)(instance, &reference, 1, &condition, 1), fmi3OK);
    return condition ? 1 : 0;
  };
  for (std::size_t row = 0; row < native.rows.size(); ++row) {
    for (std::size_t i = 0; i < references.size(); ++i)
      ASSERT_TRUE(SameBits(read(references[i]), native.rows[row][i])) << native.names[i] << " in row " << row;
    if (row + 1 == native.rows.size()) break;
    bool event = true;
    bool is_terminated = true;
    bool is_early = true;
    double reached = -1;
    const double t = static_cast<double>(row) * h;
    ASSERT_EQ(
        DAVIT_FMU_CALL(fmu, fmi3DoStep)(instance, t, h, true, &event, &is_terminated, &is_early, &reached),
        fmi3OK)
        << testing::PrintToString(log);
    EXPECT_FALSE(event || is_terminated || is_early);
    EXPECT_NEAR(reached, t + h, 1e-9 * h);
  }
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi3Terminate)(instance), fmi3OK);
  DAVIT_FMU_CALL(fmu, fmi3FreeInstance)(instance);
}

// The first seconds of each, so that the test takes seconds.
INSTANTIATE_TEST_SUITE_P(
    Systems, FmuExampleTest,
    testing::Values(FmuExample{"lifting_cylinder", 0.01, 12}, FmuExample{"knuckle_boom_crane", 0.02, 2},
                    FmuExample{"position_servo", 0.001, 0.3}, FmuExample{"level_switching", 0.01, 10},
                    FmuExample{"bouncing_ball", 0.01, 5}, FmuExample{"transistor_amplifier", 0.0005, 0.05},
                    FmuExample{"blinker", 0.01, 3}, FmuExample{"scripted", 0.01, 2},
                    FmuExample{"van_der_pol", 0.01, 20}),
    [](const auto& parameter) { return std::string(parameter.param.system); });

// ---- steps -----------------------------------------------------------------------------------------

// Law: the ball falls freely, x = 1 - g t^2 / 2, whatever the steps; they need not divide the TimeStep.
TEST(FmuStepTest, StepsOffTheGridAreSteps) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.Start(0, 5);
  double t = 0;
  for (const double h : {0.0037, 0.01, 0.1, 0.00011, 0.2}) {
    ASSERT_EQ(slave.Step(t, h), fmi2OK) << testing::PrintToString(slave.log());
    t += h;
    EXPECT_NEAR(slave.Real("ball.x"), 1 - 9.81 * t * t / 2, 1e-8) << t;
  }
}

TEST(FmuStepTest, FixedStepSystemsSayWhichStepsTheyTake) {
  const ExportedFmu fmu(ExampleSystem("position_servo"));
  EXPECT_THAT(fmu.description(), HasSubstr("canHandleVariableCommunicationStepSize=\"false\""));
  Slave2 slave(fmu);
  slave.Start(0, 3);
  EXPECT_EQ(slave.Step(0, 0.00015), fmi2Discard);
  EXPECT_EQ(slave.Step(0, 0.001), fmi2OK) << "a refused step has changed nothing";
}

// ---- values ----------------------------------------------------------------------------------------

// Law: a heavier ball under the same force falls with g m0 / m.
TEST(FmuValueTest, ParametersAndStartValuesAreTaken) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.SetReal("ball.mass", 2);
  slave.SetReal("ball.x", 3);
  slave.Start(0, 5);
  EXPECT_EQ(slave.Real("ball.x"), 3);
  ASSERT_EQ(slave.Step(0, 0.2), fmi2OK);
  EXPECT_NEAR(slave.Real("ball.x"), 3 - 9.81 / 2 * 0.2 * 0.2 / 2, 1e-8);
  slave.SetReal("ball.mass", 1);  // tunable: counts from here
  EXPECT_NEAR(slave.Real("ball.mass"), 1, 0);
  const double v = slave.Real("ball.v");
  ASSERT_EQ(slave.Step(0.2, 0.1), fmi2OK);
  EXPECT_NEAR(slave.Real("ball.v"), v - 9.81 * 0.1, 1e-8);
}

TEST(FmuValueTest, StartTimeAndMissingStopTimeAreTaken) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetupExperiment)(slave.component(), fmi2True, 1e-10, 2, fmi2False, 0),
            fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2EnterInitializationMode)(slave.component()), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2ExitInitializationMode)(slave.component()), fmi2OK)
      << testing::PrintToString(slave.log());
  ASSERT_EQ(slave.Step(2, 0.3), fmi2OK) << testing::PrintToString(slave.log());
  EXPECT_NEAR(slave.Real("ball.x"), 1 - 9.81 * 0.3 * 0.3 / 2, 1e-8);
  ASSERT_EQ(slave.Step(2.3, 40), fmi2OK) << "the StopTime of the file is none of the master's";
}

// Law: a structural parameter set by the master is the `--set` of a native run, bit for bit, also after a
// state was restored that has it.
TEST(FmuValueTest, StructuralParametersLoadTheSystemAgain) {
  SimulationOptions options;
  options.load.set = {"ball.located_stops=false"};
  const std::unique_ptr<Simulation> native =
      Simulation::Load(ExampleSystem("bouncing_ball"), FmuModels(), options).Take();
  native->Initialize();
  native->AdvanceTo(1);
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  const fmi2ValueReference located = fmu.reference("ball.located_stops");
  fmi2Boolean value = fmi2False;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetBoolean)(slave.component(), &located, 1, &value), fmi2OK);
  value = fmi2True;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetBoolean)(slave.component(), &located, 1, &value), fmi2OK);
  EXPECT_EQ(value, fmi2False);
  slave.Start(0, 5);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(slave.component(), &state), fmi2OK);
  ASSERT_EQ(slave.Step(0, 1), fmi2OK);
  EXPECT_EQ(slave.Real("ball.x"), native->Read("ball.x"));
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetBoolean)(slave.component(), &located, 1, &value), fmi2Error)
      << "the run has begun";
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2Reset)(slave.component()), fmi2OK);
  slave.Start(0, 5);
  ASSERT_EQ(slave.Step(0, 1), fmi2OK);
  EXPECT_NE(slave.Real("ball.x"), native->Read("ball.x")) << "reset has put the value back";
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(slave.component(), state), fmi2OK)
      << testing::PrintToString(slave.log());
  ASSERT_EQ(slave.Step(0, 1), fmi2OK);
  EXPECT_EQ(slave.Real("ball.x"), native->Read("ball.x"));
  DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &state);
}

// Law: an input takes from a master what a route may bring: also numbers out of its range, of which the model
// makes what it makes of them natively.
TEST(FmuValueTest, InputsTakeWhatRoutesBring) {
  const auto write = [](const std::string& name, const std::string& signal) {
    const std::filesystem::path system = FreshFolder() / (name + ".xml");
    std::ofstream(system) << R"(<System name="valve"><SimulatorManager TimeStep="1 ms" StopTime="0.1 s"/>
<hydraulic.PressureSource name="p" pressure="100 bar"/><hydraulic.Tank name="t"/>
<hydraulic.DirectionalValve22 name="valve" nominal_flow="40 l/min" nominal_pressure_drop="35 bar"/>
<Connect from="p.port" to="valve.a"/><Connect from="valve.b" to="t.port"/>)"
                          << signal << R"(<Record signals="valve.q"/></System>)";
    return system;
  };
  const ExportedFmu fmu(write("open", ""));
  for (const char* opening : {"-0.25", "0.5", "1.5"}) {
    const NativeRun native =
        RunNatively(write("routed", std::string("<signal.Constant name=\"c\" value=\"") + opening +
                                        R"("/><Route from="c.y" to="valve.opening"/>)"),
                    0.001, 0.01);
    Slave2 slave(fmu);
    slave.SetReal("valve.opening", std::stod(opening));
    slave.Start(0, 0.1);
    EXPECT_EQ(slave.Step(0, 0.01), fmi2OK);
    EXPECT_EQ(slave.Real("valve.q"), native.rows.back().front()) << opening;
    slave.SetReal("valve.opening", 0.1);
    slave.SetReal("valve.opening", std::stod(opening));
    EXPECT_EQ(slave.Step(0.01, 0.01), fmi2OK);
    EXPECT_EQ(slave.Real("valve.q"), native.rows.back().front()) << opening;
    const fmi2ValueReference reference = fmu.reference("valve.opening");
    const double no_number = std::nan("");
    EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetReal)(slave.component(), &reference, 1, &no_number), fmi2Error);
  }
}

TEST(FmuValueTest, LevelsAreSetBetweenSteps) {
  const ExportedFmu fmu(ExampleSystem("lifting_cylinder"));
  Slave2 slave(fmu);
  slave.Start(0, 50);
  ASSERT_EQ(slave.Step(0, 1), fmi2OK);
  slave.SetInteger("cylinder.level", 2);
  ASSERT_EQ(slave.Step(1, 0.01), fmi2OK) << testing::PrintToString(slave.log());
  const fmi2ValueReference level = fmu.reference("cylinder.level");
  fmi2Integer value = 0;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetInteger)(slave.component(), &level, 1, &value), fmi2OK);
  EXPECT_EQ(value, 2);
}

TEST(FmuValueTest, GlobsChooseWhatIsWhat) {
  FmuSelection selection;
  selection.inputs = {"ball.weight"};
  selection.outputs = {"ball.v ball.acceleration"};
  selection.parameters = {"ball.mass"};
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k2, selection);
  const std::string text = fmu.description();
  EXPECT_THAT(
      text, HasSubstr(R"x(description="Weight, acts along -x" causality="input" variability="discrete">)x"));
  EXPECT_THAT(text, Not(HasSubstr("ball.restitution")));
  Slave2 slave(fmu);
  slave.Start(0, 5);
  slave.SetReal("ball.weight", 0);
  ASSERT_EQ(slave.Step(0, 1), fmi2OK);
  EXPECT_EQ(slave.Real("ball.acceleration"), 0);
}

// ---- states ----------------------------------------------------------------------------------------

std::vector<double> Walk(Slave2& slave, double t, int steps, double h) {
  std::vector<double> values;
  for (int i = 0; i < steps; ++i) {
    EXPECT_EQ(slave.Step(t + i * h, h), fmi2OK) << testing::PrintToString(slave.log());
    values.push_back(slave.Real("ball.x"));
    values.push_back(slave.Real("ball.v"));
  }
  return values;
}

// Law: with a one-step method what follows a state is the same bits, in the instance that saved it, in
// another one, and in another library.
TEST(FmuStateTest, ContinuesWithTheSameBits) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.Start(0, 5);
  Walk(slave, 0, 50, 0.01);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(slave.component(), &state), fmi2OK);
  const std::vector<double> first = Walk(slave, 0.5, 100, 0.01);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(slave.component(), state), fmi2OK)
      << testing::PrintToString(slave.log());
  EXPECT_EQ(Walk(slave, 0.5, 100, 0.01), first);

  std::size_t size = 0;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SerializedFMUstateSize)(slave.component(), state, &size), fmi2OK);
  std::vector<fmi2Byte> bytes(size);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SerializeFMUstate)(slave.component(), state, bytes.data(), size), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &state), fmi2OK);
  EXPECT_EQ(state, nullptr);

  const ExportedFmu again(ExampleSystem("bouncing_ball"));
  Slave2 other(again);
  fmi2FMUstate restored = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(again, fmi2DeSerializeFMUstate)(other.component(), bytes.data(), size, &restored),
            fmi2OK)
      << testing::PrintToString(other.log());
  ASSERT_EQ(DAVIT_FMU_CALL(again, fmi2SetFMUstate)(other.component(), restored), fmi2OK)
      << testing::PrintToString(other.log());
  EXPECT_EQ(Walk(other, 0.5, 100, 0.01), first);
  DAVIT_FMU_CALL(again, fmi2FreeFMUstate)(other.component(), &restored);
}

// Law: a master that frees the state itself instead of the pointer to it, as fmusim does, harms nothing: the
// state is as it was.
TEST(FmuStateTest, OutlivesAMasterThatFreesTheWrongPointer) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.Start(0, 5);
  Walk(slave, 0, 50, 0.01);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(slave.component(), &state), fmi2OK);
  const std::vector<double> first = Walk(slave, 0.5, 100, 0.01);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), static_cast<fmi2FMUstate*>(state)),
            fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(slave.component(), state), fmi2OK);
  EXPECT_EQ(Walk(slave, 0.5, 100, 0.01), first);
  DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &state);
}

// Law: the same inside a TimeStep, at a communication point off the grid.
TEST(FmuStateTest, ContinuesInsideATimeStep) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.Start(0, 5);
  Walk(slave, 0, 51, 0.0037);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(slave.component(), &state), fmi2OK);
  const std::vector<double> first = Walk(slave, 51 * 0.0037, 100, 0.0037);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(slave.component(), state), fmi2OK)
      << testing::PrintToString(slave.log());
  EXPECT_EQ(Walk(slave, 51 * 0.0037, 100, 0.0037), first);
  DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &state);
}

// A state with wrong bytes is refused when it is read or when it is set, or it is another state; a reset
// helps always.
TEST(FmuStateTest, WrongBytesDoNoHarm) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.SetReal("ball.mass", 2);
  slave.Start(0, 5);
  Walk(slave, 0, 3, 0.01);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(slave.component(), &state), fmi2OK);
  std::size_t size = 0;
  DAVIT_FMU_CALL(fmu, fmi2SerializedFMUstateSize)(slave.component(), state, &size);
  std::vector<fmi2Byte> bytes(size);
  DAVIT_FMU_CALL(fmu, fmi2SerializeFMUstate)(slave.component(), state, bytes.data(), size);
  std::uint64_t random = 1;
  for (int i = 0; i < 300; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const std::size_t place = (random >> 33) % size;
    const fmi2Byte kept = bytes[place];
    bytes[place] = static_cast<fmi2Byte>(bytes[place] ^ (1 << (random >> 20) % 8));
    fmi2FMUstate wrong = nullptr;
    if (DAVIT_FMU_CALL(fmu, fmi2DeSerializeFMUstate)(slave.component(), bytes.data(), size, &wrong) ==
        fmi2OK) {
      DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(slave.component(), wrong);
      DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &wrong);
    }
    bytes[place] = kept;
  }
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(slave.component(), state), fmi2OK)
      << testing::PrintToString(slave.log());
  EXPECT_EQ(slave.Step(0.03, 0.01), fmi2OK);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2Reset)(slave.component()), fmi2OK);
  slave.Start(0, 5);
  EXPECT_EQ(slave.Step(0, 0.01), fmi2OK);
  DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &state);
}

TEST(FmuStateTest, DamagedStatesAreRefused) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.Start(0, 5);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(slave.component(), &state), fmi2OK);
  std::size_t size = 0;
  DAVIT_FMU_CALL(fmu, fmi2SerializedFMUstateSize)(slave.component(), state, &size);
  std::vector<fmi2Byte> bytes(size);
  DAVIT_FMU_CALL(fmu, fmi2SerializeFMUstate)(slave.component(), state, bytes.data(), size);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SerializeFMUstate)(slave.component(), state, bytes.data(), size - 1),
            fmi2Error);
  fmi2FMUstate restored = nullptr;
  for (std::size_t length = 0; length < size; length += 7) {
    EXPECT_EQ(
        DAVIT_FMU_CALL(fmu, fmi2DeSerializeFMUstate)(slave.component(), bytes.data(), length, &restored),
        fmi2Error)
        << length;
  }
  EXPECT_EQ(restored, nullptr);
  DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(slave.component(), &state);
}

// ---- several instances -------------------------------------------------------------------------------

TEST(FmuInstancesTest, InterleavedAndInThreadsAreAsAlone) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  std::vector<double> alone;
  {
    Slave2 slave(fmu);
    slave.Start(0, 5);
    alone = Walk(slave, 0, 300, 0.01);
  }
  Slave2 a(fmu);
  Slave2 b(fmu);
  b.SetReal("ball.x", 2);
  a.Start(0, 5);
  b.Start(0, 5);
  std::vector<double> interleaved;
  for (int i = 0; i < 300; ++i) {
    Walk(b, i * 0.01, 1, 0.01);
    for (const double value : Walk(a, i * 0.01, 1, 0.01)) interleaved.push_back(value);
  }
  EXPECT_EQ(interleaved, alone);

  std::vector<std::vector<double>> in_threads(4);
  std::vector<std::thread> threads;
  for (std::vector<double>& values : in_threads) {
    threads.emplace_back([&] {
      Slave2 slave(fmu);
      slave.Start(0, 5);
      values = Walk(slave, 0, 300, 0.01);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<double>& values : in_threads) EXPECT_EQ(values, alone);
}

// Law: an input is a signal, and takes what a route would give it: a controller that comes a little below 0
// closes a valve.
TEST(FmuInputTest, TakesSignalsBeyondItsRange) {
  const std::filesystem::path folder = FreshFolder() / "system";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "valve.xml") << R"(<System name="valve">
  <SimulatorManager TimeStep="1 ms" StopTime="0.1 s"/>
  <hydraulic.PressureSource name="supply" pressure="10 bar"/>
  <hydraulic.DirectionalValve22 name="valve" nominal_flow="1 l/min" nominal_pressure_drop="35 bar"/>
  <hydraulic.Volume name="volume" volume="1 l"/>
  <Connect from="supply.port" to="valve.a"/>
  <Connect from="valve.b" to="volume.port"/>
  <Record signals="volume.p" interval="1 ms"/>
</System>
)";
  const ExportedFmu fmu(folder / "valve.xml");
  const auto pressure_with = [&](double opening) {
    Slave2 slave(fmu);
    slave.SetReal("valve.opening", opening);
    slave.Start(0, 0.1);
    EXPECT_EQ(slave.Step(0, 0.02), fmi2OK);
    slave.SetReal("valve.opening", opening);
    EXPECT_EQ(slave.Step(0.02, 0.02), fmi2OK);
    return slave.Real("volume.p");
  };
  const double closed = pressure_with(0), open = pressure_with(1);
  EXPECT_GT(open, closed);
  EXPECT_EQ(pressure_with(-1e-5), closed);
  EXPECT_EQ(pressure_with(1.00001), open);
}

// Law: an FMU gives memory back to the heap that it took it from, whatever heap the program has.
TEST(FmuInstancesTest, LiveInAProgramWithAHeapOfItsOwn) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers have a heap of their own";
#endif
  for (const char* system : {"bouncing_ball", "level_switching"}) {
    const ExportedFmu fmu(ExampleSystem(system));
    ChildProgram master(
        {(std::filesystem::path(DAVIT_BINARY).parent_path() / "davit_own_heap_master").string(),
         fmu.library().string(), fmu.token(), fmu.resources_uri()});
    EXPECT_EQ(master.Finish(), 0) << system << ": " << master.err();
  }
}

// Law: what is freed is given back: the 200th instance needs no more than the 50th.
TEST(FmuInstancesTest, ComeAndGoWithoutGrowth) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  const auto run_one = [&] {
    Slave2 slave(fmu);
    slave.Start(0, 5);
    Walk(slave, 0, 2, 0.01);
    EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2Reset)(slave.component()), fmi2OK);
  };
  for (int i = 0; i < 50; ++i) run_one();
  const std::size_t handles = CountOpenHandles();
  const std::size_t memory = CountResidentPages();
  for (int i = 0; i < 150; ++i) run_one();
  EXPECT_EQ(CountOpenHandles(), handles);
  constexpr std::size_t kPages = 512;  // 2 MiB, 14 kB an instance: a leaked system would be ten times as much
  EXPECT_LT(CountResidentPages(), memory + kPages);
}

}  // namespace
}  // namespace davit
