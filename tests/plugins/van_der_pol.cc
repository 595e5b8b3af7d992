// A plug-in with a model that throws an exception of its own where it is told to.

#include <exception>
#include <iostream>

#include "simulator/plugin_entry.h"

namespace {

class TooFar : public std::exception {
 public:
  const char* what() const noexcept override { return "the oscillator has left its range"; }
};

/// x'' = mu (1 - x^2) x' - x, in a time without unit (van der Pol, 1926).
class VanDerPol final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{
      .name = "mine.VanDerPol",
      .text = "Van der Pol's oscillator",
      .equations = "x' = v,  v' = mu*(1 - x^2)*v - x\n",
  };
  void EvaluateDiffEquations(double t) override {
    if (x < lowest) {
      std::cerr << "mine.VanDerPol: t = " << t << '\n';
      throw TooFar();
    }
    x.ddt = v;
    v.ddt = mu * (1 - x * x) * v - x;
  }

 private:
  davit::Parameter mu{this, "mu", "", "Nonlinearity", 1.0, davit::kNonNegative};
  davit::Parameter lowest{this, "lowest", "", "Least deflection", -10};
  davit::StateVariable x{this, "x", "", "Deflection", 2.0};
  davit::StateVariable v{this, "v", "1/s", "Its rate"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<VanDerPol>(); });
