#include "io/modbus.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

#include "framework/version.h"
#include "io/net/frame_server.h"
#include "io/net/socket.h"

namespace davit {
namespace {

using modbus::Table;

constexpr std::size_t kAddresses = 65536;
constexpr std::chrono::milliseconds kBetweenAttempts{500};
constexpr double kLongestWait = 10;         // [s] for an answer
constexpr double kCyclesInLockStep = 1000;  // a second: the run waits for them

std::string_view NameOf(Table table) { return Register::kTableNames[static_cast<std::size_t>(table)]; }

/// `holding 10`, `holding 10 and 11`.
std::string TextOf(const RegisterPlace& place) {
  return place.words() == 1
             ? fmt::format("{} {}", NameOf(place.table), place.address)
             : fmt::format("{} {} and {}", NameOf(place.table), place.address, place.address + 1);
}

class ModbusServerService final : public Service {
 public:
  ModbusServerService(const Endpoint& endpoint, std::uint8_t unit, std::vector<RegisterPlace> places,
                      ValueBoard& board, RegisterBank::Accepts accepts)
      : listener_(ListenTcp(endpoint)),
        unit_(unit),
        board_(board),
        bank_(std::move(places), board, std::move(accepts)) {}

  void Start() override {
    server_.emplace(std::move(listener_),
                    [this](modbus::ByteSpan bytes, modbus::Bytes& answer) { return Serve(bytes, answer); });
  }

 private:
  std::size_t Serve(modbus::ByteSpan bytes, modbus::Bytes& answer) {
    using enum modbus::FrameSearch::Result;
    const modbus::FrameSearch found = modbus::FindFrame(bytes);
    if (found.result == kWrong) return FrameServer::kWrong;
    if (found.result == kIncomplete) return 0;
    const modbus::Frame& frame = found.frame;
    const bool is_ours = IsOurs(frame.unit);
    if (is_ours) board_.SetHeard(ValueBoard::Clock::now());
    modbus::AddFrame(frame.transaction, frame.unit,
                     is_ours ? modbus::Answer(frame.pdu, bank_, identity_)
                             : modbus::Refusal(frame.pdu[0], modbus::Exception::kGatewayTarget),
                     answer);
    return frame.size;
  }

  /// On TCP the units 0 and 255 are the server itself.
  bool IsOurs(std::uint8_t unit) const { return unit_ == 0 || unit == unit_ || unit == 0 || unit == 255; }

  Descriptor listener_;
  const std::uint8_t unit_;
  ValueBoard& board_;
  RegisterBank bank_;
  const modbus::Identity identity_{"davit", "davit", kVersion};
  std::optional<FrameServer> server_;  // last: its thread uses the others
};

/// Asks and writes all blocks in each cycle, in their order. What is asked acts together, and what is written
/// is of one exchange. Where the server does not answer, begins again.
class ModbusClientService final : public Service {
 public:
  using Clock = ValueBoard::Clock;

