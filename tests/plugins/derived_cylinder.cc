// A model derived from one of davit, with one more option of an aspect.

#include <cmath>

#include "components/hydraulic/cylinder.h"
#include "simulator/plugin_entry.h"

namespace {

/// F = F0 tanh(v/v0), with friction Measured.
class DerivedCylinder final : public davit::Cylinder {
 public:
  static constexpr davit::ModelInfo kInfo{.name = "plugin.DerivedCylinder",
                                          .text = "Cylinder with one more law of friction",
                                          .levels = davit::Cylinder::kInfo.levels};

 protected:
  double AddedFriction(Friction /*option*/) const override { return F0 * std::tanh(v / 1e-3); }

 private:
  const Friction measured_ = friction.AddOption("Measured");
  davit::Parameter F0{
      this, "measured_force", "N", "Friction of the seals",
      davit::Number{.value = 20e3, .range = davit::kNonNegative, .when = friction.Is(measured_)}};
};

}  // namespace

const davit::PluginEntry davit_plugin =
    davit::MakePlugin([](davit::Registry& registry) { registry.Add<DerivedCylinder>(); });
