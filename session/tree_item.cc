#include "session/tree_item.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/aspect.h"
#include "framework/property.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using Target = Assignment::Target;

/// The option with a number, as text.
std::string OptionText(std::span<const std::string_view> options, double number) {
  const bool is_option = number >= 0 && number < static_cast<double>(options.size());
  return is_option ? std::string(options[static_cast<std::size_t>(number)]) : fmt::format("{}", number);
}

/// What `value` is called where the variable is one of several named options; nothing for a number.
std::optional<std::string> ChoiceText(const Variable& variable, double value) {
  const Component& owner = *variable.owner;
  if (variable.kind == Variable::Kind::kLevel && variable.value == owner.level_value())
    return std::string(owner.LevelName(static_cast<Level>(value)));
  if (variable.kind == Variable::Kind::kLevel) {
    for (const AspectBase* aspect : owner.declarations().aspects) {
      if (aspect->value() == variable.value) return OptionText(aspect->options(), value);
    }
  }
  if (variable.kind != Variable::Kind::kOutput) return std::nullopt;
  for (const OutputDeclaration& output : owner.declarations().outputs) {
    if (output.value == variable.value && output.kind == ValueKind::kOption)
      return OptionText(output.options, value);
  }
  return std::nullopt;
}

bool IsLevelOf(const Component& owner, double value) {
  return value >= 0 && value <= std::numeric_limits<std::uint8_t>::max() && value == std::floor(value) &&
         owner.HasLevel(static_cast<Level>(value));
}

/// Whether the item has the number that is to be written, so that nothing would change.
bool HoldsAlready(const Assignment& assignment) {
  switch (assignment.target) {
    case Target::kParameter:
    case Target::kInput: return *assignment.value == assignment.number;
    case Target::kState: {
      const StateSlot& slot = assignment.state->slots[assignment.element];
      return slot.memory->y[slot.offset] == assignment.number;
    }
    case Target::kProperty:
      return assignment.is_number && assignment.property->ToNumber() == assignment.number;
    default: return false;  // levels and aspects are compared where they change
  }
}

}  // namespace

std::optional<TreeItem> TreeItem::Find(System& system, std::string_view path, std::string* fault) {
  TreeItem item;
  std::string no_target;
  const auto target = system.FindAssignment(system.root(), path, std::nullopt, &no_target);
  if (target && target->target == Target::kProperty) item.property_ = target->property;
  item.variable_ = system.FindVariable(system.root(), path, fault);
  if (!item.variable_ && item.property_ == nullptr) return std::nullopt;
  item.path_ = item.variable_ ? item.variable_->path : target->path;
  item.write_ = system.FindLiveAssignment(system.root(), path, std::nullopt, &item.refusal_);
  if (item.write_) item.write_->is_number = true;
  return item;
}

std::string_view TreeItem::unit() const {
  const std::string_view unit = variable_ ? variable_->unit : property_->label().unit;
  return unit == kAnyUnit ? std::string_view() : unit;
}

double TreeItem::Read() const { return variable_ ? variable_->Read() : property_->ToNumber(); }

std::string TreeItem::ToText() const { return property_ != nullptr ? property_->ToText() : ToText(Read()); }

std::string TreeItem::ToText(double value) const {
  if (property_ != nullptr && property_->kind() == ValueKind::kOption)
    return OptionText(property_->options(), value);
  if (variable_) {
    if (std::optional<std::string> text = ChoiceText(*variable_, value)) return *std::move(text);
  }
  const bool has_unit = !unit().empty() && unit() != "-";
  return fmt::format("{}{}{}", value, has_unit ? " " : "", has_unit ? unit() : "");
}

std::string TreeItem::FaultOfWrite(double value) const {
  if (!write_) return refusal_;
  switch (write_->target) {
    case Target::kLevel:
      if (IsLevelOf(*write_->owner, value)) return {};
      return fmt::format("{}: {} is no level of {}; write the number of one of its levels, such as {}", path_,
                         value, write_->owner->model().name, *write_->owner->level_value());
    case Target::kAspect:
      if (write_->aspect->IsValid(value)) return {};
      return fmt::format("{}: {} is no option; it has {} options, counted from 0", path_, value,
                         write_->aspect->options().size());
    case Target::kProperty:
      if (write_->property->IsValid(value)) return {};
      return fmt::format("{}: {} is not allowed; it takes: {}", path_, value, write_->property->Describe());
    default: break;
  }
  if (!std::isfinite(value))
    return fmt::format("{}: {} is not a finite number; write one in SI", path_, value);
  if (write_->range.Contains(value)) return {};
  return fmt::format("{}: {} is out of range; it must be {}", path_, value,
                     davit::ToText(write_->range, unit()));
}

const Assignment& TreeItem::WriteOf(double value) {
  write_->number = value;
  if (write_->target == Target::kLevel) write_->level = static_cast<Level>(value);
  if (write_->target == Target::kAspect) write_->option = static_cast<std::uint32_t>(value);
  return *write_;
}

Assignment TreeItem::LaterWriteOf(double value) const {
  TreeItem copy = *this;
  Assignment assignment = copy.WriteOf(value);
  assignment.text = ToText(value);
  return assignment;
}

void WriteNow(System& system, const Assignment& assignment) {
  SimulatorManager& manager = SimulatorManager::Of(system);
  if (HoldsAlready(assignment) && (manager.is_started() || assignment.target != Target::kState)) return;
  manager.Apply(assignment);
  if (manager.is_started()) return;
  if (assignment.target == Target::kState) system.ApplyAtLoad(assignment);  // its start value, too
  manager.KeepOriginals();
}

}  // namespace davit
