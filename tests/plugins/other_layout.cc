// The entry of another layout than that of this davit.

#include "simulator/plugin_entry.h"

const davit::PluginEntry davit_plugin = [] {
  davit::PluginEntry entry = davit::MakePlugin([](davit::Registry&) {});
  entry.abi = davit::kPluginAbi + 1;
  return entry;
}();