  ModbusClientService(const Endpoint& endpoint, std::uint8_t unit, double rate, double timeout,
                      std::vector<RegisterBlock> blocks, ValueBoard& board, RegisterBank::Accepts accepts)
      : endpoint_(endpoint),
        unit_(unit),
        period_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / rate))),
        patience_(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(std::min(timeout, kLongestWait)))),
        blocks_(std::move(blocks)),
        board_(board),
        accepts_(std::move(accepts)) {}

  ~ModbusClientService() override {
    wake_.Set();
    if (thread_.joinable()) thread_.join();
  }

  void Start() override {
    thread_ = std::thread([this] { Run(); });
  }

 private:
  void Run() {
    while (!wake_.is_set()) {
      if (Connect()) RunCycles();
      socket_.Close();
      SleepUntil(wake_, Clock::now() + kBetweenAttempts);
    }
  }

  bool Connect() {
    received_.clear();
    socket_ = ConnectTcp(endpoint_);
    return socket_.is_open() && WaitFor(socket_, POLLOUT, wake_, Clock::now() + patience_) &&
           IsConnected(socket_);
  }

  /// Until the server does not answer.
  void RunCycles() {
    for (Clock::time_point next = Clock::now(); !wake_.is_set();) {
      bool is_well = true;
      writes_.clear();
      board_.Look([&](std::span<const double> values) { values_.assign(values.begin(), values.end()); });
      for (const RegisterBlock& block : blocks_) {
        const std::optional<bool> is_done = block.is_asked ? Ask(block) : Tell(block);
        if (!is_done) return;
        is_well = is_well && *is_done;
      }
      board_.WriteAll(writes_, Clock::now());
      if (is_well) board_.SetHeard(Clock::now());
      next = std::max(next + period_, Clock::now());
      SleepUntil(wake_, next);
    }
  }

  // Nothing where the server does not answer; false where it refuses, or gives values that no item takes.

  std::optional<bool> Ask(const RegisterBlock& block) {
    if (!Exchange(modbus::ReadRequest(block.table, block.address, block.words))) return std::nullopt;
    const auto words = modbus::ReadAnswer(block.table, block.words, answer_);
    if (!words) return false;
    bool is_well = true;
    for (const RegisterPlace& place : block.places) {
      std::array<std::uint8_t, 4> bytes{};
      for (std::size_t i = 0; i < place.format.size(); ++i) {
        const std::uint16_t word = (*words)[place.address - block.address + i / 2];
        bytes[i] = static_cast<std::uint8_t>(i % 2 == 0 ? word >> 8 : word);
      }
      const double value = place.format.Read(std::span(bytes).first(place.format.size()));
      if (accepts_(place.item, value)) {
        writes_.emplace_back(place.item, value);
      } else {
        is_well = false;
      }
    }
    return is_well;
  }

  std::optional<bool> Tell(const RegisterBlock& block) {
    std::vector<std::uint16_t> words(block.words);
    for (const RegisterPlace& place : block.places) {
      if (!place.format.CanWrite(values_[place.item])) return false;
      std::array<std::uint8_t, 4> bytes{};
      place.format.Write(values_[place.item], std::span(bytes).first(place.format.size()));
      for (std::size_t i = 0; i < place.words(); ++i)
        words[place.address - block.address + i] =
            static_cast<std::uint16_t>(bytes[2 * i] << 8 | bytes[2 * i + 1]);
    }
    const modbus::Bytes request = modbus::WriteRequest(block.table, block.address, words);
    if (!Exchange(request)) return std::nullopt;
    return modbus::IsWritten(request, answer_);
  }

  /// Sends a request and waits for its answer.
  bool Exchange(const modbus::Bytes& request) {
    const Clock::time_point until = Clock::now() + patience_;
    modbus::Bytes frame;
    modbus::AddFrame(++transaction_, unit_, request, frame);
    for (modbus::ByteSpan rest = frame; !rest.empty();) {
      if (!WaitFor(socket_, POLLOUT, wake_, until)) return false;
      const ssize_t count = send(socket_.number(), rest.data(), rest.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      rest = rest.subspan(static_cast<std::size_t>(count));
    }
    while (true) {
      const modbus::FrameSearch found = modbus::FindFrame(received_);
      if (found.result == modbus::FrameSearch::Result::kWrong) return false;
      if (found.result == modbus::FrameSearch::Result::kFrame) {
        const bool is_answer = found.frame.transaction == transaction_;
        answer_.assign(found.frame.pdu.begin(), found.frame.pdu.end());
        received_.erase(received_.begin(), received_.begin() + static_cast<std::ptrdiff_t>(found.frame.size));
        if (is_answer) return true;
        continue;
      }
      if (!WaitFor(socket_, POLLIN, wake_, until)) return false;
      std::array<std::uint8_t, modbus::kLargestFrame> place;
      const ssize_t count = recv(socket_.number(), place.data(), place.size(), 0);
      if (count <= 0) return false;
      received_.insert(received_.end(), place.begin(), place.begin() + count);
    }
  }

  const Endpoint endpoint_;
  const std::uint8_t unit_;
  const Clock::duration period_;
  const Clock::duration patience_;
  const std::vector<RegisterBlock> blocks_;
  ValueBoard& board_;
  RegisterBank::Accepts accepts_;
  WakeUp wake_;
  Descriptor socket_;
  std::uint16_t transaction_ = 0;
  modbus::Bytes received_;
  modbus::Bytes answer_;
  std::vector<double> values_;             ///< of a cycle
  std::vector<ValueBoard::Write> writes_;  ///< of a cycle
  std::thread thread_;                     // last: it uses the others
};

}  // namespace

RegisterPlace Register::PlaceOf(std::size_t item) const {
  return {table(), static_cast<std::uint16_t>(int{address_}), format(), is_written(), item};
}

std::vector<RegisterPlace> ModbusInterface::Places() const {
  std::vector<RegisterPlace> places;
  places.reserve(mappings().size());
  for (std::size_t i = 0; i < mappings().size(); ++i)
    places.push_back(dynamic_cast<const Register&>(*mappings()[i]).PlaceOf(i));
  std::ranges::sort(places, {}, [](const RegisterPlace& one) { return std::tuple(one.table, one.address); });
  return places;
}

