// A plug-in as it should be: two models.

#include <cmath>

#include "simulator/plugin_entry.h"

namespace {

/// x'' = -w^2 x,  x(0) = 1:  x = cos w t.
class Harmonic final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Harmonic", .text = "Harmonic oscillator"};
  void EvaluateDiffEquations(double /*t*/) override {
    x.ddt = v;
    v.ddt = -w * w * x;
  }

 private:
  davit::Parameter w{this, "frequency", "rad/s", "Angular frequency", 1.0, davit::kPositive};
  davit::StateVariable x{this, "x", "m", "Displacement", 1.0};
  davit::StateVariable v{this, "v", "m/s", "Velocity"};
};

/// y = u^2, or u^3 at the level Advanced.
class Power final : public davit::DynamicSimComponent {
 public:
  enum class Law { kSquare, kCube };
  static constexpr std::array<std::string_view, 2> kLawNames{"Square", "Cube"};
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Power",
                                          .text = "Power of its input",
                                          .levels = {davit::Level::kIdeal, davit::Level::kAdvanced}};
  void EvaluateDiffEquations(double /*t*/) override { y = law == Law::kCube ? u * u * u : u * u; }

 private:
  davit::Aspect<Law> law{this, "law", "Exponent", kLawNames, Law::kSquare, Law::kSquare, Law::kCube};
  davit::Input u{this, "u", "", "Base"};
  davit::Output y{this, "y", "", "Power"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Harmonic, Power>(); });
