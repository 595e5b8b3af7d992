#include "io/register.h"

#include "io/modbus.h"
#include "io/mqtt.h"
#include "io/udp.h"

namespace davit {

void RegisterIo(Registry& registry) {
  registry.Add<ModbusClient, ModbusServer, Mqtt, PacketField, Register, Topic, UdpIn, UdpOut>();
}

}  // namespace davit
