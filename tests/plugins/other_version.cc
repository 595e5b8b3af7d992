// Built for another davit, with a Component of another size.

#include "simulator/plugin_entry.h"

const davit::PluginEntry davit_plugin = [] {
  davit::PluginEntry entry = davit::MakePlugin([](davit::Registry&) {});
  entry.build.davit_version = "0.0.1";
  return entry;
}();
