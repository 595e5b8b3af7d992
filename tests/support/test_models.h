#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string_view>

#include "framework/mode.h"
#include "framework/registry.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// x' = v,  v' = -w^2 x,  x(0) = 1, v(0) = 0:  x = cos w t.
class TestOscillator final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Oscillator", .text = "Harmonic oscillator"};
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = v;
    v.ddt = -w * w * x;
  }

 private:
  Parameter w{this, "frequency", "rad/s", "Angular frequency", 1.0};
  StateVariable x{this, "x", "m", "Displacement", 1.0};
  StateVariable v{this, "v", "m/s", "Velocity"};
};

/// Two bodies in a plane, eccentricity 0.6, period 2 pi:  x'' = -x/r^3,  y'' = -y/r^3.
class TestKepler final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Kepler", .text = "Kepler's problem, eccentricity 0.6"};
  void EvaluateDiffEquations(double /*t*/) override {
    const double r = std::hypot(x, y);
    x.ddt = u;
    y.ddt = v;
    u.ddt = -x / (r * r * r);
    v.ddt = -y / (r * r * r);
  }
  /// x, y, u, v at t, by Newton's method on E - e sin E = t.
  static std::array<double, 4> Exact(double t);

 private:
  StateVariable x{this, "x", "m", "Position", 0.4};
  StateVariable y{this, "y", "m", "Position", 0.0};
  StateVariable u{this, "u", "m/s", "Velocity along x", 0.0};
  StateVariable v{this, "v", "m/s", "Velocity along y", 2.0};
};

/// Seven stars in a plane, m_i = i (Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I):
///   x_i'' = sum_{j != i} m_j (x_j - x_i) / r_ij^3,  y_i'' alike.
class TestPleiades final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Pleiades", .text = "Seven stars in a plane"};
  static constexpr std::size_t kStars = 7;
  /// x, y, u, v at t = 3 as published by the IVP Test Set (Bari; agrees to 3e-13 with an 80-bit
  /// extrapolation).
  static const std::array<double, 4 * kStars> kAtThree;

  TestPleiades();
  void EvaluateDiffEquations(double t) override;

 private:
  StateVariableArray x{this, "x", "m", "Positions", kStars};
  StateVariableArray y{this, "y", "m", "Positions", kStars};
  StateVariableArray u{this, "u", "m/s", "Velocities along x", kStars};
  StateVariableArray v{this, "v", "m/s", "Velocities along y", kStars};
};

/// u_i' = u_(i-1) - 2 u_i + u_(i+1) between ends that are 0: its modes decay at 4 sin(k pi/(2 (n+1)))^2
/// [1/s].
class TestDiffusion final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Diffusion", .text = "Cells that read their neighbours"};
  TestDiffusion() { Reads(u, {{.of = u, .from = -1, .to = 1}}); }
  void Configure(Diagnostics& /*diagnostics*/) override { u.SetSize(static_cast<std::uint32_t>(cells)); }
  void EvaluateDiffEquations(double /*t*/) override {
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double before = i > 0 ? static_cast<double>(u[i - 1]) : 0;
      const double behind = i + 1 < u.size() ? static_cast<double>(u[i + 1]) : 0;
      u[i].ddt = before - 2 * u[i] + behind;
    }
  }

 private:
  Property<int> cells{this, "cells", "Number of cells", 10, Range{.low = 1, .high = 1'000'000}};
  StateVariableArray u{this, "u", "", "Content", Start{.value = 1}};
};

/// y' = -rate (y - cos t) - sin t,  y(0) = 1:  y = cos t, whatever the rate (Prothero and Robinson, 1974).
class TestProtheroRobinson final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.ProtheroRobinson", .text = "Relaxation to a cosine"};
  void EvaluateDiffEquations(double t) override { y.ddt = -rate * (y - std::cos(t)) - std::sin(t); }

 private:
  Parameter rate{this, "rate", "1/s", "Stiffness", 1e6};
  StateVariable y{this, "y", "1", "State", 1.0};
};

/// y1' = y2,  y2' = mu (1 - y1^2) y2 - y1,  y(0) = (2, 0).
class TestVanDerPol final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.VanDerPol", .text = "Van der Pol's oscillator"};
  void EvaluateDiffEquations(double /*t*/) override {
    y1.ddt = y2;
    y2.ddt = mu * (1 - y1 * y1) * y2 - y1;
  }

 private:
  Parameter mu{this, "mu", "1", "Stiffness", 1000};
  StateVariable y1{this, "y1", "1", "State", 2.0};
  StateVariable y2{this, "y2", "1", "State", 0.0};
};

/// y' = y^2,  y(0) = 1:  y = 1/(1 - t), which ends at t = 1.
class TestBlowUp final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.BlowUp", .text = "Reaches infinity at t = 1"};
  void EvaluateDiffEquations(double /*t*/) override { y.ddt = y * y; }

 private:
  StateVariable y{this, "y", "1", "State", 1.0};
};

/// y' = 1 until `end`, from then on not a number.
class TestNotANumber final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.NotANumber", .text = "Its derivative stops being a number"};
  void EvaluateDiffEquations(double t) override {
    calm.ddt = 0;
    y.ddt = t < end ? 1.0 : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  Parameter end{this, "end", "s", "From here on NaN", 0.5};
  StateVariable calm{this, "calm", "1", "Goes well"};
  StateVariable y{this, "y", "1", "Goes wrong"};
};

/// x'' = -w^2 x with w = 2*pi/period, from x = 1 at rest: x = cos(w t). A mode shows on which side it is.
class TestSwing final : public DynamicSimComponent {
 public:
  enum class Side : std::uint8_t { kLeft, kMiddle, kRight };
  static constexpr std::array<std::string_view, 3> kSideNames{"Left", "Middle", "Right"};
  static constexpr ModelInfo kInfo{.name = "test.Swing", .text = "Goes to and fro"};

