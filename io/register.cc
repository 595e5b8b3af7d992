#include "io/register.h"

#include "io/modbus.h"
#include "io/udp.h"

namespace davit {

void RegisterIo(Registry& registry) {
  registry.Add<PacketField, ModbusClient, ModbusServer, Register, UdpIn, UdpOut>();
}

}  // namespace davit
