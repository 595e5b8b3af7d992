#pragma once

#include <cstddef>
#include <string_view>

namespace davit {

/// A text that lives as long as whoever declares with it: a literal, or one that its component keeps
/// (Component::Keep). A view of anything else is refused, for nobody could say how long that lives.
class Text {
 public:
  constexpr Text() = default;
  template <std::size_t n>
  constexpr Text(const char (&literal)[n]) : view_(literal, n - 1) {}  // NOLINT(google-explicit-constructor)
  /// Of a text with static storage, such as one in a table of constants.
  static constexpr Text Static(std::string_view text) { return Text(text, 0); }

  constexpr operator std::string_view() const { return view_; }  // NOLINT(google-explicit-constructor)
  friend constexpr bool operator==(std::string_view a, Text b) { return a == b.view_; }

 private:
  friend class KeptTexts;
  constexpr Text(std::string_view text, int /*proof*/) : view_(text) {}

  std::string_view view_;
};

}  // namespace davit
