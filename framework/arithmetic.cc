#include "framework/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

#include "framework/nearest_name.h"

namespace davit {
namespace {

struct ArithmeticFunction {
  std::string_view name;
  std::size_t arguments;
  double (*compute)(double a, double b);
};

constexpr auto kArithmeticFunctions = std::to_array<ArithmeticFunction>({
    {"abs", 1, [](double a, double) { return std::abs(a); }},
    {"ceil", 1, [](double a, double) { return std::ceil(a); }},
    {"cos", 1, [](double a, double) { return std::cos(a); }},
    {"exp", 1, [](double a, double) { return std::exp(a); }},
    {"floor", 1, [](double a, double) { return std::floor(a); }},
    {"log", 1, [](double a, double) { return std::log(a); }},
    {"max", 2, [](double a, double b) { return std::max(a, b); }},
    {"min", 2, [](double a, double b) { return std::min(a, b); }},
    {"pow", 2, [](double a, double b) { return std::pow(a, b); }},
    {"round", 1, [](double a, double) { return std::round(a); }},
    {"sin", 1, [](double a, double) { return std::sin(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"tan", 1, [](double a, double) { return std::tan(a); }},
});

bool IsArithmeticDigit(char c) { return c >= '0' && c <= '9'; }
bool IsArithmeticLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Reads and computes in one pass. After a fault everything is 0, and nothing more is read.
class ArithmeticReader {
 public:
  ArithmeticReader(std::string_view text, std::span<const NamedNumber> names) : text_(text), names_(names) {}

  ArithmeticResult Read() {
    const double value = Sum();
    if (!fault_ && Peek() != '\0') Refuse(Quoted(text_.substr(at_)) + " is not understood");
    if (!fault_ && !std::isfinite(value)) {
      fault_ = {Quoted(text_) + " has no finite value", "look for a division by zero"};
    }
    return {fault_ ? 0 : value, std::move(fault_)};
  }

 private:
  static constexpr int kDeepest = 100;

  double Sum() {
    double value = Product();
    for (char c = Peek(); c == '+' || c == '-'; c = Peek()) {
      ++at_;
      const double right = Product();
      value = c == '+' ? value + right : value - right;
    }
    return value;
  }

  double Product() {
    double value = Signed();
    for (char c = Peek(); c == '*' || c == '/' || c == '%'; c = Peek()) {
      ++at_;
      const double right = Signed();
      value = c == '*' ? value * right : c == '/' ? value / right : std::fmod(value, right);
    }
    return value;
  }

  double Signed() {
    bool is_negative = false;
    for (char c = Peek(); c == '-' || c == '+'; c = Peek()) {
      is_negative = is_negative != (c == '-');
      ++at_;
    }
    return is_negative ? -Single() : Single();
  }

  double Single() {
    const char c = Peek();
    if (c == '(') {
      ++at_;
      if (++depth_ > kDeepest) return Refuse("there are more than 100 parentheses inside each other");
      const double value = Sum();
      --depth_;
      return Close() ? value : 0;
    }
    if (IsArithmeticDigit(c) || c == '.') return Number();
    if (IsArithmeticLetter(c)) return Name();
    return Refuse(at_ == text_.size() ? "it ends where a number should follow"
                                      : Quoted(text_.substr(at_)) + " is not understood");
  }

  double Number() {
    double value = 0;
    const char* const first = text_.data() + at_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc()) return Refuse(Quoted(text_.substr(at_)) + " is no number");
    at_ += static_cast<std::size_t>(end - first);
    return value;
  }

  double Name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (IsArithmeticLetter(text_[at_]) || IsArithmeticDigit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (Peek() == '(') return Call(name);
    for (const NamedNumber& known : names_) {
      if (known.name == name) return known.value;
    }
    if (name == "pi") return std::numbers::pi;
    std::vector<std::string> known;
    for (const NamedNumber& one : names_) known.emplace_back(one.name);
    if (!fault_) fault_ = {"nothing is named " + Quoted(name), SuggestName("there are", name, known)};
    return Stop();
  }

  double Call(std::string_view name) {
    const auto* const function = std::ranges::find(kArithmeticFunctions, name, &ArithmeticFunction::name);
    if (function == kArithmeticFunctions.end()) {
      std::vector<std::string> known;
      known.reserve(kArithmeticFunctions.size());
      for (const ArithmeticFunction& one : kArithmeticFunctions) known.emplace_back(one.name);
      if (!fault_) fault_ = {"no function " + Quoted(name), SuggestName("there are", name, known)};
      return Stop();
    }
    ++at_;
    if (++depth_ > kDeepest) return Refuse("there are more than 100 parentheses inside each other");
    std::array<double, 2> arguments{};
    for (std::size_t i = 0; i < function->arguments; ++i) {
      if (i > 0 && Peek() != ',')
        return Refuse(fmt::format("{} takes {} numbers", name, function->arguments));
      if (i > 0) ++at_;
      arguments[i] = Sum();
    }
    --depth_;
    return Close() ? function->compute(arguments[0], arguments[1]) : 0;
  }

  bool Close() {
    if (Peek() == ')') {
      ++at_;
      return true;
    }
    Refuse("a ')' is missing");
    return false;
  }

  /// The next character that is no space; 0 at the end and after a fault.
  char Peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  double Refuse(std::string what) {
    if (!fault_) fault_ = {std::move(what), "write numbers, names and + - * / % ( )"};
    return Stop();
  }
  double Stop() {
    at_ = text_.size();
    return 0;
  }

  std::string_view text_;
  std::span<const NamedNumber> names_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Fault fault_;
};

}  // namespace

ArithmeticResult EvaluateArithmetic(std::string_view text, std::span<const NamedNumber> names) {
  return ArithmeticReader(text, names).Read();
}

std::string ToArithmeticText(double value) {
  constexpr double kWholeBelow = 9007199254740992.0;  // 2^53
  if (std::abs(value) < kWholeBelow && value == std::trunc(value)) {
    return fmt::format("{}", static_cast<long long>(value));
  }
  return fmt::format("{}", value);
}

}  // namespace davit
