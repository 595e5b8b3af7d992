#include "framework/tree/name_fault.h"

#include <gtest/gtest.h>

#include "framework/domains/hydraulic.h"
#include "framework/parameter.h"
#include "framework/port.h"
#include "framework/property.h"
#include "framework/registry.h"
#include "framework/signal.h"
#include "framework/start_value.h"

namespace davit {
namespace {

class Valve final : public Component {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Valve", .text = "Something of each kind"};
  HydraulicPort inlet{this, "inlet", Role::kQ, "Port"};
  HydraulicPortArray outlets{this, "outlets", Role::kC, "Ports"};
  Parameter area{this, "area", "m2", "Parameter", 1.0};
  Input spool{this, "spool", "1", "Input"};
  InputArray pilots{this, "pilots", "1", "Inputs"};
  Output flow{this, "flow", "m3/s", "Output"};
  StartValue p{this, "p", "Pa", "Start value", 0.0};
  Property<bool> is_open{this, "open", "Property", true};
};

class NameFaultTest : public testing::Test {
 protected:
  NameFaultTest() {
    registry.Add<Valve>();
    valve.Place("valve", &root, {});
    valve.set_entry(*registry.Find("test.Valve"));
  }
  std::string FaultOf(Wanted wanted, std::string_view name) {
    return NoItemFault(wanted, name, valve).ToText();
  }
  Registry registry;
  Component root;
  Valve valve;
};

TEST_F(NameFaultTest, AMisspeltNameIsAnsweredWithTheNearestOfItsKind) {
  EXPECT_EQ(FaultOf(Wanted::kPort, "inlt"), "no port 'inlt' on test.Valve; did you mean 'inlet'?");
  EXPECT_EQ(FaultOf(Wanted::kParameter, "aera"), "no parameter 'aera' on test.Valve; did you mean 'area'?");
  EXPECT_EQ(FaultOf(Wanted::kInput, "spol"), "no input 'spol' on test.Valve; did you mean 'spool'?");
  EXPECT_EQ(FaultOf(Wanted::kVariable, "flwo"), "no variable 'flwo' on test.Valve; did you mean 'flow'?");
  EXPECT_EQ(FaultOf(Wanted::kVariable, "inlet.Q"),
            "no variable 'inlet.Q' on test.Valve; did you mean 'inlet.q'?");
}

TEST_F(NameFaultTest, AnUnknownNameIsAnsweredWithWhatThereIs) {
  EXPECT_EQ(FaultOf(Wanted::kPort, "zzz"), "no port 'zzz' on test.Valve; it has inlet, outlets");
  EXPECT_EQ(FaultOf(Wanted::kParameter, "zzz"), "no parameter 'zzz' on test.Valve; it has area, spool, open");
  EXPECT_EQ(FaultOf(Wanted::kInput, "zzz"), "no input 'zzz' on test.Valve; it has spool, pilots");
  EXPECT_EQ(FaultOf(Wanted::kStart, "zzz"), "no start value 'zzz' on test.Valve; it has p");
}

TEST_F(NameFaultTest, ANameOfAnotherKindIsAnsweredWithHowItIsUsed) {
  EXPECT_EQ(FaultOf(Wanted::kPort, "flow"),
            "'flow' of test.Valve is an output, not a port; signals are joined with <Route>");
  EXPECT_EQ(FaultOf(Wanted::kPort, "area"),
            "'area' of test.Valve is a parameter, not a port; set it as an attribute");
  EXPECT_EQ(FaultOf(Wanted::kInput, "inlet"),
            "'inlet' of test.Valve is a port, not an input; ports are joined with <Connect>");
  EXPECT_EQ(FaultOf(Wanted::kInput, "flow"),
            "'flow' of test.Valve is an output, not an input; exchange from and to");
  EXPECT_EQ(FaultOf(Wanted::kParameter, "p"),
            "'p' of test.Valve is a start value, not a parameter; write it inside the element, as <Start "
            "p=\"...\"/>");
  EXPECT_EQ(FaultOf(Wanted::kParameter, "flow"),
            "'flow' of test.Valve is an output, not a parameter; it is computed and cannot be set");
  EXPECT_EQ(FaultOf(Wanted::kParameter, "pilots"),
            "'pilots' of test.Valve is an input, not a parameter; give it signals with <Route>");
  EXPECT_EQ(
      FaultOf(Wanted::kStart, "area"),
      "'area' of test.Valve is a parameter, not a start value; write it as an attribute of the component");
  EXPECT_EQ(
      FaultOf(Wanted::kVariable, "open"),
      "'open' of test.Valve is a setting that is not a number, not a variable; only numbers can be read");
}

TEST_F(NameFaultTest, LevelOfAModelWithoutLevels) {
  EXPECT_EQ(FaultOf(Wanted::kParameter, "level"), "test.Valve has no levels; leave out 'level'");
}

TEST_F(NameFaultTest, AWholeComponentIsAnsweredWithItsItems) {
  EXPECT_EQ(WholeComponentFault(Wanted::kPort, "valve", valve).ToText(),
            "'valve' is a component, not a port; write valve.inlet or valve.outlets");
  EXPECT_EQ(WholeComponentFault(Wanted::kInput, "valve", valve).ToText(),
            "'valve' is a component, not an input; write valve.spool or valve.pilots");
}

}  // namespace
}  // namespace davit
