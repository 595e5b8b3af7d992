#include "statecharts/metered_script.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <vector>

namespace davit {
namespace {

bool IsWordPart(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '$' || byte >= 0x80;
}

/// Copies a script word by word and adds the calls.
class ScriptMeter {
 public:
  explicit ScriptMeter(std::string_view script) : script_(script) {}

  std::string Run() {
    while (at_ < script_.size()) CopyNext();
    return std::move(result_);
  }

 private:
  enum class Bracket : std::uint8_t { kPlain, kCondition, kFor, kParameters };

  char Peek(std::size_t offset = 0) const {
    return at_ + offset < script_.size() ? script_[at_ + offset] : '\0';
  }
  void Copy(std::size_t count) {
    count = std::min(count, script_.size() - at_);
    result_ += script_.substr(at_, count);
    at_ += count;
  }
  void AddCall(std::string_view end) { result_.append(kMeterFunction).append("()").append(end); }

  void CopyNext() {
    if (CopySpace()) return;
    const char c = Peek();
    if (c == '"' || c == '\'') {
      CopyText(c);
      EndOperand();
    } else if (c == '/' && may_be_expression_) {
      CopyRegularExpression();
      EndOperand();
    } else if (IsWordPart(c)) {
      CopyWord();
    } else {
      CopySign();
    }
  }

  /// White space and comments.
  bool CopySpace() {
    if (std::isspace(static_cast<unsigned char>(Peek())) != 0) {
      Copy(1);
    } else if (Peek() == '/' && Peek(1) == '/') {
      Copy(std::min(script_.find('\n', at_), script_.size()) - at_);
    } else if (Peek() == '/' && Peek(1) == '*') {
      const std::size_t end = script_.find("*/", at_ + 2);
      Copy(end == std::string_view::npos ? script_.size() : end + 2 - at_);
    } else {
      return false;
    }
    return true;
  }
  void CopySpaces() {
    while (at_ < script_.size() && CopySpace()) {
    }
  }

  void CopyText(char quote) {
    Copy(1);
    while (at_ < script_.size() && Peek() != quote) Copy(Peek() == '\\' ? 2 : 1);
    Copy(1);
  }

  void CopyRegularExpression() {
    bool is_in_class = false;
    Copy(1);
    while (at_ < script_.size() && Peek() != '\n' && (is_in_class || Peek() != '/')) {
      if (Peek() == '[') is_in_class = true;
      if (Peek() == ']') is_in_class = false;
      Copy(Peek() == '\\' ? 2 : 1);
    }
    Copy(1);
  }

  /// What follows is an operator: a division, no regular expression.
  void EndOperand() {
    may_be_expression_ = false;
    last_ = 'x';
    next_bracket_ = Bracket::kPlain;
  }

  void CopyWord() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (end < script_.size() && IsWordPart(script_[end])) ++end;
    const std::string_view word = script_.substr(begin, end - begin);
    const bool is_name = last_ == '.' || next_bracket_ == Bracket::kParameters;  // of a property, a function
    Copy(word.size());
    last_ = 'x';
    may_be_expression_ = false;
    if (is_name) return;
    constexpr std::array<std::string_view, 12> kBeforeExpression{
        "return", "typeof", "case", "in", "instanceof", "new", "delete", "void", "throw", "do", "else", "of"};
    may_be_expression_ = std::ranges::find(kBeforeExpression, word) != kBeforeExpression.end();
    is_loop_ = word == "while";
    next_bracket_ = word == "while" || word == "if" || word == "with" ? Bracket::kCondition
                    : word == "for"                                   ? Bracket::kFor
                    : word == "function"                              ? Bracket::kParameters
                                                                      : Bracket::kPlain;
  }

  void CopySign() {
    const char c = Peek();
    // `a++ / b`: what it was before, an operand or none.
    if ((c == '+' || c == '-') && Peek(1) == c) return Copy(2);
    Copy(1);
    last_ = c;
    may_be_expression_ = c != ')' && c != ']';
    if (c == '(') {
      open_.push_back(next_bracket_);
      if (next_bracket_ == Bracket::kCondition && is_loop_) AddCall(",");
    } else if (c == ')' || c == '}') {
      Close(c);
    } else if (c == '{') {
      open_.push_back(Bracket::kPlain);
      if (is_body_next_) BeginBody();
    } else if (c == ';' && !open_.empty() && open_.back() == Bracket::kFor) {
      open_.back() = Bracket::kPlain;  // only the first of its two
      CopySpaces();
      AddCall(Peek() == ';' ? "" : ",");
    }
    is_body_next_ = c == ')' && is_body_next_;
    next_bracket_ = Bracket::kPlain;
  }

  void Close(char c) {
    if (open_.empty()) return;
    const Bracket bracket = open_.back();
    open_.pop_back();
    if (c != ')') return;
    is_body_next_ = bracket == Bracket::kParameters;
    may_be_expression_ = bracket == Bracket::kCondition;  // a statement follows
  }

  /// A directive must stay the first statement.
  void BeginBody() {
    CopySpaces();
    constexpr std::string_view kDirective = "use strict";
    const bool has_directive = (Peek() == '"' || Peek() == '\'') && Peek(kDirective.size() + 1) == Peek() &&
                               script_.substr(at_ + 1, kDirective.size()) == kDirective;
    if (has_directive) {
      CopyText(Peek());
      result_ += ';';
    }
    AddCall(";");
  }

  std::string_view script_;
  std::size_t at_ = 0;
  std::string result_;
  std::vector<Bracket> open_;
  Bracket next_bracket_ = Bracket::kPlain;  ///< what a bracket that follows is
  bool is_loop_ = false;                    ///< of a kCondition
  bool is_body_next_ = false;               ///< the parameters of a function have ended
  bool may_be_expression_ = true;           ///< `/` begins a regular expression
  char last_ = '\0';                        ///< the last sign; x for a word or a text
};

}  // namespace

std::string MeterScript(std::string_view script) { return ScriptMeter(script).Run(); }

}  // namespace davit
