#include "app/absent_part.h"
#include "app/interfaces.h"
#include "io/modbus.h"
#include "io/mqtt.h"
#include "io/udp.h"

namespace davit {
namespace {

constexpr AbsentPart kIo{"io"};

/// In the place of an interface, so that a system that has one asks for the part.
template <class Model>
struct AbsentInterface final : Component {
  static constexpr ModelInfo kInfo = Model::kInfo;
  using StandsInSystems = void;
  AbsentInterface() { throw kIo; }
};

}  // namespace

void RegisterInterfaces(Registry& registry) {
  if (CanBringParts())
    registry.Add<AbsentInterface<ModbusClient>, AbsentInterface<ModbusServer>, AbsentInterface<Mqtt>,
                 AbsentInterface<UdpIn>, AbsentInterface<UdpOut>>();
}

bool IsInterface(const Component& /*component*/) { return false; }

PartnerExchange OpenInterfaces(Simulation& /*simulation*/, IoReach /*reach*/, Diagnostics& /*diagnostics*/) {
  return {};
}

}  // namespace davit
