// A domain that does not say what its bonds are.

#include "simulator/plugin_entry.h"

namespace {

struct LightBond : davit::Bond {
  double flux = 0;
  static const davit::Domain kDomain;
};

inline constexpr davit::Domain LightBond::kDomain{
    .name = "optical",
    .effort = {.name = "E", .unit = "V/m"},
    .variables = {{.name = "flux", .unit = "W", .of = davit::OfBond<&LightBond::flux>}},
    .bond = {},
    .impedance_unit = "V/m/W",
};

class Lamp final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.Lamp",
                                          .text = "Has a port of an unfinished domain"};
};

}  // namespace

const davit::PluginEntry davit_plugin = davit::MakePlugin([](davit::Registry& registry) {
  registry.AddDomain(LightBond::kDomain);
  registry.Add<Lamp>();
});
