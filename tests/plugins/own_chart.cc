// A plug-in whose model has a chart of its own: the level follows the input.

#include "tests/plugins/power.h"

namespace {
struct Names {
  static constexpr std::string_view kName = "plugin.Chosen";
};
}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Power<Names>>(); });
