// A plug-in that adds nothing.

#include "simulator/plugin_entry.h"

const davit::PluginEntry davit_plugin = davit::MakePlugin([](davit::Registry&) {});
