#pragma once

#include <string_view>

#include "framework/level.h"

namespace davit {

/// A text of several lines, written as a raw string that begins on a line of its own.
class Lines {
 public:
  constexpr Lines() = default;
  constexpr Lines(const char* text) : text_(text) {  // NOLINT(google-explicit-constructor): is a text
    if (text_.starts_with('\n')) text_.remove_prefix(1);
  }
  constexpr operator std::string_view() const { return text_; }  // NOLINT(google-explicit-constructor)

 private:
  std::string_view text_;
};

/// What the model reference says about a component type. All texts have static storage.
struct ModelInfo {
  std::string_view name;  ///< `domain.Type`, as written in a system file
  std::string_view text;  ///< one line
  LevelSet levels = {};   ///< levels built into the model; empty for a model with one behaviour
  Lines equations = {};   ///< equations, sign conventions, sources
};

}  // namespace davit
