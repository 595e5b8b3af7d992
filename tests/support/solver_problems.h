#pragma once

#include "framework/registry.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// HIRES, growth and differentiation of plant tissue: stiff (IVP Test Set). y7 + y8 = 0.0057 for ever.
class TestHires final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Hires", .text = "HIRES of the IVP Test Set"};
  void EvaluateDiffEquations(double /*t*/) override;

 private:
  StateVariable y1{this, "y1", "1", "State", 1, 1e-3};
  StateVariable y2{this, "y2", "1", "State", 0, 1e-4};
  StateVariable y3{this, "y3", "1", "State", 0, 1e-4};
  StateVariable y4{this, "y4", "1", "State", 0, 1e-3};
  StateVariable y5{this, "y5", "1", "State", 0, 1e-3};
  StateVariable y6{this, "y6", "1", "State", 0, 1e-3};
  StateVariable y7{this, "y7", "1", "State", 0, 1e-3};
  StateVariable y8{this, "y8", "1", "State", 0.0057, 1e-3};
};

/// Robertson's reactions as an ODE of three states.
class TestRobertson final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.Robertson", .text = "Robertson's reactions, ODE"};
  void EvaluateDiffEquations(double /*t*/) override {
    const double r1 = 0.04 * y1;
    const double r2 = 1e4 * y2 * y3;
    const double r3 = 3e7 * y2 * y2;
    y1.ddt = -r1 + r2;
    y2.ddt = r1 - r2 - r3;
    y3.ddt = r3;
  }

 private:
  StateVariable y1{this, "y1", "1", "State", 1};
  StateVariable y2{this, "y2", "1", "State", 0, 1e-6};
  StateVariable y3{this, "y3", "1", "State", 0};
};

/// E5 of the stiff problems of Enright, Hull and Lindberg (1975): a reaction that lasts 1e13 s and begins
/// within 1e-3 s. The fourth species is y4 = y2 - y3, exactly: with an equation of its own, errors of y2 and
/// y3 would hide it.
class TestE5 final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.E5", .text = "E5 of the stiff problems of DETEST"};
  void EvaluateDiffEquations(double /*t*/) override {
    const double r1 = 7.89e-10 * y1;
    const double r2 = 1.1e7 * y1 * y3;
    const double r3 = 1.13e9 * y2 * y3;
    const double r4 = 1.13e3 * (y2 - y3);
    y1.ddt = -r1 - r2;
    y2.ddt = r1 - r3;
    y3.ddt = r1 - r2 - r3 + r4;
  }

 private:
  StateVariable y1{this, "y1", "1", "State", 1.76e-3, 1e-12};
  StateVariable y2{this, "y2", "1", "State", 0, 1e-20};
  StateVariable y3{this, "y3", "1", "State", 0, 1e-20};
};

/// Robertson's reactions with 0 = y1 + y2 + y3 - 1 in place of the third equation.
class TestRobertsonDae : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.RobertsonDae", .text = "Robertson's reactions, DAE"};
  void EvaluateAlgebraicEquations(double /*t*/) override {
    const double r1 = 0.04 * y1;
    const double r2 = 1e4 * y2 * y3;
    y1.residual = y1.ddt - (-r1 + r2);
    y2.residual = y2.ddt - (r1 - r2 - 3e7 * y2 * y2);
    y3.residual = y1 + y2 + y3 - 1;
  }

 protected:
  StateVariable y1{this, "y1", "1", "State", 1};
  StateVariable y2{this, "y2", "1", "State", 0, 1e-6};
  AlgebraicVariable y3{this, "y3", "1", "State", 0};
};

/// The same with guards that look for y3 = 0.01 and y1 = 1e-4; `t_i` is when they passed.
class TestRobertsonRoots final : public TestRobertsonDae {
 public:
  static constexpr ModelInfo kInfo{.name = "test.RobertsonRoots",
                                   .text = "Robertson's reactions, DAE with events"};

 private:
  Output t_1{this, "t_1", "s", "Time at which y3 passed 0.01"};
  Output t_2{this, "t_2", "s", "Time at which y1 passed 1e-4"};
  Guard much{this,
             "much",
             "y3 rises above 0.01",
             Guard::Direction::kRising,
             [this] { return y3 - 0.01; },
             [this](double t) { t_1 = t; }};
  Guard little{this,
               "little",
               "y1 falls below 1e-4",
               Guard::Direction::kFalling,
               [this] { return y1 - 1e-4; },
               [this](double t) { t_2 = t; }};
};

/// The transistor amplifier of the IVP Test Set as M y' = f(y) with singular M: eight states, none declared
/// algebraic.
class TestSingularAmplifier final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.SingularAmplifier",
                                   .text = "Transistor amplifier, singular matrix"};
  void Configure(Diagnostics& diagnostics) override;
  void EvaluateAlgebraicEquations(double t) override;

 private:
  StateVariableArray y{this, "y", "1", "Potentials", 8};
};

/// Car axis of the IVP Test Set, reduced to index 1: the constraints are stated for accelerations.
class TestCarAxis final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "test.CarAxis", .text = "Car axis, index 1"};
  void EvaluateAlgebraicEquations(double t) override;

 private:
  StateVariable xl{this, "xl", "1", "Position", 0};
  StateVariable yl{this, "yl", "1", "Position", 0.5};
  StateVariable xr{this, "xr", "1", "Position", 1};
  StateVariable yr{this, "yr", "1", "Position", 0.5};
  StateVariable ul{this, "ul", "1/s", "Velocity", -0.5};
  StateVariable vl{this, "vl", "1/s", "Velocity", 0};
  StateVariable ur{this, "ur", "1/s", "Velocity", -0.5};
  StateVariable vr{this, "vr", "1/s", "Velocity", 0};
  AlgebraicVariable lam1{this, "lam1", "1", "Multiplier", 0, 1e-3};
  AlgebraicVariable lam2{this, "lam2", "1", "Multiplier", 0, 1e-3};
};

/// Registers all of the above.
void RegisterSolverProblems(Registry& registry);

}  // namespace davit
