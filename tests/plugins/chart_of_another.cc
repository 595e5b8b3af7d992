// Its chart is of a model that another plug-in has.

#include "tests/plugins/power.h"

namespace {
struct Names {
  static constexpr std::string_view kName = "plugin.Lonely";
};
}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Power<Names>>(); });
