#include "io/interface_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "framework/nearest_name.h"
#include "io/net/socket.h"

namespace davit {
namespace {

using Clock = ValueBoard::Clock;

constexpr double kForFirstAnswer = 60;  // [s] somebody may have to start the partner
constexpr std::chrono::milliseconds kBetweenRepeats{100};

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
        supervision_(interface.supervision()),
        service_(interface.Open(board_)) {
    if (supervision_ != nullptr && supervision_->is_lock_step()) answer_ = interface.FindOwn("answer");
  }

  /// Whether an exchange is due now.
  bool Begin() {
    const double t = simulation_.time();
    const bool is_back = t < last_time_;  // another start, or a snapshot
    if (is_back || !is_started_) begin_ = t;
    const double same = SimulatorManager::kSameStep * simulation_.time_step();
    if (!is_back && is_started_ && t < due_ - same) return false;
    last_time_ = t;
    const double next = std::floor((t - begin_ + same) * interface_.rate()) + 1;
    due_ = begin_ + next / interface_.rate();
    if (supervision_ != nullptr && supervision_->is_lock_step()) supervision_->step = next;
    return true;
  }

  /// Gives values to the partner; except in lock step, takes its writes before. Pre: Begin.
  void Publish() {
    const Clock::time_point now = Clock::now();
    writes_.clear();
    if (!answer_) {
      board_.TakeWrites(writes_);
      if (supervision_ != nullptr && is_started_) Supervise(now);
    }
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = ItemOf(i).Read();
    SubmitWrites();
    if (answer_) values_[*answer_] = answered_;
    is_answered_ = !answer_;
    board_.Publish(values_);
    published_at_ = now;
    if (!std::exchange(is_started_, true)) {
      opened_at_ = now;
      service_->Start();
    }
    service_->Published();
  }

  /// Gives the same values again: the partner came later, or a message got lost.
  void Repeat() { service_->Published(); }

  /// In lock step, takes the writes that come with the answer, and calls `repeat` now and then until it comes
  /// or `repeat` returns false. Returns whether it has come. Throws SimulationFailure where it does not.
  template <class Call>
  bool Await(const Call& repeat) {
    if (is_answered_) return true;
    const double patience = answered_ > 0 ? double{supervision_->timeout}
                                          : std::max<double>(supervision_->timeout, kForFirstAnswer);
    const Clock::time_point begin = Clock::now();  // a pause is not charged
    while (
        !board_.WaitForWrite(*answer_, supervision_->step, published_at_, Clock::now() + kBetweenRepeats)) {
      if (simulation_.is_stop_requested() || !repeat()) return false;
      if (const double waited = SecondsSince(begin, Clock::now()); waited > patience) GiveUp(waited);
    }
    is_answered_ = true;
    answered_ = supervision_->step;
    board_.TakeWrites(writes_);
    ReportRefusals(Clock::now());
    SubmitWrites();
    return true;
  }

 private:
  void SubmitWrites() {
    for (const auto& [item, value] : writes_) {
      if (item == answer_) continue;
      if (values_[item] != value) Submit(ItemOf(item).LaterWriteOf(value));
      values_[item] = value;
    }
  }

  [[noreturn]] void GiveUp(double waited) {
    const std::string text = fmt::format("no answer to step {:.0f} of lock step within {:.3g} s{}",
                                         double{supervision_->step}, waited, Trouble());
    supervision_->silent.Set(text);
    throw SimulationFailure(fmt::format("{}: {}; look at the partner, or give it more time with timeout",
                                        interface_.DisplayPath(), text),
                            simulation_.time());
  }

  /// What went wrong, as the end of a sentence.
  std::string Trouble() const {
    const std::string trouble = board_.trouble();
    return trouble.empty() ? "" : ": " + trouble;
  }

  void ReportRefusals(Clock::time_point now) {
    const std::uint64_t refusals = board_.TakeRefusals();
    if (refusals > 0) {
      supervision_->refusals = supervision_->refusals + static_cast<double>(refusals);
      refused_at_ = now;
      supervision_->refused.Set(board_.trouble());
    } else if (SecondsSince(refused_at_, now) > supervision_->timeout) {
      supervision_->refused.Clear();
    }
  }

  /// Looks for silence, and puts safe values behind what was written before.
  void Supervise(Clock::time_point now) {
    ReportRefusals(now);
    Clock::time_point heard = board_.heard_at();
    if (heard == Clock::time_point::min()) {
      if (!interface_.calls_partner()) return;
      heard = opened_at_;
    }
    const double silence = SecondsSince(heard, now);
    const bool is_silent = silence > supervision_->timeout;
    Alarm& alarm = supervision_->silent;
    if (is_silent && !alarm.is_set()) {
      alarm.Set(fmt::format("not for {:.3g} s{}", silence, Trouble()));
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
  Clock::time_point published_at_;
  Clock::time_point refused_at_;
  Supervision* const supervision_;     ///< null where the partner is not heard
  std::optional<std::size_t> answer_;  ///< in lock step, the item that the partner answers with
  double answered_ = 0;                ///< the last step that it has answered
  bool is_answered_ = true;            ///< the step of the last exchange; without lock step always
  std::unique_ptr<Service> service_;   // last: its thread uses the board
};

InterfaceRun::InterfaceRun(Simulation& simulation, IoReach reach, Diagnostics& diagnostics)
    : simulation_(simulation) {
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
  due_.reserve(links_.size());
}

InterfaceRun::~InterfaceRun() = default;

bool InterfaceRun::Exchange(const std::function<bool()>& keeps_waiting) {
  if (simulation_.time() != due_time_) due_.clear();  // another start, or a snapshot
  if (due_.empty()) {
    due_time_ = simulation_.time();
    for (const std::unique_ptr<Link>& link : links_) {
      if (link->Begin()) due_.push_back(link.get());
    }
    // A partner may answer one interface with what it has from another.
    for (Link* const link : due_) link->Publish();
  }
  const bool has_all = std::ranges::all_of(due_, [&](Link* link) {
    return link->Await([&] {
      for (Link* const one : due_) one->Repeat();
      return !keeps_waiting || keeps_waiting();
    });
  });
  if (has_all) due_.clear();
  return has_all;
}

}  // namespace davit
