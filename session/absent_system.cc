#include "session/absent_system.h"

#include <algorithm>
#include <cmath>

#include "framework/aspect.h"
#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/tree/item_list.h"

namespace davit {
namespace {

bool IsPath(std::string_view name) { return name.find('.') != std::string_view::npos; }

}  // namespace

AbsentSystem::AbsentSystem(const Registry& registry, std::string_view model, const FileSource* files)
    : files_(files) {
  if (const ModelEntry* entry = registry.Find(model)) component_ = &pool_.Create(*entry);
}

std::vector<AbsentSystem::Value> AbsentSystem::ListValues() const {
  std::vector<Value> list;
  for (const Value& value : values_) {
    const auto known = std::ranges::find(list, value.path, &Value::path);
    if (known == list.end()) {
      list.push_back(value);
    } else if (value.wanted) {
      known->wanted = value.wanted;
    }
  }
  return list;
}

bool AbsentSystem::SetValue(std::string_view path, double value) {
  bool is_known = false;
  for (Value& one : values_) {
    if (one.path != path) continue;
    one.value = value;
    is_known = true;
  }
  return is_known;
}

ChartHost::Found AbsentSystem::Add(std::string_view path, ValueType type, double value) {
  // All handles of a name read the same.
  const auto known = std::ranges::find(values_, path, &Value::path);
  const double present = known == values_.end() ? value : known->value;
  values_.push_back({std::string(path), type, present, {}});
  return {static_cast<std::uint32_t>(values_.size() - 1), type, {}};
}

std::vector<std::string> AbsentSystem::Names() const {
  std::vector<std::string> names;
  if (component_ == nullptr) return names;
  const Declarations& d = component_->declarations();
  if (component_->level()) names.emplace_back("level");
  for (const PropertyBase* property : d.properties) names.emplace_back(property->label().name);
  for (const ParameterDeclaration& parameter : d.parameters) names.emplace_back(parameter.label.name);
  for (const InputDeclaration& input : d.inputs) names.emplace_back(input.label.name);
  for (const OutputDeclaration& output : d.outputs) names.emplace_back(output.label.name);
  for (const StateDeclaration& state : d.states) names.emplace_back(state.label.name);
  return names;
}

std::optional<ChartHost::Found> AbsentSystem::FindSignal(std::string_view path, SymbolTable& symbols) {
  if (component_ != nullptr) {
    const Declarations& d = component_->declarations();
    const auto add_option = [&](std::span<const std::string_view> options, std::size_t option) {
      Found found = Add(path, ValueType::kString, symbols.Add(options[option]));
      for (const std::string_view text : options) found.choices.push_back(symbols.Add(text));
      return found;
    };
    if (path == "level" && component_->level())
      return add_option(kLevelNames, static_cast<std::size_t>(*component_->level()));
    for (const PropertyBase* property : d.properties) {
      if (property->label().name != path || property->kind() == ValueKind::kText) continue;
      if (property->kind() == ValueKind::kOption)
        return add_option(property->options(), static_cast<std::size_t>(property->ToNumber()));
      return Add(path, property->kind() == ValueKind::kCondition ? ValueType::kBoolean : ValueType::kNumber,
                 property->ToNumber());
    }
    for (const OutputDeclaration& output : d.outputs) {
      if (output.label.name != path) continue;
      if (output.kind == ValueKind::kOption)
        return add_option(output.options, static_cast<std::size_t>(*output.value));
    }
    const std::vector<std::string> names = Names();
    if (std::ranges::find(names, path) != names.end()) return Add(path, ValueType::kNumber, 0);
    if (path.starts_with("indicator.")) return std::nullopt;  // no path of the system
  }
  if (IsPath(path)) return Add(path, ValueType::kAnyType, 0);
  return std::nullopt;
}

std::optional<ChartHost::Found> AbsentSystem::FindProperty(std::string_view path, SymbolTable& symbols) {
  return FindSignal(path, symbols);
}

std::string AbsentSystem::Suggest(std::string_view path) const {
  const std::vector<std::string> names = Names();
  return names.empty()
             ? "write component.signal; the chart of a component says whose short names it uses by the "
               "model, <scxml name=\"hydraulic.Cylinder\"> or davit chart check --model "
               "hydraulic.Cylinder"
             : SuggestName("the component has", path, names);
}

}  // namespace davit
