// Its chart reads a signal that its model does not have.

#include "tests/plugins/power.h"

namespace {
struct Names {
  static constexpr std::string_view kName = "plugin.Misspelt";
};
}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Power<Names>>(); });
