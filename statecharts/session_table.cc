#include "statecharts/session_table.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "statecharts/time_text.h"

namespace davit {

SessionTable::SessionTable(std::shared_ptr<const Chart> chart, ChartHost* host, ChartObserver* observer,
                           const SessionLimits& limits)
    : host_(host),
      observer_(observer),
      limits_(limits),
      delayed_(limits.delayed_events),
      inbox_(limits.posted_events) {
  sessions_.reserve(limits.most_sessions);
  MakeChildren(Add(std::move(chart)));
}

Interpreter& SessionTable::Add(std::shared_ptr<const Chart> chart) {
  return *sessions_.emplace_back(std::make_unique<Interpreter>(std::move(chart), *this));
}

/// Sessions for children that are known now, so that invoking them allocates nothing in a step.
void SessionTable::MakeChildren(Interpreter& session) {
  for (Index i = 0; i < session.children_.size(); ++i) {
    const std::shared_ptr<const Chart>& child = session.chart_->invokes[i].child;
    const bool is_made = child != nullptr && child->data_model != DataModelKind::kEcmascript &&
                         sessions_.size() < limits_.most_sessions / 2;
    if (!is_made) continue;
    session.children_[i] = &Add(child);
    session.children_[i]->Prepare(0, &session, session.chart_->invokes[i].id, {});
    session.children_[i]->phase_ = Interpreter::Phase::kNotStarted;
    MakeChildren(*session.children_[i]);
  }
}

void SessionTable::Begin(Interpreter& session, Interpreter* parent, SymbolId invoke_id, Event given) {
  session.Prepare(next_number_++, parent, invoke_id, std::move(given));
}

Interpreter* SessionTable::FindSession(std::string_view id) {
  constexpr std::string_view kPrefix = "session";
  if (!id.starts_with(kPrefix)) return nullptr;
  id.remove_prefix(kPrefix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
  if (error != std::errc() || end != id.data() + id.size()) return nullptr;
  for (const auto& session : sessions_) {
    const bool is_alive = session->is_running() || session->phase_ == Interpreter::Phase::kWaiting;
    if (is_alive && session->number_ == number) return session.get();
  }
  return nullptr;
}

void SessionTable::Enter(double time) {
  if (session().phase_ != Interpreter::Phase::kNotStarted) Clear();
  time_ = time;
  Begin(session(), nullptr, kNoSymbol, {});
  session().Enter();
}

void SessionTable::Settle() {
  if (session().is_running()) {
    session().LatchSignals();
    session().EndStep();  // nothing rises or falls at the start
    session().RunMacrostep();
  }
  RunUntilStable(time_, 1);
}

void SessionTable::Clear() {
  delayed_.Clear();
  for (PostedEvent posted; inbox_.Take(posted);) {
  }
  std::shared_ptr<const Chart> chart = session().chart_;
  sessions_.clear();
  next_number_ = 1;
  MakeChildren(Add(std::move(chart)));
}

bool SessionTable::RunSessions(int& macrosteps) {
  while (macrosteps < limits_.most_macrosteps) {
    bool has_run = false;
    for (std::size_t i = 0; i < sessions_.size(); ++i) {  // sessions may be added meanwhile
      Interpreter& session = *sessions_[i];
      if (session.phase_ == Interpreter::Phase::kWaiting) {
        session.Start();
      } else if (session.is_running() && session.has_external_event()) {
        session.ProcessExternalEvent();
      } else {
        continue;
      }
      has_run = true;
      ++macrosteps;
    }
    if (!has_run) return true;
    if (is_stuck()) return false;
  }
  return false;
}

bool SessionTable::RunUntilStable(double time, int macrosteps) {
  time_ = time;
  for (;; ++macrosteps) {
    if (!RunSessions(macrosteps)) return false;
    std::optional<DelayedEvent> due = delayed_.Take(time);
    if (!due) return true;
    for (const auto& session : sessions_) {
      if (session->number_ != due->session || !session->is_running()) continue;
      const Send& send = *due->send;
      const bool is_expression = send.target.value != kNoIndex;
      SendTarget kind = send.kind;
      if (is_expression) {
        kind = due->target.empty()         ? SendTarget::kSelf
               : due->target == "#_parent" ? SendTarget::kParent
                                           : kind;
      }
      const std::string_view target = is_expression ? std::string_view(due->target) : send.target.text;
      Event failed(due->event.name);
      failed.send_id = due->event.send_id;
      const Interpreter::Delivery delivery = session->Dispatch(send, kind, target, std::move(due->event));
      if (delivery != Interpreter::Delivery::kDelivered) {
        session->RaiseError(delivery == Interpreter::Delivery::kIllegal
                                ? session->chart_->error_execution
                                : session->chart_->error_communication,
                            {"send"}, "a delayed event cannot be delivered", &failed);
        session->RunMacrostep();
      }
      break;
    }
  }
}

void SessionTable::Step(double time) {
  time_ = time;
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    Interpreter& session = *sessions_[i];
    if (session.is_running()) session.has_changed_signals_ = session.LatchSignals();
  }
  RunUntilStable(time);
  TakePosted();
  if (has_waiting_events()) RunUntilStable(time);
  for (std::size_t i = 0; i < sessions_.size(); ++i) {
    Interpreter& session = *sessions_[i];
    if (!session.is_running()) continue;
    const bool may_have_come_true = session.has_changed_signals_ || session.chart_->has_timed_conditions ||
                                    session.chart_->has_timed_transitions;
    if (session.is_stuck_ || (may_have_come_true && session.LooksWithoutEvents())) session.RunMacrostep();
    session.RunDuring();
    session.EndStep();
  }
  if (std::ranges::any_of(sessions_,
                          [](const auto& s) { return s->is_running() && s->has_external_event(); })) {
    RunUntilStable(time);  // events that the eventless macrosteps have sent
  }
}

double SessionTable::NextDue() const {
  double next = delayed_.NextDue();
  for (const auto& session : sessions_) next = std::min(next, session->NextTimedTransition());
  return next;
}

void SessionTable::TakePosted() {
  // Not more than there is room for: others may be posting at this moment.
  for (PostedEvent posted; session().has_room_for_event() && inbox_.Take(posted);) {
    Event event(posted.name);
    event.field_count = posted.field_count;
    for (std::size_t i = 0; i < posted.field_count; ++i) event.fields[i] = posted.fields[i];
    session().Send(std::move(event));
  }
}

bool SessionTable::needs_steps() const {
  return std::ranges::any_of(sessions_, [](const auto& session) {
    return session->is_running() && (session->chart_->has_timed_conditions || session->chart_->has_during ||
                                     !session->chart_->program.signals.empty());
  });
}

bool SessionTable::is_stuck() const {
  return std::ranges::any_of(sessions_,
                             [](const auto& session) { return session->is_running() && session->is_stuck_; });
}

bool SessionTable::has_waiting_events() const {
  return std::ranges::any_of(sessions_,
                             [](const auto& s) { return s->is_running() && s->has_external_event(); });
}

std::uint64_t SessionTable::lost_events() const {
  std::uint64_t lost = inbox_.lost();
  for (const auto& session : sessions_) lost += session->lost_events_;
  return lost;
}

}  // namespace davit
