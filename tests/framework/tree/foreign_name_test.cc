#include "framework/tree/foreign_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Optional;

SolverType ChosenBy(const std::string& attribute) {
  LoadedSystem loaded("<mechanical.MassSpringDamper name='body' " + attribute + "/>");
  return dynamic_cast<const DynamicSimComponent&>(loaded.index().component(loaded["body"]))
      .requested_solver();
}

TEST(ForeignNameTest, SolverTypeMeansTheSolverOfTheSameNumber) {
  for (const std::string name : {"SolverType", "solver"}) {
    EXPECT_EQ(ChosenBy(name + "='0'"), SolverType::kDifferential);
    EXPECT_EQ(ChosenBy(name + "='1'"), SolverType::kAlgebraic);
    EXPECT_EQ(ChosenBy(name + "='0 - Differential (ODE)'"), SolverType::kDifferential);
    EXPECT_EQ(ChosenBy(name + "='1 - Algebraic (DAE)'"), SolverType::kAlgebraic);
    for (std::size_t i = 0; i < kSolverTypeNames.size(); ++i)
      EXPECT_EQ(ChosenBy(name + "='" + std::string(kSolverTypeNames[i]) + "'"), static_cast<SolverType>(i));
  }
}

TEST(ForeignNameTest, OtherAttributesAreNotTranslated) {
  EXPECT_FALSE(TranslateForeignAttribute("law", "0"));
  EXPECT_FALSE(TranslateForeignAttribute("solver", "Differential"));
}

TEST(ForeignNameTest, AMisspeltNameHasTheRemedyOfTheRightOne) {
  for (const std::string_view name : {"SimComponent", "Integrator", "SimSignal", "StateVariable"}) {
    const auto remedy = RemedyForForeignElement(name);
    EXPECT_THAT(remedy, Optional(EndsWith("; see docs/from-cdp-studio.md"))) << name;
    std::string misspelt(name);
    misspelt.erase(name.size() / 2, 1);
    EXPECT_EQ(RemedyForForeignElement(misspelt), remedy) << misspelt;
    EXPECT_EQ(RemedyForForeignElement("CDPSim." + std::string(name)), remedy);
  }
}

TEST(ForeignNameTest, ShortAndUnknownNamesResembleNone) {
  EXPECT_THAT(RemedyForForeignAttribute("fs"), Optional(HasSubstr("SimulatorManager")));
  for (const std::string_view name : {"", "f", "s", "Fs2", "Widget", "mass"}) {
    EXPECT_FALSE(RemedyForForeignAttribute(name)) << name;
    EXPECT_FALSE(RemedyForForeignElement(name)) << name;
  }
}

}  // namespace
}  // namespace davit
