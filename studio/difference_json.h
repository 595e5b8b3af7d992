#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "framework/xml/compare_systems.h"

namespace davit {

/// What two versions of a system differ in, as the command line and the studio have it. `name_of` gives the
/// name of a file.
template <class NameOf>
nlohmann::ordered_json DifferencesToJson(const std::vector<SystemDifference>& differences, NameOf name_of) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const auto place = [&](const SourceLocation& at) -> nlohmann::ordered_json {
    if (at.file == nullptr) return nullptr;
    return {{"file", name_of(*at.file)}, {"line", at.line}};
  };
  for (const SystemDifference& one : differences) {
    list.push_back({{"kind", ToText(one.kind)},
                    {"part", ToText(one.part)},
                    {"path", one.path},
                    {"name", one.name},
                    {"before", one.before},
                    {"after", one.after},
                    {"at_before", place(one.at_before)},
                    {"at_after", place(one.at_after)}});
  }
  return {{"same", differences.empty()},
          {"layout_only", !differences.empty() && IsLayoutOnly(differences)},
          {"differences", std::move(list)}};
}

}  // namespace davit
