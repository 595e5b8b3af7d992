// Uses a function that the program has, but the runtime of FMUs has not.

#include <string_view>

#include "simulator/plugin_entry.h"

namespace davit {
std::string_view KindsOf(bool has_co_simulation, bool has_model_exchange);
}

namespace {

class Kinds final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Kinds", .text = "Needs what models should not"};
  void EvaluateDiffEquations(double /*t*/) override {
    y = static_cast<double>(davit::KindsOf(true, true).size());
  }

 private:
  davit::Output y{this, "y", "", "Length of a text"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Kinds>(); });
