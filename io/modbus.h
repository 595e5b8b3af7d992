#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/interface.h"
#include "io/modbus_protocol.h"
#include "io/register_bank.h"

namespace davit {

/// `<Register>`: an item in one register of 16 bits, in two, or in one bit.
class Register final : public BinaryMapping {
 public:
  /// What the partner does with the item.
  enum class Access : std::uint8_t { kRead, kWrite };
  static constexpr std::array<std::string_view, 2> kAccessNames{"read", "write"};
  static constexpr std::array<std::string_view, 4> kTableNames{"holding", "input", "coil", "discrete"};
  static constexpr ModelInfo kInfo{.name = "Register",
                                   .text = "An item of the system in a register of Modbus"};

  bool is_written() const override { return access_ == Access::kWrite; }
  modbus::Table table() const { return table_; }
  bool is_bit() const { return table() == modbus::Table::kCoil || table() == modbus::Table::kDiscrete; }
  /// Pre: the item is known.
  RegisterPlace PlaceOf(std::size_t item) const;

 protected:
  WireFormat bytes() const override {
    return is_bit() ? WireFormat{.type = WireType::kBool} : BinaryMapping::bytes();
  }

 private:
  Property<modbus::Table> table_{this, "table",
                                 "Table of the device: registers of 16 bits (holding, input), bits (coil, "
                                 "discrete), which are always bool",
                                 modbus::Table::kHolding, kTableNames};
  Property<Access> access_{this, "access", "What the partner does with the item", Access::kRead,
                           kAccessNames};
  Property<int> address_{this, "address",
                         "Address on the wire of its first register; documents count from 1, often with "
                         "the table in front: 40001 is address 0 of holding",
                         0, Range{0, 65535}};
};

/// What the two ends of Modbus have in common.
class ModbusInterface : public Interface {
 public:
  std::string_view mapping_model() const override { return Register::kInfo.name; }
  Supervision* supervision() override { return &supervision_; }
  std::uint16_t port() const { return static_cast<std::uint16_t>(int{port_}); }
  std::uint8_t unit() const { return static_cast<std::uint8_t>(int{unit_}); }
  /// By table and address. Pre: all items are known.
  std::vector<RegisterPlace> Places() const;

 protected:
  void CheckPlaces(Diagnostics& diagnostics) const override;
  /// What is wrong with one of them; empty if nothing is.
  virtual Fault FaultOf(const Register& reg, const RegisterPlace& place) const = 0;

 private:
  Supervision supervision_{this};
  Property<int> port_{this, "port", "TCP port of the server", 502, Range{1, 65535}};
  Property<int> unit_{this, "unit", "Unit id of the server; 0: a server answers every unit", 0,
                      Range{0, 255}};
};

/// `<ModbusServer>`: a Modbus TCP device, which controllers ask.
class ModbusServer final : public ModbusInterface {
 public:
  static constexpr ModelInfo kInfo{
      .name = "ModbusServer",
      .text =
          "Items of the system as the registers of a Modbus TCP server, for a controller that is a client"};

  const std::string& host() const override { return listen_.value(); }
  bool calls_partner() const override { return false; }
  std::unique_ptr<Service> Open(ValueBoard& board) override;

 protected:
  Fault FaultOf(const Register& reg, const RegisterPlace& place) const override;

 private:
  Property<std::string> listen_{this, "listen",
                                "IP address of this computer at which it listens; 0.0.0.0: all", "127.0.0.1"};
};

/// `<ModbusClient>`: asks a Modbus TCP device, such as a controller that is a server.
class ModbusClient final : public ModbusInterface {
 public:
  static constexpr ModelInfo kInfo{
      .name = "ModbusClient",
      .text = "Items of the system and registers of a Modbus TCP server, which davit asks and writes"};

  const std::string& host() const override { return host_.value(); }
  bool calls_partner() const override { return true; }
  std::unique_ptr<Service> Open(ValueBoard& board) override;

 protected:
  Fault FaultOf(const Register& reg, const RegisterPlace& place) const override;

 private:
  Property<std::string> host_{this, "host", "IP address of the server", "127.0.0.1"};
};

/// One request of a client in each cycle: neighbouring places of a table that go the same way.
struct RegisterBlock {
  modbus::Table table = modbus::Table::kHolding;
  bool is_asked = false;  ///< read from the device; else written to it
  std::uint16_t address = 0;
  std::size_t words = 0;
  std::vector<RegisterPlace> places;
};

/// As few as the limits of a request allow. Pre: `places` are ordered by table and address.
std::vector<RegisterBlock> BlocksOf(std::span<const RegisterPlace> places);

}  // namespace davit
