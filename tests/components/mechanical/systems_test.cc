// The mechanical system of systems/, as a user runs it.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "components/register.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

TEST(MechanicalSystemsTest, MassSpringSwingsAsTheAnalyticSolution) {
  Registry registry;
  RegisterSimulator(registry);
  RegisterComponents(registry);
  Diagnostics diagnostics;
  const auto system =
      LoadSystem(std::string(DAVIT_SOURCE_DIR) + "/systems/mass_spring.xml", registry, {}, diagnostics);
  ASSERT_NE(system, nullptr);
  ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics.all()[0]);
  SimulatorManager& manager = SimulatorManager::Of(*system);
  manager.Build(*system, diagnostics);
  ASSERT_FALSE(diagnostics.has_errors()) << ToText(diagnostics.all()[0]);
  manager.Initialize();

  // x = x0 exp(-s t) (cos wt + s/w sin wt), s = c/2m, w^2 = k/m - s^2
  const double s = 6.0 / 20;
  const double w = std::sqrt(39.4784 - s * s);
  const auto x = system->FindVariable(system->root(), "load.x", nullptr);
  ASSERT_TRUE(x.has_value());
  for (const double t : {0.25, 1.0, 3.7, 10.0}) {
    manager.RunUntil(t);
    const double exact = 0.1 * std::exp(-s * t) * (std::cos(w * t) + s / w * std::sin(w * t));
    EXPECT_NEAR(x->Read(), exact, 1e-6) << t;
  }
}

}  // namespace
}  // namespace davit
