// Throws while it registers its models.

#include <stdexcept>

#include "simulator/plugin_entry.h"

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry&) { throw std::runtime_error("no licence for valves"); });
