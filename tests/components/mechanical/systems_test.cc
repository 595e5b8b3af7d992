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

TEST(MechanicalSystemsTest, AnEngineDroopsUnderLoadAndRecoversFromAnOverload) {
  const Registry registry = AllModels();
  const auto simulation = Simulation::Load(DAVIT_SOURCE_DIR "/systems/engine_drive.xml", registry).Take();
  simulation->Initialize();
  const auto read = [&](const char* path) { return simulation->Read(path); };
  const double set_speed = read("engine.set_speed");
  const auto expect_governed = [&](double t) {
    simulation->RunUntil(t);
    EXPECT_EQ(read("engine.operation"), 0);
    EXPECT_NEAR(read("engine.speed"), set_speed * (1 - 0.08 * read("engine.load")), 1e-3 * set_speed) << t;
    // A steady state: clutch and belt take what the engine gives.
    EXPECT_NEAR(read("engine.torque"), read("clutch.transmitted_torque") + 0.09 * read("belt.force"), 1) << t;
    EXPECT_NEAR(read("clutch.slip_speed"), 0, 1e-3);
    EXPECT_NEAR(read("fan.w"), read("engine.speed") * 90 / 120, 1e-3);
  };
  expect_governed(3.9);
  const double idle = read("engine.speed");
  expect_governed(7.9);
  EXPECT_LT(read("engine.speed"), idle - 5);
  simulation->RunUntil(9);
  EXPECT_EQ(read("engine.operation"), 1);
  const double overloaded = read("engine.speed");
  EXPECT_LT(overloaded, set_speed * (1 - 0.08));
  simulation->RunUntil(9.5);
  EXPECT_LT(read("engine.speed"), overloaded - 5);
  expect_governed(13.9);
  EXPECT_NEAR(read("engine.speed"), idle, 1e-2);
}

}  // namespace
}  // namespace davit