void ModbusInterface::CheckPlaces(Diagnostics& diagnostics) const {
  const RegisterPlace* before = nullptr;
  const std::vector<RegisterPlace> places = Places();
  for (const RegisterPlace& place : places) {
    const auto& reg = dynamic_cast<const Register&>(*mappings()[place.item]);
    const auto refuse = [&](const Fault& fault) {
      diagnostics.Error(reg.location(), reg.DisplayPath(), fault);
    };
    if (place.end() > kAddresses)
      refuse({fmt::format("address {} leaves no room for the second register of {}", place.address,
                          kWireTypeNames[static_cast<std::size_t>(place.format.type)]),
              "the last address is 65535"});
    if (before != nullptr && before->table == place.table && before->end() > place.address)
      refuse({fmt::format("{} overlaps line {}, which has {}", TextOf(place),
                          mappings()[before->item]->location().line, TextOf(*before)),
              fmt::format("the next free address is {}", before->end())});
    if (const Fault fault = FaultOf(reg, place)) refuse(fault);
    before = &place;
  }
}

std::unique_ptr<Service> ModbusServer::Open(ValueBoard& board) {
  return std::make_unique<ModbusServerService>(
      *Endpoint::Read(host(), port()), unit(), Places(), board,
      [this](std::size_t item, double value) { return Accepts(item, value); });
}

Fault ModbusServer::FaultOf(const Register& reg, const RegisterPlace& place) const {
  const bool is_read_only = place.table == Table::kInput || place.table == Table::kDiscrete;
  if (is_read_only && place.is_writable)
    return {fmt::format("a client cannot write table {}", NameOf(place.table)),
            reg.is_bit() ? "use table=\"coil\"" : "use table=\"holding\""};
  if (place.words() == 2 && place.address % 2 != 0)
    return {fmt::format("a number of two registers at the odd address {}", place.address),
            fmt::format("use address {} or {}", place.address - 1, place.address + 1)};
  return {};
}

std::unique_ptr<Service> ModbusClient::Open(ValueBoard& board) {
  std::vector<RegisterBlock> blocks = BlocksOf(Places());
  const auto has = [&](std::string_view item) {
    return [own = FindOwn(item)](const RegisterBlock& block) {
      return own && std::ranges::find(block.places, *own, &RegisterPlace::item) != block.places.end();
    };
  };
  // Behind the answer all is as new as it, and the step says that all before it is there.
  std::ranges::stable_partition(blocks, has("answer"));
  std::ranges::stable_partition(blocks, std::not_fn(has("step")));
  const double cycles = supervision()->is_lock_step() ? kCyclesInLockStep : rate();
  return std::make_unique<ModbusClientService>(
      *Endpoint::Read(host(), port()), unit(), cycles, supervision()->timeout, std::move(blocks), board,
      [this](std::size_t item, double value) { return Accepts(item, value); });
}

Fault ModbusClient::FaultOf(const Register& reg, const RegisterPlace& place) const {
  const bool is_read_only = place.table == Table::kInput || place.table == Table::kDiscrete;
  if (is_read_only && !place.is_writable)
    return {fmt::format("table {} of the partner cannot be written", NameOf(place.table)),
            reg.is_bit() ? "use table=\"coil\", or access=\"write\" to take its value"
                         : "use table=\"holding\", or access=\"write\" to take its value"};
  return {};
}

std::vector<RegisterBlock> BlocksOf(std::span<const RegisterPlace> places) {
  std::vector<RegisterBlock> blocks;
  for (const RegisterPlace& place : places) {
    const bool is_bit = place.table == Table::kCoil || place.table == Table::kDiscrete;
    const std::size_t most = is_bit
                                 ? (place.is_writable ? modbus::kMostBitsRead : modbus::kMostBitsWritten)
                                 : (place.is_writable ? modbus::kMostWordsRead : modbus::kMostWordsWritten);
    RegisterBlock* const last = blocks.empty() ? nullptr : &blocks.back();
    if (last == nullptr || last->table != place.table || last->is_asked != place.is_writable ||
        last->address + last->words != place.address || last->words + place.words() > most) {
      blocks.push_back({place.table, place.is_writable, place.address, 0, {}});
    }
    blocks.back().words += place.words();
    blocks.back().places.push_back(place);
  }
  return blocks;
}

}  // namespace davit
