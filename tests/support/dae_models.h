#pragma once

#include <limits>

#include "framework/registry.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// A pendulum in a plane with its rod stated for positions: index 3, which is refused.
class TestPendulum final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Pendulum", .text = "Pendulum, index 3"};
  void EvaluateAlgebraicEquations(double /*t*/) override {
    x.residual = x.ddt - u;
    y.residual = y.ddt - v;
    u.residual = u.ddt + tension * x;
    v.residual = v.ddt + tension * y + 9.81;
    tension.residual = x * x + y * y - 1;
  }

 private:
  StateVariable x{this, "x", "m", "Position", 1};
  StateVariable y{this, "y", "m", "Position", 0};
  StateVariable u{this, "u", "m/s", "Velocity"};
  StateVariable v{this, "v", "m/s", "Velocity"};
  AlgebraicVariable tension{this, "tension", "1/s2", "Force of the rod over mass and length"};
};

/// Its author forgot the equation for `b`.
class TestForgetful final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Forgetful", .text = "An equation is missing"};
  void EvaluateAlgebraicEquations(double /*t*/) override { a.residual = a.ddt + a - b; }

 private:
  StateVariable a{this, "a", "1", "State"};
  AlgebraicVariable b{this, "b", "1", "Unknown"};
};

/// z = t, and no number from `end` on.
class TestNoResidual final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.NoResidual", .text = "Its residual stops being a number"};
  void EvaluateAlgebraicEquations(double t) override {
    calm.residual = calm.ddt + calm;
    z.residual = t < end ? t - z : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  Parameter end{this, "end", "s", "From here on NaN", 0.5};
  StateVariable calm{this, "calm", "1", "Goes well", 1};
  AlgebraicVariable z{this, "z", "1", "Goes wrong"};
};

/// A chain of `size` unknowns that alternate between states and algebraic variables:
///   y_i' = z_{i-1} - 2 y_i + z_{i+1},  0 = z_i - (y_{i-1} + y_{i+1})/2.
class TestChainLink final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.ChainLink",
                                   .text = "One state and one algebraic variable of a chain"};
  void EvaluateAlgebraicEquations(double /*t*/) override {
    y.residual = y.ddt - (left - 2 * y + z);
    z.residual = z - (y + right) / 2;
  }

 private:
  Input left{this, "left", "1", "z of the left neighbour", 1};
  Input right{this, "right", "1", "y of the right neighbour"};
  StateVariable y{this, "y", "1", "State"};
  AlgebraicVariable z{this, "z", "1", "Mean of two states"};
};

/// z with z^2 = u, found from z = 1.
class TestSquare final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Square", .text = "z = u^2, solved for"};
  void EvaluateAlgebraicEquations(double /*t*/) override { z.residual = z * z - u; }

 private:
  Input u{this, "u", "1", "Input", 4};
  AlgebraicVariable z{this, "z", "1", "Root of u", 1};
};

/// A clock x' = 1 with three guards. Two pass at the same time; `log` counts in base 10 which reacted in
/// which order.
class TestClock final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Clock", .text = "Events at known times"};
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = 1;
    y.ddt = -x * y;
  }
  void Reset() override {
    DynamicSimComponent::Reset();
    log = 0;
  }

 private:
  void Note(int digit) { log = 10 * log + digit; }
  StateVariable x{this, "x", "1", "Time since the start"};
  StateVariable y{this, "y", "1", "Gauss curve", 1};
  Output log{this, "log", "", "Digits of the guards that reacted"};
  Guard late{this,
             "late",
             "0.7 s",
             Guard::Direction::kRising,
             [this] { return x - 0.7; },
             [this](double) { Note(1); }};
  Guard first{this,
              "first",
              "0.3 s",
              Guard::Direction::kRising,
              [this] { return x - 0.3; },
              [this](double) { Note(2); }};
  Guard same{this,
             "same",
             "0.3 s",
             Guard::Direction::kFalling,
             [this] { return 0.3 - x; },
             [this](double) { Note(3); }};
  Guard wrong_way{this,
                  "wrong_way",
                  "never",
                  Guard::Direction::kFalling,
                  [this] { return x - 0.5; },
                  [this](double) { Note(9); }};
};

/// A clock x' = 1 with a value that falls below zero around `centre` for twice the `width`.
class TestDip final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Dip", .text = "Two events close together"};
  void EvaluateDiffEquations(double /*t*/) override { x.ddt = 1; }

 private:
  Parameter centre{this, "centre", "1", "Where the value is least", 0.4};
  Parameter width{this, "width", "1", "How far on both sides of it the value is negative", 1e-3};
  StateVariable x{this, "x", "1", "Time since the start"};
  Guard dip{this,
            "dip",
            "Passes and comes back",
            Guard::Direction::kBoth,
            [this] { return (x - centre) * (x - centre) - width * width; },
            [](double) {}};
};

/// A ball that keeps half its speed at each impact, x'' = -1 from x = 1, and says nothing about rest: impacts
/// pile up at t = 3 sqrt(2).
class TestRestless final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Restless", .text = "Impacts without end"};
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = v;
    v.ddt = -1;
  }

 private:
  StateVariable x{this, "x", "1", "Height", 1};
  StateVariable v{this, "v", "1/s", "Speed"};
  Guard floor{this,
              "floor",
              "Impact",
              Guard::Direction::kFalling,
              [this] { return static_cast<double>(x); },
              [this](double) { v.OverrideStateValue(-0.5 * v); }};
};

/// Registers all of the above.
void RegisterDaeModels(Registry& registry);

}  // namespace davit
