#include "expressions/symbol_table.h"

namespace davit {

SymbolId SymbolTable::Add(std::string_view text) {
  if (const SymbolId known = Find(text); known != kNoSymbol) return known;
  const auto symbol = static_cast<SymbolId>(texts_.size());
  texts_.emplace_back(text);
  symbols_.emplace(texts_.back(), symbol);
  return symbol;
}

SymbolId SymbolTable::Find(std::string_view text) const {
  const auto found = symbols_.find(text);
  return found == symbols_.end() ? kNoSymbol : found->second;
}

}  // namespace davit
