// A model that cannot be made.

#include <stdexcept>

#include "simulator/plugin_entry.h"

namespace {

class Unmakeable final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Unmakeable", .text = "Throws in its constructor"};
  Unmakeable() { throw std::runtime_error("no table at hand"); }
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Unmakeable>(); });
