#include "simulator/requests/handed_down_values.h"

#include <fmt/format.h>

#include <optional>

#include "framework/defaults_provider.h"
#include "framework/run_log.h"
#include "simulator/requests/value_writer.h"

namespace davit {

void HandedDownValues::Bind(System& system, ValueWriter& writer) {
  system_ = &system;
  writer_ = &writer;
  parts_.clear();
  const auto& all = system.handed_down();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (parts_.empty() || parts_.back().provider != all[i].provider)
      parts_.push_back({all[i].provider, all[i].defaults, i, i});
    parts_.back().end = i + 1;
  }
  if (given_.size() != all.size()) Resume();
}

void HandedDownValues::Resume() {
  given_.clear();
  for (const System::HandedDown& value : system_->handed_down()) {
    const ParameterDeclaration& parameter = value.owner->declarations().parameters[value.parameter];
    given_.push_back(value.defaults->DefaultFor(*value.owner, parameter).value_or(*parameter.value));
  }
}

void HandedDownValues::Reset() {
  warned_.clear();
  for (const Part& part : parts_) {
    part.provider->Reset();
    HandDown(part);
  }
}

bool HandedDownValues::Refresh() {
  bool is_changed = false;
  for (const Part& part : parts_) {
    if (part.defaults->TakeChange()) is_changed = HandDown(part) || is_changed;
  }
  return is_changed;
}

void HandedDownValues::WarnOfRange(std::size_t number, double value) {
  warned_.resize(given_.size());
  if (warned_[number]) return;
  warned_[number] = true;
  const System::HandedDown& handed = system_->handed_down()[number];
  RunLog* log = handed.owner->run_log();
  if (log == nullptr) return;
  const Item item = Item::OfParameter(*handed.owner, handed.parameter);
  log->Write(RunLog::Severity::kWarning, handed.owner->DisplayPath(),
             fmt::format("{} would become {}, which {} hands down, but it must be {}; it stays {}. Give the "
                         "component a separate value, or keep {} where the values are in range",
                         item.name(), item.TextOf(value), handed.provider->DisplayPath(),
                         ToText(item.range(), item.unit()), item.ReadText(), handed.provider->DisplayPath()));
}

bool HandedDownValues::HandDown(const Part& part) {
  // The values of one component follow each other: it is notified once.
  Component* changed = nullptr;
  for (std::size_t i = part.begin; i < part.end; ++i) {
    const System::HandedDown& value = system_->handed_down()[i];
    const ParameterDeclaration& parameter = value.owner->declarations().parameters[value.parameter];
    if (parameter.tunability == Tunability::kStructural) continue;
    const std::optional<double> now = value.defaults->DefaultFor(*value.owner, parameter);
    if (!now || *now == given_[i]) continue;
    given_[i] = *now;
    if (*parameter.value == *now) continue;
    if (!parameter.range.Contains(*now)) {
      WarnOfRange(i, *now);
      continue;
    }
    if (changed != nullptr && changed != value.owner) writer_->InputsChanged(*changed);
    changed = value.owner;
    *parameter.value = *now;
  }
  if (changed != nullptr) writer_->InputsChanged(*changed);
  return changed != nullptr;
}

}  // namespace davit
