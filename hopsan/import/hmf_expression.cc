#include "hopsan/import/hmf_expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "framework/nearest_name.h"

namespace davit::hopsan {
namespace {

struct HmfFunction {
  std::string_view name;
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
};

constexpr auto kFunctions = std::to_array<HmfFunction>({
    {.name = "abs", .one = [](double x) { return std::abs(x); }},
    {.name = "acos", .one = [](double x) { return std::acos(x); }},
    {.name = "asin", .one = [](double x) { return std::asin(x); }},
    {.name = "atan", .one = [](double x) { return std::atan(x); }},
    {.name = "ceil", .one = [](double x) { return std::ceil(x); }},
    {.name = "cos", .one = [](double x) { return std::cos(x); }},
    {.name = "cosh", .one = [](double x) { return std::cosh(x); }},
    {.name = "exp", .one = [](double x) { return std::exp(x); }},
    {.name = "floor", .one = [](double x) { return std::floor(x); }},
    {.name = "log", .one = [](double x) { return std::log(x); }},
    {.name = "log10", .one = [](double x) { return std::log10(x); }},
    {.name = "sin", .one = [](double x) { return std::sin(x); }},
    {.name = "sinh", .one = [](double x) { return std::sinh(x); }},
    {.name = "sqrt", .one = [](double x) { return std::sqrt(x); }},
    {.name = "tan", .one = [](double x) { return std::tan(x); }},
    {.name = "tanh", .one = [](double x) { return std::tanh(x); }},
    {.name = "atan2", .two = [](double x, double y) { return std::atan2(x, y); }},
    {.name = "fmod", .two = [](double x, double y) { return std::fmod(x, y); }},
    {.name = "max", .two = [](double x, double y) { return std::fmax(x, y); }},
    {.name = "min", .two = [](double x, double y) { return std::fmin(x, y); }},
    {.name = "pow", .two = [](double x, double y) { return std::pow(x, y); }},
});

/// Reads once from left to right.
class HmfExpression {
 public:
  HmfExpression(std::string_view text, const NameLookup& names) : text_(text), names_(names) {}

  std::optional<double> Read(Fault* fault) {
    const double value = Sum();
    SkipSpaces();
    if (fault_.what.empty() && at_ < text_.size())
      Fail("unexpected " + Quoted(text_.substr(at_, 1)), "write an operator before it");
    if (fault_.what.empty() && !std::isfinite(value))
      Fail("its value is not a finite number", "look for a division by 0");
    if (fault_.what.empty()) return value;
    *fault = fault_;
    return std::nullopt;
  }

 private:
  static constexpr int kMostLevels = 200;

  void SkipSpaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool Take(char c) {
    SkipSpaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double Fail(std::string problem, std::string remedy) {
    if (fault_.what.empty()) fault_ = {std::move(problem), std::move(remedy)};
    at_ = text_.size();
    return 0;
  }
  double Sum() {
    if (++level_ > kMostLevels) return Fail("more than 200 brackets inside each other", "simplify it");
    double value = Product();
    while (true) {
      if (Take('+')) {
        value += Product();
      } else if (Take('-')) {
        value -= Product();
      } else if (Take('|')) {
        const double other = Product();
        value = value > 0 || other > 0 ? 1 : 0;
      } else {
        --level_;
        return value;
      }
    }
  }
  double Product() {
    double value = Signed();
    while (true) {
      if (Take('*')) {
        value *= Signed();
      } else if (Take('/')) {
        value /= Signed();
      } else if (Take('&')) {
        const double other = Signed();
        value = value > 0 && other > 0 ? 1 : 0;
      } else {
        return value;
      }
    }
  }
  double Signed() {
    const double sign = SignOfRest();
    return sign * Power();
  }
  double SignOfRest() {
    double sign = 1;
    while (true) {
      if (Take('-')) {
        sign = -sign;
      } else if (!Take('+')) {
        return sign;
      }
    }
  }
  double Power() {
    double value = Primary();
    while (true) {
      if (Take('^')) {
        value = std::pow(value, Exponent());
      } else if (Take('<')) {
        value = value < Exponent() ? 1 : 0;
      } else if (Take('>')) {
        value = value > Exponent() ? 1 : 0;
      } else {
        return value;
      }
    }
  }
  double Exponent() {
    const double sign = SignOfRest();
    return sign * Primary();
  }
  static bool IsLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  double Primary() {
    if (Take('(')) {
      const double value = Sum();
      return Take(')') ? value : Fail("a bracket is not closed", "add ')'");
    }
    SkipSpaces();
    if (at_ >= text_.size()) return Fail("it ends too early", "write a number or a name at its end");
    if (IsLetter(text_[at_])) return Name();
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc())
      return Fail("no number or name at " + Quoted(text_.substr(at_, 10)), "write for example 2*self.k");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  double Name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (IsLetter(text_[at_]) || IsDigit(text_[at_]) || text_[at_] == '.' || text_[at_] == '#'))
      ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (Take('(')) return Call(name);
    if (name == "pi") return std::numbers::pi;
    Fault fault;
    const std::optional<double> value = names_(name, &fault);
    if (value) return *value;
    if (fault.what.empty())
      fault = {"no parameter " + Quoted(name), "name a parameter of an enclosing system, or self.NAME"};
    return Fail(fault.what, fault.remedy);
  }
  double Call(std::string_view name) {
    std::vector<double> arguments = {Sum()};
    while (Take(',')) arguments.push_back(Sum());
    if (!Take(')')) return Fail("a bracket is not closed", "add ')'");
    for (const HmfFunction& function : kFunctions) {
      if (function.name != name) continue;
      if (arguments.size() == 1 && function.one != nullptr) return function.one(arguments[0]);
      if (arguments.size() == 2 && function.two != nullptr) return function.two(arguments[0], arguments[1]);
      return Fail("wrong number of arguments of " + Quoted(name),
                  function.one != nullptr ? "it takes one" : "it takes two");
    }
    return Fail("no function " + Quoted(name), "use abs, sqrt, sin, cos, exp, log, min, max, pow or others");
  }

  std::string_view text_;
  const NameLookup& names_;
  std::size_t at_ = 0;
  int level_ = 0;
  Fault fault_;
};

}  // namespace

std::optional<double> EvaluateHmfExpression(std::string_view text, const NameLookup& names, Fault* fault) {
  return HmfExpression(text, names).Read(fault);
}

}  // namespace davit::hopsan
