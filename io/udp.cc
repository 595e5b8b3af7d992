#include "io/udp.h"

#include <fmt/format.h>
#include <poll.h>

#include <array>
#include <numeric>
#include <span>
#include <thread>
#include <utility>

#include "framework/nearest_name.h"
#include "io/net/socket.h"

namespace davit {
namespace {

std::size_t SizeOf(const std::vector<WireFormat>& formats) {
  return std::accumulate(formats.begin(), formats.end(), std::size_t{0},
                         [](std::size_t size, const WireFormat& one) { return size + one.size(); });
}

class UdpOutService final : public Service {
 public:
  UdpOutService(const Endpoint& endpoint, std::vector<WireFormat> formats, ValueBoard& board)
      : socket_(ConnectUdp(endpoint)),
        formats_(std::move(formats)),
        board_(board),
        packet_(SizeOf(formats_)) {}

  void Start() override {}

  void Published() override {
    const bool has_all = board_.Look([this](std::span<const double> values) {
      std::span<std::uint8_t> rest = packet_;
      for (std::size_t i = 0; i < formats_.size(); ++i) {
        if (!formats_[i].CanWrite(values[i])) return false;
        formats_[i].Write(values[i], rest.first(formats_[i].size()));
        rest = rest.subspan(formats_[i].size());
      }
      return true;
    });
    // Lost packets are the nature of UDP, and nobody may be there.
    if (has_all) send(socket_.number(), packet_.data(), packet_.size(), MSG_NOSIGNAL);
  }

 private:
  Descriptor socket_;
  const std::vector<WireFormat> formats_;
  ValueBoard& board_;
  std::vector<std::uint8_t> packet_;
};

class UdpInService final : public Service {
 public:
  using Accepts = std::function<bool(std::size_t item, double value)>;

  UdpInService(const Endpoint& listen, const Endpoint& from, std::vector<WireFormat> formats,
               ValueBoard& board, Accepts accepts)
      : socket_(BindUdp(listen)),
        from_(from),
        formats_(std::move(formats)),
        board_(board),
        accepts_(std::move(accepts)),
        size_(SizeOf(formats_)) {}

  ~UdpInService() override {
    wake_.Set();
    if (thread_.joinable()) thread_.join();
  }

  void Start() override {
    thread_ = std::thread([this] {
      while (!wake_.is_set()) {
        if (WaitFor(socket_, POLLIN, wake_, ValueBoard::Clock::now() + std::chrono::seconds(10))) Receive();
      }
    });
  }

 private:
  void Receive() {
    std::array<std::uint8_t, UdpInterface::kMostBytes + 1> place;
    sockaddr_storage sender{};
    socklen_t sender_size = sizeof(sender);
    const ssize_t count = recvfrom(socket_.number(), place.data(), place.size(), 0,
                                   reinterpret_cast<sockaddr*>(&sender), &sender_size);
    if (count < 0 || !from_.HasHostOf(sender)) return;
    if (static_cast<std::size_t>(count) != size_)
      return board_.Refuse(fmt::format("a packet with other than {} bytes", size_));
    std::span<const std::uint8_t> rest(place);
    writes_.clear();
    for (std::size_t i = 0; i < formats_.size(); ++i) {
      const double value = formats_[i].Read(rest.first(formats_[i].size()));
      if (!accepts_(i, value))
        return board_.Refuse(
            fmt::format("field {} of a packet, {:.9g}, is not a value of its item", i + 1, value));
      writes_.emplace_back(i, value);
      rest = rest.subspan(formats_[i].size());
    }
    const ValueBoard::Clock::time_point now = ValueBoard::Clock::now();
    board_.WriteAll(writes_, now);
    board_.SetHeard(now);
  }

  Descriptor socket_;
  const Endpoint from_;
  const std::vector<WireFormat> formats_;
  ValueBoard& board_;
  Accepts accepts_;
  const std::size_t size_;
  std::vector<ValueBoard::Write> writes_;
  WakeUp wake_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace

bool PacketField::is_written() const { return dynamic_cast<const UdpIn*>(parent()) != nullptr; }

std::vector<WireFormat> UdpInterface::Formats() const {
  std::vector<WireFormat> formats;
  formats.reserve(mappings().size());
  for (const Mapping* const mapping : mappings()) formats.push_back(mapping->format());
  return formats;
}

void UdpInterface::CheckPlaces(Diagnostics& diagnostics) const {
  const std::size_t size = SizeOf(Formats());
  if (size > kMostBytes)
    diagnostics.Error(location(), DisplayPath(),
                      Fault{fmt::format("a packet of {} bytes", size),
                            fmt::format("use several interfaces of at most {} bytes each", kMostBytes)});
}

std::unique_ptr<Service> UdpOut::Open(ValueBoard& board) {
  return std::make_unique<UdpOutService>(*Endpoint::Read(host(), port()), Formats(), board);
}

std::unique_ptr<Service> UdpIn::Open(ValueBoard& board) {
  return std::make_unique<UdpInService>(
      *Endpoint::Read(host(), port()), *Endpoint::Read(from_.value(), 0), Formats(), board,
      [this](std::size_t item, double value) { return Accepts(item, value); });
}

void UdpIn::CheckPlaces(Diagnostics& diagnostics) const {
  UdpInterface::CheckPlaces(diagnostics);
  if (!Endpoint::Read(from_.value(), 0))
    diagnostics.Error(location(), DisplayPath(),
                      Fault{fmt::format("from: {} is not an IP address", Quoted(from_.value())),
                            "write that of the partner in digits, such as 192.168.0.10"});
}

}  // namespace davit
