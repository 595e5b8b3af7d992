// Uses a function that no davit has.

#include "simulator/plugin_entry.h"

namespace davit {
double FlowThroughNothing(double pressure);
}

namespace {

class Nothing final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Nothing", .text = "Needs what is not there"};
  void EvaluateDiffEquations(double t) override { y = davit::FlowThroughNothing(t); }

 private:
  davit::Output y{this, "y", "", "Value"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Nothing>(); });
