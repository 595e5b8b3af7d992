#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/text.h"

namespace davit {

/// The texts of declarations that are made at run time; they stay in place.
class KeptTexts {
 public:
  Text Keep(std::string text) { return {texts_.emplace_back(std::move(text)), 0}; }
  std::span<const std::string_view> KeepOptions(std::span<const std::string> options) {
    std::vector<std::string_view>& kept = options_.emplace_back();
    for (const std::string& option : options) kept.push_back(texts_.emplace_back(option));
    return kept;
  }

 private:
  std::deque<std::string> texts_;
  std::deque<std::vector<std::string_view>> options_;
};

}  // namespace davit
