#include "framework/alarm.h"

#include "framework/run_log.h"

namespace davit {

std::string_view ToText(AlarmLevel level) {
  switch (level) {
    case AlarmLevel::kNotify: return "notify";
    case AlarmLevel::kWarning: return "warning";
    case AlarmLevel::kError: return "error";
    case AlarmLevel::kEmergency: return "emergency";
  }
  return {};
}

Alarm::Alarm(Component* owner, Text name, AlarmLevel level, Text text)
    : owner_(owner), label_{name, {}, text}, level_(level) {
  owner->mutable_declarations().alarms.push_back(this);
}

void Alarm::Set(std::string_view detail) {
  ++count_;
  if (is_set_) return;
  is_set_ = true;
  is_acknowledged_ = false;
  Log("set", detail);
}

void Alarm::Acknowledge() {
  if (is_acknowledged_) return;
  is_acknowledged_ = true;
  Log("acknowledged", {});
}

void Alarm::Clear() {
  if (!is_set_) return;
  is_set_ = false;
  Log("cleared", {});
}

void Alarm::Reset() {
  is_set_ = false;
  is_acknowledged_ = true;
  count_ = 0;
}

void Alarm::Log(std::string_view change, std::string_view detail) const {
  RunLog* log = owner_->run_log();
  const RunLog::Severity severity =
      level_ == AlarmLevel::kNotify ? RunLog::Severity::kInfo : RunLog::Severity::kWarning;
  if (log == nullptr || !log->Keeps(severity)) return;
  std::string text = "alarm " + std::string(label_.name) + ' ' + std::string(change) + " (" +
                     std::string(ToText(level_)) + "): " + std::string(label_.text);
  if (!detail.empty()) text += "; " + std::string(detail);
  const std::string path = owner_->path() + '.' + std::string(label_.name);
  log->Write(severity, owner_->DisplayPath(), text, RunLog::Kind::kAlarm, {.item = path});
}

}  // namespace davit
