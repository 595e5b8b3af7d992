// A model of a name that davit has.

#include "simulator/plugin_entry.h"

namespace {

class OwnTank final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "hydraulic.Tank", .text = "Another tank"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<OwnTank>(); });
