#include "framework/registry.h"

#include <algorithm>
#include <stdexcept>

namespace davit {

void Registry::AddDomain(const Domain& domain) {
  const auto known =
      std::ranges::find_if(domains_, [&](const Domain* one) { return one->name == domain.name; });
  if (known == domains_.end()) {
    domains_.push_back(&domain);
  } else {
    *known = &domain;
  }
}

void Registry::AddEntry(const ModelEntry& entry) {
  const auto [it, is_new] = entries_.emplace(entry.info->name, entry);
  if (!is_new) throw std::logic_error("model registered twice: " + it->first);
}

const ModelEntry* Registry::Find(std::string_view name) const {
  const auto it = entries_.find(name);
  return it == entries_.end() ? nullptr : &it->second;
}

const SystemImporter* Registry::FindImporter(std::string_view extension) const {
  const auto found = std::ranges::find(importers_, extension, &SystemImporter::extension);
  return found == importers_.end() ? nullptr : &*found;
}

void Registry::SetChart(std::string_view model, std::string_view text, std::string_view file) {
  ModelEntry& entry = entries_.find(model)->second;
  entry.chart = text;
  entry.chart_file = file;
}

std::vector<const ModelEntry*> Registry::entries() const {
  std::vector<const ModelEntry*> all;
  all.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) all.push_back(&entry);
  return all;
}

std::vector<std::string> Registry::names() const {
  std::vector<std::string> all;
  all.reserve(entries_.size());
  for (const auto& [name, entry] : entries_) all.push_back(name);
  return all;
}

bool IsContainer(const Component& component) { return component.entry().holds_components; }

bool IsSettingOfRun(const Component& component) {
  const bool has_domain = component.model().name.find('.') != std::string_view::npos;
  return !has_domain && !component.entry().stands_in_systems && !component.entry().holds_operators;
}

}  // namespace davit
