// A model whose name has no domain.

#include "simulator/plugin_entry.h"

namespace {

class Valve final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "Valve", .text = "Has no domain"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Valve>(); });
