#include "components/mechanical/rigid_link.h"

#include <string>

namespace davit {

RigidLink::RigidLink() { EffortsRead({}); }

void RigidLink::ParametersChanged() {
  a->wants_acceleration = true;
  b->wants_acceleration = true;
}

void RigidLink::CheckConnections(Diagnostics& diagnostics) {
  for (const TranslationalPort* port : {&a, &b}) {
    if (!port->is_connected() || (*port)->gives_acceleration) continue;
    diagnostics.Error(
        location(), DisplayPath(),
        std::string("the component at port ") + (port == &a ? "a" : "b") +
            " does not provide its acceleration; connect a mechanical.Mass or a mechanical.Fixed");
  }
}

}  // namespace davit
