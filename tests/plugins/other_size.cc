// Built with headers or options that give a base class another size.

#include "simulator/plugin_entry.h"

const davit::PluginEntry davit_plugin = [] {
  davit::PluginEntry entry = davit::MakePlugin([](davit::Registry&) {});
  entry.build.sizes[0].size += 8;
  return entry;
}();
