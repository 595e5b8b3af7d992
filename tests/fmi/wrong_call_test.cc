// Calls that FMI forbids, or that a careless master makes: each is answered, and changes nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(FmuWrongCallTest, IsAnsweredByAnErrorAndALine) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  const fmi2Component c = slave.component();
  EXPECT_EQ(slave.Step(0, 0.01), fmi2Error);
  EXPECT_THAT(slave.log(),
              Contains(HasSubstr("fmi2DoStep: a step is not allowed here: the instance is instantiated")));
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2ExitInitializationMode)(c), fmi2Error);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2Terminate)(c), fmi2Error);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetupExperiment)(c, fmi2False, 0, 1, fmi2True, 0), fmi2Error);
  slave.Start(0, 5);
  EXPECT_EQ(slave.Step(0.5, 0.01), fmi2Error);
  EXPECT_THAT(slave.log().back(), HasSubstr("the communication point is 0.5 s, but the time reached is 0 s"));
  EXPECT_EQ(slave.Step(0, -1), fmi2Error);
  EXPECT_EQ(slave.Step(0, std::nan("")), fmi2Error);
  EXPECT_EQ(slave.Step(0, 6), fmi2Error);
  EXPECT_THAT(slave.log().back(), HasSubstr("6 s is after the stop time, 5 s"));
  const fmi2ValueReference unknown = 100000;
  double value = 0;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetReal)(c, &unknown, 1, &value), fmi2Error);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetReal)(c, nullptr, 1, &value), fmi2Error);
  const fmi2ValueReference mass = fmu.reference("ball.mass");
  value = std::nan("");
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetReal)(c, &mass, 1, &value), fmi2Error);
  value = -3;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetReal)(c, &mass, 1, &value), fmi2Error);
  EXPECT_THAT(slave.log().back(), HasSubstr("ball.mass: -3 is out of range; it must be > 0 kg"));
  const fmi2ValueReference x = fmu.reference("ball.x");
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetReal)(c, &x, 1, &value), fmi2Error)
      << "a start value, and the run has begun";
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetInteger)(c, &x, 1, nullptr), fmi2Error);
  EXPECT_EQ(slave.Step(0, 0.01), fmi2OK) << "what was refused has changed nothing";
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2DoStep)(nullptr, 0, 1, fmi2True), fmi2Error);
  DAVIT_FMU_CALL(fmu, fmi2FreeInstance)(nullptr);
}

TEST(FmuWrongCallTest, WrongInstancesAreRefused) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  const auto instantiate = [&](const char* name, fmi2Type type, const std::string& token,
                               const std::string& where) {
    return DAVIT_FMU_CALL(fmu, fmi2Instantiate)(name, type, token.c_str(), where.c_str(), nullptr, fmi2False,
                                                fmi2True);
  };
  EXPECT_EQ(instantiate("", fmi2CoSimulation, fmu.token(), fmu.resources_uri()), nullptr);
  EXPECT_EQ(instantiate("a", fmi2ModelExchange, fmu.token(), fmu.resources_uri()), nullptr);
  EXPECT_EQ(instantiate("a", fmi2CoSimulation, "{0}", fmu.resources_uri()), nullptr);
  EXPECT_EQ(instantiate("a", fmi2CoSimulation, fmu.token(), "file:///nowhere"), nullptr);
  EXPECT_EQ(instantiate("a", fmi2CoSimulation, fmu.token(), "http://elsewhere/"), nullptr);
  for (const std::string& where :
       {"file:" + fmu.resources_path(), "file://localhost" + fmu.resources_path()}) {
    const fmi2Component c = instantiate("a", fmi2CoSimulation, fmu.token(), where);
    EXPECT_NE(c, nullptr) << where;
    DAVIT_FMU_CALL(fmu, fmi2FreeInstance)(c);
  }
}

