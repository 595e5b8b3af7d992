// The mechanical system of systems/, as a user runs it.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

TEST(MechanicalSystemsTest, MassSpringSwingsAsTheAnalyticSolution) {
  const Registry registry = AllModels();
  const auto simulation = Simulation::Load(DAVIT_SOURCE_DIR "/systems/mass_spring.xml", registry).Take();
  simulation->Initialize();

  // x = x0 exp(-s t) (cos wt + s/w sin wt), s = c/2m, w^2 = k/m - s^2
  const double s = 6.0 / 20;
  const double w = std::sqrt(39.4784 - s * s);
  for (const double t : {0.25, 1.0, 3.7, 10.0}) {
    simulation->RunUntil(t);
    const double exact = 0.1 * std::exp(-s * t) * (std::cos(w * t) + s / w * std::sin(w * t));
    EXPECT_NEAR(simulation->Read("load.x"), exact, 1e-6) << t;
  }
}

}  // namespace
}  // namespace davit
