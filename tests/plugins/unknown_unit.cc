// A parameter in a unit that does not exist.

#include "simulator/plugin_entry.h"

namespace {

class Unmeasured final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Unmeasured", .text = "Has an unknown unit"};

 private:
  davit::Parameter length{this, "length", "cubit", "Length", 1.0};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Unmeasured>(); });