  void EvaluateDiffEquations(double /*t*/) override {
    const double w = 2 * std::numbers::pi / period;
    x.ddt = v;
    v.ddt = -w * w * x;
  }

 private:
  Parameter period{this, "period", "s", "Time of a swing", 1.0, kPositive};
  StateVariable x{this, "x", "1", "Displacement", 1.0};
  StateVariable v{this, "v", "1/s", "Velocity"};
  Mode<Side> side{this, "side", "Where it is: beyond a half to each side, or between", kSideNames,
                  [this](Side) { return x < -0.5  ? Side::kLeft
                                        : x > 0.5 ? Side::kRight
                                                  : Side::kMiddle; }};
};

/// Follows its input u at three levels of detail, which one aspect distinguishes:
///   None: y = u;   First: T x' = u - x, y = x;   Second: T z' = u - z, T x' = z - x, y = x.
/// T times what x and z hold counts as oil.
class TestFollower final : public DynamicSimComponent {
 public:
  enum class Lag : std::uint8_t { kNone, kFirst, kSecond };
  static constexpr std::array<std::string_view, 3> kLagNames{"None", "First", "Second"};
  static constexpr ModelInfo kInfo{.name = "test.Follower",
                                   .text = "Follows its input",
                                   .levels = {Level::kIdeal, Level::kStandard, Level::kAdvanced}};

  void EvaluateDiffEquations(double /*t*/) override {
    if (lag == Lag::kNone) {
      y = u;
      x.ShowValue(u);
      z.ShowValue(u);
      return;
    }
    y = x;
    if (lag == Lag::kFirst) {
      x.ddt = (u - x) / T;
      z.ShowValue(u);
      return;
    }
    x.ddt = (z - x) / T;
    z.ddt = (u - z) / T;
  }
  void AspectsChanged(AspectSwitch& change) override {
    const Lag before = change.Before(lag);
    if (before == Lag::kNone) x.OverrideStateValue(y);
    if (lag == Lag::kSecond) z.OverrideStateValue(y);
    if (before == Lag::kSecond) change.ReleaseOil(T * z);
    if (lag == Lag::kSecond) change.ReleaseOil(-T * y);
    if (lag == Lag::kNone) change.ReleaseOil(T * x);
    if (before == Lag::kNone) change.ReleaseOil(-T * y);
  }

 private:
  Aspect<Lag> lag{this, "lag", "How it follows", kLagNames, Lag::kNone, Lag::kFirst, Lag::kSecond};
  Parameter T{this, "time", "s", "Time constant", 1.0, kPositive};
  Input u{this, "u", "*", "What it follows", 1.0};
  StateVariable x{this, "x", "", "Last stage", 0.0, 1.0, lag.Is(Lag::kFirst, Lag::kSecond)};
  StateVariable z{this, "z", "", "First of two stages", 0.0, 1.0, lag.Is(Lag::kSecond)};
  Output y{this, "y", "", "Output"};
};

/// Has one level.
class TestIdealOnly final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "test.IdealOnly", .text = "Has one level", .levels = {Level::kIdeal}};
};

/// A ball that falls, x'' = -g, and is thrown back with its speed when it is found below the ground after a
/// step or before one.
class TestBall final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Ball", .text = "Ball over hard ground"};
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = v;
    v.ddt = -g;
  }
  void PreIntegrate() override {
    if (is_early_) Bounce();
  }
  void PostIntegrate() override {
    if (!is_early_) Bounce();
  }

 private:
  void Bounce() {
    if (x >= 0 || v >= 0) return;
    v.OverrideStateValue(-v);
  }
  Property<bool> is_early_{this, "early", "Whether it looks before a step instead of after", false};
  Parameter g{this, "gravity", "m/s2", "Gravity", 10.0};
  StateVariable x{this, "x", "m", "Height", 1.0};
  StateVariable v{this, "v", "m/s", "Velocity upwards"};
};

/// x' = gain u, with a port that nobody needs to connect: such a component makes an island of its own, and
/// what is routed to it from another one is sampled.
class TestBody final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Body", .text = "Integrator with a port"};
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = gain * u;
    seen = u;
  }

 private:
  Parameter gain{this, "gain", kAnyUnit, "Factor of the input", 1.0};
  TranslationalPort a{this, "a", Role::kC, "Where it could be held", Connecting::kOptional};
  Input u{this, "u", kAnyUnit, "Input"};
  Output seen{this, "seen", kAnyUnit, "What u was at last"};
  StateVariable x{this, "x", kAnyUnit, "Integral", 0.0};
};

/// sum = a + b: any graph of signals can be made of these.
class TestSum final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Sum", .text = "Adds two signals"};
  void EvaluateDiffEquations(double /*t*/) override { sum = a + b; }

 private:
  Input a{this, "a", kAnyUnit, "Term"};
  Input b{this, "b", kAnyUnit, "Term"};
  Output sum{this, "sum", kAnyUnit, "a + b"};
};

/// Hands pressure from `a` on to `b` and flow back: neither has a delay.
class TestPassThrough final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.PassThrough", .text = "A pipe without volume"};
  TestPassThrough() { EffortsRead({a}); }
  void EvaluateEfforts(double /*t*/) override { b->c = a->c; }
  void EvaluateDiffEquations(double /*t*/) override { a->q = b->q; }

 private:
  HydraulicPort a{this, "a", Role::kQ, "One end"};
  HydraulicPort b{this, "b", Role::kC, "Other end"};
};

/// Registers all of the above.
void RegisterTestModels(Registry& registry);

}  // namespace davit
