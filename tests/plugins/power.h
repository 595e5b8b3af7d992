#pragma once

#include <array>
#include <string_view>

#include "simulator/plugin_entry.h"

/// y = u^2, or u^3 at the level Advanced: what plug-ins with charts have in common. `Names::kName` is the
/// name of the model.
template <class Names>
class Power final : public davit::DynamicSimComponent {
 public:
  enum class Law { kSquare, kCube };
  static constexpr std::array<std::string_view, 2> kLawNames{"Square", "Cube"};
  static constexpr davit::ModelInfo kInfo{
      Names::kName, "Power of its input", {davit::Level::kIdeal, davit::Level::kAdvanced}};
  void EvaluateDiffEquations(double /*t*/) override { y = law == Law::kCube ? u * u * u : u * u; }

 private:
  davit::Aspect<Law> law{this, "law", "Exponent", kLawNames, Law::kSquare, Law::kSquare, Law::kCube};
  davit::Input u{this, "u", "", "Base"};
  davit::Output y{this, "y", "", "Power"};
};
