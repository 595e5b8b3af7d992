#include "simulator/run/request_runner.h"

#include <utility>

#include "framework/event_receiver.h"
#include "framework/run_log.h"
#include "simulator/charts/chart_set.h"
#include "simulator/requests/value_writer.h"

namespace davit {

bool RequestRunner::Events(const StepGrid& grid, double t) {
  bool has_any = false;
  while (const Command* command = queue_.NextEvent(grid)) {
    has_any = true;
    ++count_;
    Post(*command->event(), command->sender, t);
  }
  return has_any;
}

void RequestRunner::Post(const EventPost& event, const std::string& sender, double t) {
  std::size_t receivers = 0;
  if (event.receiver != nullptr) {
    event.receiver->declarations().event_receiver->PostEvent(event.name);
    receivers = 1;
  } else {
    for (ChartBinding* chart : charts_.charts()) {
      if (chart->CheckEvent(event.name)) continue;  // it takes no such event
      ++receivers;
      chart->PostEvent(event.name);
    }
  }
  if (!KeepsLog(RunLog::Severity::kInfo)) return;
  Log(RunLog::Severity::kInfo, event.receiver == nullptr ? "" : event.receiver->DisplayPath(),
      (receivers == 0 ? "no receiver: " : "") + ToAt(event, t), {.sender = sender, .event = event.name},
      RunLog::Kind::kMessage);
}

void RequestRunner::Requests(const StepGrid& grid, double t) {
  Asked(t);
  while (const Command* command = queue_.Next(grid)) {
    ++count_;
    const Assignment* write = command->write();
    if (KeepsLog(RunLog::Severity::kInfo)) {
      const Component& owner = write != nullptr ? write->item.owner() : *command->message()->owner;
      const std::string_view item =
          write != nullptr ? std::string_view(write->item.path()) : std::string_view();
      Log(RunLog::Severity::kInfo, owner.DisplayPath(), ToAt(*command, t),
          {.item = item, .sender = command->sender},
          write != nullptr ? RunLog::Kind::kNote : RunLog::Kind::kMessage);
    }
    if (write != nullptr) {
      writer_.Apply(*write);
    } else {
      command->message()->message->Send();
    }
  }
}

void RequestRunner::Asked(double t) {
  if (charts_.is_empty()) return;
  for (const AskedRequest& request : queue_.SortAsked()) Run(request, t);
  queue_.ClearAsked();
  for (ChartBinding* chart : charts_.charts()) {
    if (chart->gate().is_empty()) continue;
    double value = 0;
    for (std::size_t item = 0; (item = chart->gate().TakeDue(t, &value)) != DwellGate::kNone;) {
      Write(*chart, chart->GateItem(item), value, t);
    }
  }
}

void RequestRunner::Run(const AskedRequest& request, double t) {
  if (request.item == nullptr) {
    const MessageCall& call = request.message;
    if (KeepsLog(RunLog::Severity::kDetail))
      Log(RunLog::Severity::kDetail, call.owner->DisplayPath(), ToAt(call, t),
          {.sender = request.sender->sender()}, RunLog::Kind::kMessage);
    call.message->Send();
  } else if (request.item->is_behaviour() && !request.sender->chooses_levels() &&
             IsScheduled(request.item->owner())) {
    return;
  } else if (request.item->is_behaviour() && request.sender->has_dwell()) {
    request.sender->gate().Ask(request.gate_item, request.value);
  } else {
    Write(*request.sender, *request.item, request.value, t);
  }
}

bool RequestRunner::IsScheduled(const Component& component) const {
  const AutomaticLevels* const own = component.automatic_levels();
  return settings_.levels == LevelChoice::kScheduled ||
         (own != nullptr && own->levels == LevelChoice::kScheduled);
}

void RequestRunner::Write(const Requester& sender, const Item& item, double value, double t) {
  if (KeepsLog(RunLog::Severity::kDetail))
    Log(RunLog::Severity::kDetail, item.owner().DisplayPath(), ToAt(item, item.TextOf(value), t),
        {.item = item.path(), .sender = sender.sender()});
  writer_.Write(item, value);
}

bool RequestRunner::KeepsLog(RunLog::Severity severity) const {
  const RunLog* log = root_.run_log();
  return log != nullptr && log->Keeps(severity);
}

void RequestRunner::Log(RunLog::Severity severity, std::string_view path, std::string_view line,
                        const RunLog::Cause& cause, RunLog::Kind kind) const {
  root_.run_log()->Write(severity, path, line, kind, cause);
}

}  // namespace davit
