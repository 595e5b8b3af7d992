#include "expressions/expression_lexer.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "framework/nearest_name.h"

namespace davit {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

/// Words for symbols that XML would have written with escapes.
constexpr auto kWords = std::to_array<std::pair<std::string_view, std::string_view>>({{"and", "&&"},
                                                                                      {"or", "||"},
                                                                                      {"not", "!"},
                                                                                      {"lt", "<"},
                                                                                      {"le", "<="},
                                                                                      {"gt", ">"},
                                                                                      {"ge", ">="},
                                                                                      {"eq", "=="},
                                                                                      {"ne", "!="}});

constexpr auto kSymbols =
    std::to_array<std::string_view>({"===", "!==", "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "+",
                                     "-",   "*",   "/",  "%",  "(",  ")",  "?",  ":",  ",", ";", "="});

}  // namespace

Token ExpressionLexer::Next() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  begin_ = at_;
  if (at_ == text_.size()) return {TokenKind::kEnd, {}, 0, at_, {}};
  const char c = text_[at_];
  const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (IsDigit(c) || (c == '.' && IsDigit(after))) return Number();
  if (c == '\'' || c == '"') return String();
  if (IsNameStart(c)) return Name();
  return Symbol();
}

Token ExpressionLexer::Number() {
  Token token{TokenKind::kNumber, {}, 0, begin_, {}};
  const char* const first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), token.number);
  at_ += static_cast<std::size_t>(end - first);
  if (error == std::errc::result_out_of_range || !std::isfinite(token.number)) {
    return Refuse({"the number is too large or too small", "write one between 1e-300 and 1e300"});
  }
  if (at_ < text_.size() && IsNamePart(text_[at_])) {
    return Refuse({"a name follows the number without an operator", "values are in SI without units"});
  }
  token.text = text_.substr(begin_, at_ - begin_);
  return token;
}

Token ExpressionLexer::String() {
  const std::size_t close = text_.find(text_[at_], at_ + 1);
  if (close == std::string_view::npos) return Refuse({"the string is not closed", "write 'text'"});
  at_ = close + 1;
  return {TokenKind::kString, text_.substr(begin_ + 1, close - begin_ - 1), 0, begin_, {}};
}

Token ExpressionLexer::Name() {
  while (at_ < text_.size()) {
    const bool is_dot = text_[at_] == '.' && at_ + 1 < text_.size() && IsNameStart(text_[at_ + 1]);
    if (text_[at_] == '[') {  // an element of an array, such as q[2]
      std::size_t close = at_ + 1;
      while (close < text_.size() && IsDigit(text_[close])) ++close;
      if (close == text_.size() || text_[close] != ']' || close == at_ + 1) break;
      at_ = close + 1;
    } else if (is_dot || IsNamePart(text_[at_])) {
      ++at_;
    } else {
      break;
    }
  }
  const std::string_view text = text_.substr(begin_, at_ - begin_);
  for (const auto& [word, symbol] : kWords) {
    if (text == word) return {TokenKind::kSymbol, symbol, 0, begin_, {}};
  }
  return {TokenKind::kName, text, 0, begin_, {}};
}

Token ExpressionLexer::Symbol() {
  for (const std::string_view symbol : kSymbols) {
    if (!text_.substr(at_).starts_with(symbol)) continue;
    at_ += symbol.size();
    if (symbol == "=") return Refuse({"'=' assigns", "write == to compare"});
    // As ECMAScript compares without conversion; here nothing is ever converted.
    if (symbol == "===") return {TokenKind::kSymbol, "==", 0, begin_, {}};
    if (symbol == "!==") return {TokenKind::kSymbol, "!=", 0, begin_, {}};
    return {TokenKind::kSymbol, symbol, 0, begin_, {}};
  }
  return Refuse(
      {Quoted(text_.substr(at_, 1)) + " has no meaning here", "see the operators in docs/statecharts.md"});
}

Token ExpressionLexer::Refuse(Fault fault) const {
  return {TokenKind::kFault, {}, 0, begin_, std::move(fault)};
}

}  // namespace davit
