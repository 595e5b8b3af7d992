// A domain with a name of davit's, whose bonds carry something else.

#include "simulator/plugin_entry.h"

namespace {

struct OilBond : davit::Bond {
  double q = 0;
  double temperature = 0;
  static const davit::Domain kDomain;
};

inline constexpr davit::Domain OilBond::kDomain{
    .name = "hydraulic",
    .effort = {.name = "p", .unit = "Pa"},
    .variables = {{.name = "q", .unit = "m3/s", .of = davit::OfBond<&OilBond::q>},
                  {.name = "T", .unit = "K", .of = davit::OfBond<&OilBond::temperature>}},
    .bond = davit::BondType::Of<OilBond>(),
    .impedance_unit = "Pa.s/m3",
};

class WarmPort final : public davit::DynamicSimComponent {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.WarmPort", .text = "Has a port of its own kind"};

 private:
  davit::Port<OilBond> port{this, "port", davit::Role::kQ, "Port"};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<WarmPort>(); });
