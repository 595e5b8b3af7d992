#include "simulator/network/integration_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/loaded_system.h"

namespace davit {
namespace {

using testing::HasSubstr;

/// The options of the island of `path`, with different defaults for ODE and DAE.
IntegratorOptions OptionsOf(std::string_view content, std::string_view path, std::string* faults = nullptr) {
  LoadedSystem loaded(content);
  const SystemPasses passes(loaded.index());
  IntegrationDefaults defaults;
  defaults.ode.method = "adams_bashforth_moulton";
  defaults.ode.fixed_step = LoadedSystem::kTimeStep;
  Diagnostics diagnostics;
  IntegratorOptions options =
      ChooseIntegration(passes.MembersWith(loaded[path]), defaults, LoadedSystem::kTimeStep, diagnostics);
  if (faults != nullptr) *faults = TextOf(diagnostics);
  return options;
}

const char* const kOde = "<Integration solver='ODE' method='runge_kutta_dopri5'/>";
const char* const kOther = "<Integration solver='ODE' method='rosenbrock4'/>";
const char* const kDae = "<Integration solver='DAE' method='ida' rtol='1e-3'/>";

std::string Body(const std::string& name, const std::string& inside) {
  return "<test.Body name='" + name + "'>" + inside + "</test.Body>";
}

TEST(ChooseIntegrationTest, DefaultsHoldWhereNoMemberSpeaks) {
  EXPECT_EQ(OptionsOf(Body("a", ""), "a").method, "adams_bashforth_moulton");
  EXPECT_EQ(OptionsOf("<test.Square name='z'/>", "z").method, "ida");
}

TEST(ChooseIntegrationTest, OneMemberSpeaksForItsIsland) {
  const std::string joined = "<Route from='a.x' to='b.u' hold='none'/>";
  EXPECT_EQ(OptionsOf(Body("a", "") + Body("b", kOde) + joined, "a").method, "runge_kutta_dopri5");
  EXPECT_EQ(OptionsOf(Body("a", "") + Body("b", kOde), "a").method,
            "adams_bashforth_moulton");  // another island
}

TEST(ChooseIntegrationTest, AnIslandListensToElementsOfItsKind) {
  EXPECT_EQ(OptionsOf(Body("a", kDae), "a").method, "adams_bashforth_moulton");
  const std::string square = std::string("<test.Square name='z'>") + kDae + kOde + "</test.Square>";
  EXPECT_EQ(OptionsOf(square, "z").method, "ida");
  EXPECT_EQ(OptionsOf(square, "z").relative_tolerance, 1e-3);
}

TEST(ChooseIntegrationTest, ContradictionsAreRefused) {
  const std::string joined = "<Route from='a.x' to='b.u' hold='none'/>";
  std::string faults;
  OptionsOf(Body("a", kOde) + Body("b", kOther) + joined, "a", &faults);
  EXPECT_THAT(faults, HasSubstr("/b: two different integrations in one island: here and in /a"));
  OptionsOf(Body("a", kOde) + Body("b", kOde) + joined, "a", &faults);
  EXPECT_EQ(faults, "");
}

TEST(ChooseIntegrationTest, EventsNeedAMethodWithValuesInsideItsSteps) {
  std::string faults;
  OptionsOf("<test.Clock name='c'/>", "c", &faults);
  EXPECT_THAT(faults,
              HasSubstr("/c: its events cannot be located inside the steps of adams_bashforth_moulton"));
  OptionsOf(std::string("<test.Clock name='c'>") + kOde + "</test.Clock>", "c", &faults);
  EXPECT_EQ(faults, "");
}

}  // namespace
}  // namespace davit
