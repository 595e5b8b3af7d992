#include "io/interface_run.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "framework/nearest_name.h"
#include "io/net/socket.h"

namespace davit {
namespace {

using Clock = ValueBoard::Clock;

double SecondsSince(Clock::time_point time, Clock::time_point now) {
  return std::chrono::duration<double>(now - time).count();
}

/// Why it is not opened; empty if it may be.
Fault FaultOfHost(const Interface& interface, IoReach reach) {
  const std::optional<Endpoint> endpoint = Endpoint::Read(interface.host(), 0);
  if (!endpoint)
    return {Quoted(interface.host()) + " is not an IP address", "write one in digits, such as 127.0.0.1"};
  if (reach == IoReach::kNetwork || endpoint->is_loopback()) return {};
  return {fmt::format("{} is not on this computer alone", Quoted(interface.host())),
          "allow the network with --io network, or run without interfaces with --io none"};
}

}  // namespace

/// An interface and its partner.
class InterfaceRun::Link {
 public:
  /// Throws as Interface::Open.
  Link(Simulation& simulation, Interface& interface)
      : simulation_(simulation),
        interface_(interface),
        board_(interface.mappings().size()),
        values_(board_.size()),
        is_missed_(board_.size(), 0),
        service_(interface.Open(board_)) {}

  void Exchange() {
    const double t = simulation_.time();
    const bool is_back = t < last_time_;  // another start, or a snapshot
    if (is_back || !is_started_) begin_ = t;
    const double same = SimulatorManager::kSameStep * simulation_.time_step();
    if (!is_back && is_started_ && t < due_ - same) return;
    last_time_ = t;
    due_ = begin_ + (std::floor((t - begin_ + same) * interface_.rate()) + 1) / interface_.rate();
    ExchangeNow();
  }

 private:
  void ExchangeNow() {
    const Clock::time_point now = Clock::now();
    board_.TakeWrites(writes_);
    if (is_started_) Supervise(now);
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = ItemOf(i).Read();
    for (const auto& [item, value] : writes_) {
      if (values_[item] != value) Submit(ItemOf(item).LaterWriteOf(value));
      values_[item] = value;
    }
    board_.Publish(values_);
    if (!std::exchange(is_started_, true)) {
      opened_at_ = now;
      service_->Start();
    }
    service_->Published();
  }

  /// Looks for silence, and puts safe values behind what was written before.
  void Supervise(Clock::time_point now) {
    Clock::time_point heard = board_.heard_at();
    if (heard == Clock::time_point::min()) {
      if (!interface_.calls_partner()) return;
      heard = opened_at_;
    }
    const double silence = SecondsSince(heard, now);
    const bool is_silent = silence > interface_.timeout();
    Alarm& alarm = interface_.silent();
    if (is_silent && !alarm.is_set()) {
      alarm.Set(fmt::format("not for {:.3g} s", silence));
      Submit(EventPost{nullptr, interface_.path() + ".silent"});
      for (std::size_t i = 0; i < values_.size(); ++i) WriteSafe(i);
    } else if (!is_silent && alarm.is_set()) {
      alarm.Clear();
      Submit(EventPost{nullptr, interface_.path() + ".heard"});
    }
    if (!is_silent) SuperviseItems(now);
  }

  /// Those with a timeout of their own.
  void SuperviseItems(Clock::time_point now) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const double timeout = interface_.mappings()[i]->timeout();
      if (std::isinf(timeout)) continue;
      const Clock::time_point written = board_.written_at(i);
      const bool is_missed = written != Clock::time_point::min() && SecondsSince(written, now) > timeout;
      if (is_missed && is_missed_[i] == 0) WriteSafe(i);
      is_missed_[i] = is_missed ? 1 : 0;
    }
  }

  void WriteSafe(std::size_t item) {
    if (const std::optional<double> safe = interface_.mappings()[item]->safe())
      writes_.emplace_back(item, *safe);
  }

  void Submit(std::variant<Assignment, MessageCall, EventPost> action) {
    simulation_.manager().Submit(
        {.time = simulation_.time(), .sender = interface_.path(), .action = std::move(action)});
  }

  const TreeItem& ItemOf(std::size_t item) const { return *interface_.mappings()[item]->item(); }

  Simulation& simulation_;
  Interface& interface_;
  ValueBoard board_;
  std::vector<double> values_;
  std::vector<ValueBoard::Write> writes_;
  std::vector<char> is_missed_;
  double begin_ = 0;  ///< exchanges are due at begin + n / rate [s]
  double due_ = 0;
  double last_time_ = -std::numeric_limits<double>::infinity();
  bool is_started_ = false;
  Clock::time_point opened_at_;
  std::unique_ptr<Service> service_;  // last: its thread uses the board
};

InterfaceRun::InterfaceRun(Simulation& simulation, IoReach reach, Diagnostics& diagnostics) {
  if (reach == IoReach::kNone) return;
  for (Interface* const interface : InterfacesOf(simulation.system())) {
    if (const Fault fault = FaultOfHost(*interface, reach)) {
      diagnostics.Error(interface->location(), interface->DisplayPath(), fault);
      continue;
    }
    try {
      links_.push_back(std::make_unique<Link>(simulation, *interface));
    } catch (const std::runtime_error& fault) {
      diagnostics.Error(interface->location(), interface->DisplayPath(), fault.what());
    }
  }
  if (diagnostics.has_errors()) links_.clear();
}

InterfaceRun::~InterfaceRun() = default;

void InterfaceRun::Exchange() {
  for (const std::unique_ptr<Link>& link : links_) link->Exchange();
}

}  // namespace davit
