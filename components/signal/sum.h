#pragma once

#include <vector>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// y = +-u_1 +- u_2 +- ...
class Sum final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Sum",
      .text = "Adds and subtracts signals",
      .equations = R"(
y = s_1 u_1 + s_2 u_2 + ...,   s_i = +1 or -1
u_i is the i-th Route to u, s_i the i-th character of signs
Example: signs="+-" with two routes gives y = u_1 - u_2
)",
  };

  void EvaluateDiffEquations(double /*t*/) override {
    double sum = 0;
    for (std::size_t i = 0; i < signs_.size(); ++i) sum += signs_[i] * u[i];
    y = sum;
  }
  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void CheckConnections(Diagnostics& diagnostics) override;

 private:
  Property<std::string> signs{this, "signs", "One + or - for each route to u, in their order; empty: all +"};
  InputArray u{this, "u", kAnyUnit, "Terms, one for each route"};
  Output y{this, "y", kAnyUnit, "Output"};
  std::vector<double> signs_;  ///< one for each route
};

}  // namespace davit