// Law: a call for several variables that is refused for one of them sets none.
TEST(FmuWrongCallTest, ARefusedVariableKeepsTheOthersFromBeingSet) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  slave.Start(0, 5);
  const fmi2ValueReference mass = fmu.reference("ball.mass");
  const double before = slave.Real("ball.mass");
  struct Other {
    fmi2ValueReference reference;
    double value;
  };
  for (const Other& other : {Other{100000, 1}, Other{fmu.reference("ball.x"), 1},
                             Other{fmu.reference("ball.restitution"), std::nan("")}}) {
    const fmi2ValueReference references[] = {mass, other.reference};
    const double values[] = {2 * before, other.value};
    EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetReal)(slave.component(), references, 2, values), fmi2Error);
    EXPECT_EQ(slave.Real("ball.mass"), before);
  }
}

TEST(FmuWrongCallTest, AMissingCategoryLeavesTheLogAsItWas) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  const fmi2String categories[] = {"logStatusDiscard", nullptr};
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetDebugLogging)(slave.component(), fmi2True, 2, categories), fmi2Error);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetDebugLogging)(slave.component(), fmi2True, 2, nullptr), fmi2Error);
  slave.Start(0, 5);
  const std::size_t lines = slave.log().size();
  DAVIT_FMU_CALL(fmu, fmi2SetDebugLogging)(slave.component(), fmi2True, 1, categories);
  EXPECT_EQ(slave.log().size(), lines);
}

// Law: a state is that of one FMU and one kind of instance.
TEST(FmuWrongCallTest, AStateOfAnotherFmuChangesNothing) {
  const ExportedFmu ball(ExampleSystem("bouncing_ball")), spring(ExampleSystem("mass_spring"));
  Slave2 one(ball), other(spring);
  one.Start(0, 5);
  other.Start(0, 5);
  EXPECT_EQ(one.Step(0, 0.2), fmi2OK);
  fmi2FMUstate state = nullptr;
  EXPECT_EQ(DAVIT_FMU_CALL(spring, fmi2GetFMUstate)(other.component(), &state), fmi2OK);
  const double x = one.Real("ball.x");
  EXPECT_EQ(DAVIT_FMU_CALL(ball, fmi2SetFMUstate)(one.component(), state), fmi2Error);
  EXPECT_THAT(one.log().back(), HasSubstr("the state belongs to another FMU"));
  EXPECT_EQ(one.Real("ball.x"), x);
  EXPECT_EQ(one.Step(0.2, 0.2), fmi2OK);
  EXPECT_EQ(DAVIT_FMU_CALL(spring, fmi2FreeFMUstate)(other.component(), &state), fmi2OK);
  EXPECT_EQ(DAVIT_FMU_CALL(spring, fmi2FreeFMUstate)(other.component(), &state), fmi2OK) << "freed already";
}

// Law: fmi2DeSerializeFMUstate gives a state and reads nothing where it puts it: what the master had there
// is still its own.
TEST(FmuWrongCallTest, AStateThatIsReadDoesNotTakeThePlaceOfAnother) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  const fmi2Component c = slave.component();
  slave.Start(0, 5);
  fmi2FMUstate first = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(c, &first), fmi2OK);
  const double x = slave.Real("ball.x");
  std::size_t size = 0;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SerializedFMUstateSize)(c, first, &size), fmi2OK);
  std::string bytes(size, 0);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SerializeFMUstate)(c, first, bytes.data(), size), fmi2OK);
  fmi2FMUstate second = first;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2DeSerializeFMUstate)(c, bytes.data(), size, &second), fmi2OK);
  EXPECT_NE(second, first);
  EXPECT_EQ(slave.Step(0, 0.3), fmi2OK);
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(c, first), fmi2OK);
  EXPECT_EQ(slave.Real("ball.x"), x);
  for (fmi2FMUstate* state : {&first, &second})
    EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(c, state), fmi2OK);
}

