#include "framework/aspect.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "framework/nearest_name.h"

namespace davit {

AspectBase::AspectBase(Component* owner, Text name, Text text, std::span<const std::string_view> options,
                       std::array<std::uint32_t, 3> presets)
    : PropertyBase(owner, {name, {}, text}, Tunability::kLive),
      owner_(owner),
      options_(options),
      presets_(presets) {
  assert(options.size() <= kMostOptions);
  owner->mutable_declarations().aspects.push_back(this);
  Set(presets[0]);
}

std::uint32_t AspectBase::AddOption(std::string_view name) {
  assert(options_.size() < kMostOptions);
  if (extended_.empty()) extended_.assign(options_.begin(), options_.end());
  extended_.push_back(name);
  options_ = extended_;
  return static_cast<std::uint32_t>(options_.size() - 1);
}

Fault AspectBase::CheckText(std::string_view text, const UnitSystem& /*units*/) const {
  if (std::find(options_.begin(), options_.end(), text) != options_.end()) return {};
  const std::vector<std::string> names(options_.begin(), options_.end());
  return {"no option " + Quoted(text), SuggestName("it has", text, names)};
}

double AspectBase::NumberOf(std::string_view text, const UnitSystem& /*units*/) const {
  return static_cast<double>(std::find(options_.begin(), options_.end(), text) - options_.begin());
}

void AspectBase::SetFromNumber(double value) { owner_->SetAspect(*this, static_cast<std::uint32_t>(value)); }

std::string AspectBase::DefaultText() const {
  for (const Level level : {Level::kIdeal, Level::kStandard, Level::kAdvanced}) {
    if (owner_->model().levels.Contains(level)) return std::string(options_[preset(level)]);
  }
  return std::string(options_.front());
}

std::string AspectBase::Describe() const {
  std::string text = "one of ";
  for (std::size_t i = 0; i < options_.size(); ++i) text.append(i == 0 ? "" : ", ").append(options_[i]);
  return text;
}

}  // namespace davit
