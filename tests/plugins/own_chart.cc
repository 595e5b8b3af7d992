// A plug-in whose model has a chart of its own: the level follows the input.

#include "simulator/plugin_entry.h"

namespace {

/// y = u^2, or u^3 at the level Advanced.
class Chosen final : public davit::DynamicSimComponent {
 public:
  enum class Law { kSquare, kCube };
  static constexpr std::array<std::string_view, 2> kLawNames{"Square", "Cube"};
  static constexpr davit::ModelInfo kInfo{
      "plugin.Chosen", "Power of its input", {davit::Level::kIdeal, davit::Level::kAdvanced}};
  void EvaluateDiffEquations(double /*t*/) override { y = law == Law::kCube ? u * u * u : u * u; }

 private:
  davit::Aspect<Law> law{this, "law", "Exponent", kLawNames, Law::kSquare, Law::kSquare, Law::kCube};
  davit::Input u{this, "u", "", "Base"};
  davit::Output y{this, "y", "", "Power"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Chosen>(); });
