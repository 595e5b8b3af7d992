#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace davit {

/// A text that is known at load: the name of an event, a field, a string constant.
using SymbolId = std::uint32_t;
inline constexpr SymbolId kNoSymbol = UINT32_MAX;

/// Numbers for texts, so that a step compares numbers. One table serves all charts that exchange events.
class SymbolTable {
 public:
  SymbolTable() = default;
  SymbolTable(const SymbolTable&) = delete;
  SymbolTable& operator=(const SymbolTable&) = delete;

  /// The symbol of `text`, made where it is new.
  SymbolId Add(std::string_view text);
  /// kNoSymbol where the text is unknown. Does not allocate.
  SymbolId Find(std::string_view text) const;
  const std::string& Text(SymbolId symbol) const { return texts_[symbol]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // never moves a text
  std::unordered_map<std::string_view, SymbolId> symbols_;
};

}  // namespace davit
