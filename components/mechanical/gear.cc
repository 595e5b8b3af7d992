#include "components/mechanical/gear.h"

namespace davit {

Gear::Gear() { EffortsRead({b}); }

void Gear::ParametersChanged() {
  for (std::size_t i = 0; i < a.size(); ++i) a[i].inertia = inertia;
}

}  // namespace davit
