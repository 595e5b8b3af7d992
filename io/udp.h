#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/interface.h"

namespace davit {

/// `<PacketField>`: an item in a packet. Fields follow each other without gaps; those of UdpIn are written.
class PacketField final : public BinaryMapping {
 public:
  static constexpr ModelInfo kInfo{.name = "PacketField", .text = "An item of the system in a packet"};

  bool is_written() const override;
};

/// What packets in both directions have in common: all fields, in the order of the file.
class UdpInterface : public Interface {
 public:
  /// So that a packet is not divided on its way.
  static constexpr std::size_t kMostBytes = 1400;

  std::string_view mapping_model() const override { return PacketField::kInfo.name; }
  bool calls_partner() const override { return false; }
  std::uint16_t port() const { return static_cast<std::uint16_t>(int{port_}); }

 protected:
  void CheckPlaces(Diagnostics& diagnostics) const override;
  std::vector<WireFormat> Formats() const;

 private:
  Property<int> port_{this, "port", "UDP port to which the packets go", 5000, Range{1, 65535}};
};

/// `<UdpOut>`: sends a packet at each exchange.
class UdpOut final : public UdpInterface {
 public:
  static constexpr ModelInfo kInfo{.name = "UdpOut", .text = "Sends items of the system in UDP packets"};

  const std::string& host() const override { return host_.value(); }
  std::unique_ptr<Service> Open(ValueBoard& board) override;

 private:
  Property<std::string> host_{this, "host", "IP address of the partner", "127.0.0.1"};
};

/// `<UdpIn>`: writes the items of the last packet since the last exchange. A packet of another sender, of
/// another size, or with a value that an item does not take, is ignored.
class UdpIn final : public UdpInterface {
 public:
  static constexpr ModelInfo kInfo{.name = "UdpIn", .text = "Writes items of the system from UDP packets"};

  const std::string& host() const override { return listen_.value(); }
  Supervision* supervision() override { return &supervision_; }
  std::unique_ptr<Service> Open(ValueBoard& board) override;

 protected:
  void CheckPlaces(Diagnostics& diagnostics) const override;

 private:
  Supervision supervision_{this};
  Property<std::string> listen_{
      this, "listen", "IP address of this computer at which packets are taken; 0.0.0.0: all", "127.0.0.1"};
  Property<std::string> from_{this, "from", "IP address of the partner; packets of others are ignored",
                              "127.0.0.1"};
};

}  // namespace davit
