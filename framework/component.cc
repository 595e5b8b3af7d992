#include "framework/component.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

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
  assert(model().levels.Contains(level));
  cold_->level = level;
  cold_->level_value = static_cast<double>(level);
}

bool Component::AcceptsChild(std::string_view model) const { return model == "Integration"; }

RunLog* Component::run_log() const {
  for (const Component* c = this; c != nullptr; c = c->cold_->parent) {
    if (c->cold_->run_log != nullptr) return c->cold_->run_log;
  }
  return nullptr;
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
}

}  // namespace davit
