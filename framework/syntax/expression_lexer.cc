#include "framework/syntax/expression_lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/syntax/expression_units.h"
#include "framework/units/quantity.h"

namespace davit {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\v\f";

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
constexpr auto kHopsanSymbols =
    std::to_array<std::string_view>({"^", "<", ">", "*", "/", "&", "+", "-", "|", "(", ")", ","});

std::string_view WordAt(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, IsNamePart) - text.begin()));
}

/// Whether the % here lies between two values.
bool IsModulo(std::string_view rest) {
  const auto is_value = [](char c) { return IsNamePart(c) || c == '.' || c == '(' || c == '\'' || c == '"'; };
  const std::size_t next = rest.find_first_not_of(kSpaces, 1);
  if (next == std::string_view::npos) return false;
  const bool is_sign = rest[next] == '-' || rest[next] == '+';
  return is_value(rest[next]) || (is_sign && next + 1 < rest.size() && is_value(rest[next + 1]));
}

}  // namespace

Token ExpressionLexer::Next() {
  at_ = std::min(text_.find_first_not_of(kSpaces, at_), text_.size());
  begin_ = at_;
  if (at_ == text_.size()) return Make(TokenKind::kEnd);
  const char c = text_[at_];
  const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (IsDigit(c) || (c == '.' && IsDigit(after))) return Number();
  if (c == '\'' || c == '"') return String();
  if (IsNameStart(c)) return Name();
  return Symbol();
}

Token ExpressionLexer::Number() {
  Token token = Make(TokenKind::kNumber);
  const char* const first = text_.data() + at_;
  const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), token.number);
  at_ += static_cast<std::size_t>(end - first);
  if (error == std::errc::result_out_of_range || !std::isfinite(token.number)) {
    return Refuse({"the number is too large or too small", "write one between 1e-300 and 1e300"});
  }
  token.text = text_.substr(begin_, at_ - begin_);
  const std::size_t after = std::min(text_.find_first_not_of(kSpaces, at_), text_.size());
  const std::string_view unit = UnitAt(text_.substr(after));
  if (unit.empty()) {
    if (at_ < text_.size() && IsNamePart(text_[at_]))
      return Refuse({"a name follows the number without an operator", "write for example 2*x"});
    return token;
  }
  at_ = after + unit.size();
  token.has_unit = true;
  if (unit == "%") {
    token.number /= 100;
    return token;
  }
  QuantityResult quantity = ParseQuantity(std::string(token.text) + ' ' + std::string(unit), units_->get());
  if (!quantity.value) {
    if (!quantity.fault.remedy.starts_with("did you mean"))
      quantity.fault.remedy = "write a unit after a number, or an operator between them";
    return Refuse(std::move(quantity.fault));
  }
  token.number = quantity.value->si;
  token.dimension = quantity.value->dimension;
  return token;
}

std::string_view ExpressionLexer::UnitAt(std::string_view rest) const {
  if (units_ == nullptr || rest.empty()) return {};
  if (rest.front() == '%') return IsModulo(rest) ? std::string_view() : rest.substr(0, 1);
  if (!IsNameStart(rest.front())) return {};
  const std::string_view word = WordAt(rest);
  if (std::ranges::find(kWords, word, [](const auto& known) { return known.first; }) != kWords.end())
    return {};
  std::size_t end = 0;
  for (int open = 0; end < rest.size(); ++end) {
    const char c = rest[end];
    if (c == '(') ++open;
    if (c == ')' && open-- == 0) break;
    const bool is_part = IsNamePart(c) || std::string_view("/.^()").find(c) != std::string_view::npos ||
                         (c == ' ' && open > 0);
    if (!is_part) break;
  }
  constexpr std::size_t kLongestUnit = 64;  // UnitSystem::Find
  for (std::size_t size = std::min(end, kLongestUnit); size > 0; --size) {
    const bool is_cut = size < rest.size() && IsNamePart(rest[size]) && IsNamePart(rest[size - 1]);
    if (!is_cut && units_->get().Find(rest.substr(0, size))) return rest.substr(0, size);
  }
  return word;  // ParseQuantity says what is wrong with it
}

Token ExpressionLexer::String() {
  const std::size_t close = text_.find(text_[at_], at_ + 1);
  if (close == std::string_view::npos) return Refuse({"the string is not closed", "write 'text'"});
  at_ = close + 1;
  return Make(TokenKind::kString, text_.substr(begin_ + 1, close - begin_ - 1));
}

Token ExpressionLexer::Name() {
  const bool is_hopsan = dialect_ == ExpressionDialect::kHopsan;
  while (at_ < text_.size()) {
    const bool is_dot =
        text_[at_] == '.' && (is_hopsan || (at_ + 1 < text_.size() && IsNameStart(text_[at_ + 1])));
    if (text_[at_] == '[' && !is_hopsan) {  // an element of an array, such as q[2]
      std::size_t close = at_ + 1;
      while (close < text_.size() && IsDigit(text_[close])) ++close;
      if (close == text_.size() || text_[close] != ']' || close == at_ + 1) break;
      at_ = close + 1;
    } else if (is_dot || IsNamePart(text_[at_]) || (is_hopsan && text_[at_] == '#')) {
      ++at_;
    } else {
      break;
    }
  }
  const std::string_view text = text_.substr(begin_, at_ - begin_);
  for (const auto& [word, symbol] : kWords) {
    if (text == word && !is_hopsan) return Make(TokenKind::kSymbol, symbol);
  }
  return Make(TokenKind::kName, text);
}

Token ExpressionLexer::Symbol() {
  const std::span<const std::string_view> symbols =
      dialect_ == ExpressionDialect::kHopsan ? std::span<const std::string_view>(kHopsanSymbols) : kSymbols;
  for (const std::string_view symbol : symbols) {
    if (!text_.substr(at_).starts_with(symbol)) continue;
    at_ += symbol.size();
    if (symbol == "=") return Refuse({"'=' assigns", "write == to compare"});
    // As ECMAScript compares without conversion; here nothing is ever converted.
    if (symbol == "===") return Make(TokenKind::kSymbol, "==");
    if (symbol == "!==") return Make(TokenKind::kSymbol, "!=");
    return Make(TokenKind::kSymbol, symbol);
  }
  return Refuse({Quoted(text_.substr(at_, 1)) + " has no meaning here",
                 dialect_ == ExpressionDialect::kHopsan ? "use ^ < > * / & + - | ( )"
                                                        : "see the operators in docs/expressions.md"});
}

Token ExpressionLexer::Make(TokenKind kind, std::string_view text) const {
  return {.kind = kind, .text = text, .offset = begin_};
}

Token ExpressionLexer::Refuse(Fault fault) const {
  return {.kind = TokenKind::kFault, .offset = begin_, .fault = std::move(fault)};
}

}  // namespace davit