// Law: bytes that are no state of this FMU are refused, whichever byte is wrong, and an instance that has met
// them can be reset.
TEST(FmuWrongCallTest, DamagedStatesAreRefusedOrHarmless) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"));
  Slave2 slave(fmu);
  const fmi2Component c = slave.component();
  slave.Start(0, 5);
  EXPECT_EQ(slave.Step(0, 0.3), fmi2OK);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2GetFMUstate)(c, &state), fmi2OK);
  std::size_t size = 0;
  DAVIT_FMU_CALL(fmu, fmi2SerializedFMUstateSize)(c, state, &size);
  std::string whole(size, 0);
  ASSERT_EQ(DAVIT_FMU_CALL(fmu, fmi2SerializeFMUstate)(c, state, whole.data(), size), fmi2OK);
  DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(c, &state);
  for (std::size_t length = 0; length < size; length += 7)
    EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2DeSerializeFMUstate)(c, whole.data(), length, &state), fmi2Error);
  for (std::size_t place = 0; place < size; place += 3) {
    std::string bytes = whole;
    bytes[place] = static_cast<char>(~bytes[place]);
    state = nullptr;
    if (DAVIT_FMU_CALL(fmu, fmi2DeSerializeFMUstate)(c, bytes.data(), size, &state) != fmi2OK) continue;
    DAVIT_FMU_CALL(fmu, fmi2SetFMUstate)(c, state);
    slave.Step(0.3, 0.01);
    DAVIT_FMU_CALL(fmu, fmi2FreeFMUstate)(c, &state);
  }
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2Reset)(c), fmi2OK);
  slave.Start(0, 5);
  EXPECT_EQ(slave.Step(0, 0.3), fmi2OK);
}

// Derivatives of inputs are those of co-simulation, where the description declares them.
TEST(FmuWrongCallTest, InputDerivativesOfFixedStepsAreRefused) {
  const ExportedFmu fmu(ExampleSystem("water_hammer"));
  EXPECT_THAT(fmu.description(), HasSubstr("canInterpolateInputs=\"false\""));
  Slave2 slave(fmu);
  const fmi2ValueReference pressure = fmu.reference("supply.pressure");
  const fmi2Integer order = 1;
  const double slope = 1e5;
  EXPECT_EQ(DAVIT_FMU_CALL(fmu, fmi2SetRealInputDerivatives)(slave.component(), &pressure, 1, &order, &slope),
            fmi2Error);
  EXPECT_THAT(slave.log().back(), HasSubstr("setting derivatives of inputs is not possible: /supply"));
}

// FMI 3.0: a call for no variables is right, of any type.
TEST(FmuWrongCallTest, NoVariablesOfATypeThatThereIsNot) {
  const ExportedFmu fmu(ExampleSystem("bouncing_ball"), FmiVersion::k3);
  const fmi3Instance c = DAVIT_FMU_CALL(fmu, fmi3InstantiateCoSimulation)(
      "slave", fmu.token().c_str(), fmu.resources_path().c_str(), false, false, false, false, nullptr, 0,
      nullptr, nullptr, nullptr);
  ASSERT_NE(c, nullptr);
  const fmi3ValueReference one = 0;
  const auto count_of = [&](std::size_t n) {
    int right = 0;
    right += DAVIT_FMU_CALL(fmu, fmi3GetBinary)(c, &one, n, nullptr, nullptr, n) == fmi3OK;
    right += DAVIT_FMU_CALL(fmu, fmi3SetBinary)(c, &one, n, nullptr, nullptr, n) == fmi3OK;
    right += DAVIT_FMU_CALL(fmu, fmi3GetClock)(c, &one, n, nullptr) == fmi3OK;
    right += DAVIT_FMU_CALL(fmu, fmi3SetClock)(c, &one, n, nullptr) == fmi3OK;
    right += DAVIT_FMU_CALL(fmu, fmi3GetUInt16)(c, &one, n, nullptr, n) == fmi3OK;
    right += DAVIT_FMU_CALL(fmu, fmi3SetFloat32)(c, &one, n, nullptr, n) == fmi3OK;
    right += DAVIT_FMU_CALL(fmu, fmi3GetIntervalDecimal)(c, &one, n, nullptr, nullptr) == fmi3OK;
    return right;
  };
  EXPECT_EQ(count_of(0), 7);
  EXPECT_EQ(count_of(1), 0);
  DAVIT_FMU_CALL(fmu, fmi3FreeInstance)(c);
}

}  // namespace
}  // namespace davit
