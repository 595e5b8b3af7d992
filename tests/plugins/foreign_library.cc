// Linked with a shared library that is none of davit's or the system's.

#include <zip.h>

#include "simulator/plugin_entry.h"

namespace {

class Zipped final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Zipped", .text = "Asks libzip for its version"};
  void EvaluateDiffEquations(double /*t*/) override { y = *zip_libzip_version(); }

 private:
  davit::Output y{this, "y", "", "First letter of the version"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<Zipped>(); });
