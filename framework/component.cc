#include "framework/component.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <stdexcept>
#include <utility>

#include "framework/aspect.h"
#include "framework/automatic_levels.h"
#include "framework/indicator.h"
#include "framework/kept_texts.h"
#include "framework/nearest_name.h"
#include "framework/registry.h"

namespace davit {

Component::Component() : cold_(std::make_unique<Cold>()) {
  cold_->level_value = std::numeric_limits<double>::quiet_NaN();
}

Component::~Component() = default;

std::string Component::path() const {
  if (cold_->parent == nullptr) return {};
  std::string above = cold_->parent->path();
  return above.empty() ? cold_->name : above + '.' + cold_->name;
}

std::string Component::DisplayPath() const {
  std::string text = '/' + path();
  std::replace(text.begin(), text.end(), '.', '/');
  return text;
}

Component* Component::FindChild(std::string_view name) const {
  const auto& all = cold_->children;
  const auto it = std::find_if(all.begin(), all.end(), [&](const Component* c) { return c->name() == name; });
  return it == all.end() ? nullptr : *it;
}

void Component::SetLevel(Level level) {
  const auto& aspects = cold_->declarations.aspects;
  for (std::size_t i = 0; i < aspects.size(); ++i) aspects[i]->Set(OptionAt(level, i));
  cold_->level = level;
  cold_->level_value = static_cast<double>(level);
  cold_->level_modified_value = 0;
}

void Component::SetAspect(AspectBase& aspect, std::uint32_t option) {
  if (aspect.option() == option) return;
  if (option >= aspect.options().size()) {
    throw std::out_of_range(
        fmt::format("{}: no option {} of the aspect {}; it has {} options, counted from 0", DisplayPath(),
                    option, Quoted(aspect.label().name), aspect.options().size()));
  }
  aspect.Set(option);
  cold_->level_modified_value = 1;
}

void Component::DefineLevel(std::string name, std::vector<std::uint32_t> options) {
  assert(options.size() == cold_->declarations.aspects.size());
  cold_->own_levels.push_back({std::move(name), std::move(options)});
}

std::vector<std::string> Component::LevelNames() const {
  std::vector<std::string> names;
  for (const Level level : kBuiltInLevels) {
    if (model().levels.Contains(level)) names.emplace_back(ToText(level));
  }
  for (const auto& own : cold_->own_levels) names.push_back(own.name);
  return names;
}

std::optional<Level> Component::FindLevel(std::string_view name) const {
  for (const Level level : kBuiltInLevels) {
    if (model().levels.Contains(level) && ToText(level) == name) return level;
  }
  for (std::size_t i = 0; i < cold_->own_levels.size(); ++i) {
    if (cold_->own_levels[i].name == name) return static_cast<Level>(kBuiltInLevels.size() + i);
  }
  return std::nullopt;
}

bool Component::HasLevel(Level level) const {
  const auto number = static_cast<std::size_t>(level);
  return number < kBuiltInLevels.size() ? model().levels.Contains(level)
                                        : number - kBuiltInLevels.size() < cold_->own_levels.size();
}

Level Component::HighestLevel() const {
  Level highest = Level::kIdeal;
  for (const Level level : kBuiltInLevels) {
    if (model().levels.Contains(level)) highest = level;
  }
  return highest;
}

bool Component::chooses_its_level() const {
  return cold_->automatic_levels != nullptr && cold_->automatic_levels->levels == LevelChoice::kAutomatic;
}

std::string_view Component::LevelName(Level level) const {
  const auto number = static_cast<std::size_t>(level);
  return number < kBuiltInLevels.size() ? ToText(level)
                                        : cold_->own_levels[number - kBuiltInLevels.size()].name;
}

std::uint32_t Component::OptionAt(Level level, std::size_t aspect) const {
  const auto number = static_cast<std::size_t>(level);
  if (number < kBuiltInLevels.size()) {
    assert(model().levels.Contains(level));
    return cold_->declarations.aspects[aspect]->preset(level);
  }
  return cold_->own_levels[number - kBuiltInLevels.size()].options[aspect];
}

void Component::ReadBehaviour(BehaviourSetting& setting) const {
  setting.level = cold_->level;
  setting.is_modified = cold_->level_modified_value != 0;
  setting.options.clear();
  for (const AspectBase* aspect : cold_->declarations.aspects) setting.options.push_back(aspect->option());
}

BehaviourSetting Component::behaviour() const {
  BehaviourSetting setting;
  ReadBehaviour(setting);
  return setting;
}

void Component::SetBehaviour(const BehaviourSetting& setting) {
  if (setting.level) SetLevel(*setting.level);
  const auto& aspects = cold_->declarations.aspects;
  for (std::size_t i = 0; i < aspects.size(); ++i) aspects[i]->Set(setting.options[i]);
  cold_->level_modified_value = setting.is_modified ? 1 : 0;
}

void Component::TakeUnitOfValues(std::string_view si_unit) {
  const std::string_view kept = Keep(std::string(si_unit));
  const auto give = [&](auto& list) {
    for (auto& declaration : list) {
      if (declaration.label.unit == kAnyUnit) declaration.label.unit = kept;
    }
  };
  give(mutable_declarations().parameters);
  give(mutable_declarations().outputs);
}

bool Component::AcceptsChild(std::string_view model) const { return model == "Integration"; }

RunLog* Component::run_log() const {
  for (const Component* c = this; c != nullptr; c = c->cold_->parent) {
    if (c->cold_->run_log != nullptr) return c->cold_->run_log;
  }
  return nullptr;
}

Text Component::Keep(std::string text) {
  if (cold_->texts == nullptr) cold_->texts = std::make_unique<KeptTexts>();
  return cold_->texts->Keep(std::move(text));
}

std::span<const std::string_view> Component::KeepOptions(std::span<const std::string> options) {
  if (cold_->texts == nullptr) cold_->texts = std::make_unique<KeptTexts>();
  return cold_->texts->KeepOptions(options);
}

void Component::Place(std::string name, Component* parent, SourceLocation location) {
  cold_->name = std::move(name);
  cold_->parent = parent;
  cold_->location = std::move(location);
  if (parent != nullptr) parent->cold_->children.push_back(this);
}

void Component::set_entry(const ModelEntry& entry) {
  cold_->entry = &entry;
  cold_->model = entry.info;
  for (const Level level : {Level::kAdvanced, Level::kStandard, Level::kIdeal}) {
    if (model().levels.Contains(level)) SetLevel(level);  // the simplest one stays
  }
  DeclareLevelIndicators(*this);
  if (!declarations().level_indicators.empty())
    cold_->automatic_levels = std::make_unique<AutomaticLevels>(this);
}

}  // namespace davit
