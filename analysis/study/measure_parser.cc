#include "analysis/study/measure_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <span>
#include <utility>

#include "expressions/expression_program.h"
#include "framework/nearest_name.h"
#include "framework/units/quantity.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

struct MeasureFunction {
  std::string_view name;
  MeasureKind kind;
  std::size_t fewest = 1, most = 1;  ///< arguments
};
constexpr auto kMeasureFunctions = std::to_array<MeasureFunction>({
    {"max", MeasureKind::kMax},
    {"min", MeasureKind::kMin},
    {"mean", MeasureKind::kMean},
    {"rms", MeasureKind::kRms},
    {"final", MeasureKind::kFinal},
    {"integral", MeasureKind::kIntegral},
    {"at", MeasureKind::kAt, 2, 2},
    {"crossing", MeasureKind::kCrossing, 2, 2},
    {"rise_time", MeasureKind::kRiseTime},
    {"settling_time", MeasureKind::kSettlingTime, 1, 2},
    {"overshoot", MeasureKind::kOvershoot},
    {"events", MeasureKind::kEvents},
});

constexpr std::string_view kTable = "table";
constexpr std::string_view kTableExample = "table(time, 0 s, 1 m, 2 s, 3 m)";

/// Operators by how strongly they bind, the weakest first.
constexpr std::array<std::array<std::string_view, 8>, 6> kOperators{{
    {"||", "or"},
    {"&&", "and"},
    {"==", "!=", "eq", "ne"},
    {"<=", ">=", "<", ">", "lt", "le", "gt", "ge"},
    {"+", "-"},
    {"*", "/", "%"},
}};
constexpr std::size_t kComparisonLevel = 2;  // and the next
constexpr std::size_t kSumLevel = 4;

bool IsNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDigitChar(char c) { return c >= '0' && c <= '9'; }

/// A value while it is read.
struct Part {
  std::string text = {};
  std::optional<Dimension> dimension = Dimension{};  ///< nothing: unknown
  bool is_bare = false;                              ///< numbers without unit: of any dimension in a sum
};

struct MeasureFailure {
  Fault fault;
};

Dimension Times(const Dimension& a, const Dimension& b, int sign) {
  Dimension product;
  for (std::size_t i = 0; i < product.exponents.size(); ++i)
    product.exponents[i] = static_cast<std::int8_t>(a.exponents[i] + sign * b.exponents[i]);
  return product;
}

class MeasureReader {
 public:
  MeasureReader(std::string_view text, System& system, std::span<const MeasureName> names,
                std::size_t first_call, std::vector<MeasureCall>& calls)
      : text_(text), system_(system), names_(names), first_call_(first_call), calls_(calls) {}

  Part Read() {
    Part part = Ternary();
    Skip();
    if (at_ < text_.size())
      Fail({fmt::format("{} is too much", Quoted(text_.substr(at_))), "write one expression"});
    return part;
  }

 private:
  [[noreturn]] void Fail(Fault fault) const { throw MeasureFailure{std::move(fault)}; }

  void Skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool Take(std::string_view symbol) {
    Skip();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    const std::size_t end = at_ + symbol.size();
    const bool is_word = IsNameStart(symbol.front());
    if (is_word && end < text_.size() && (IsNameStart(text_[end]) || IsDigitChar(text_[end]))) return false;
    at_ = end;
    return true;
  }
  void Require(std::string_view symbol) {
    if (Take(symbol)) return;
    Fail({at_ < text_.size() ? fmt::format("{} is not expected", Quoted(text_.substr(at_)))
                             : std::string("the expression ends too early"),
          fmt::format("'{}' must follow", symbol)});
  }

  std::string Name(const std::optional<Dimension>& dimension) const {
    if (!dimension) return "unknown";
    const std::string unit = SiUnitOf(*dimension, system_.units());
    return unit.empty() ? "a number" : unit;
  }
  /// The common dimension of two values that are added or compared.
  std::optional<Dimension> Same(const Part& a, const Part& b, std::string_view what) const {
    if (a.is_bare || !a.dimension) return b.is_bare ? a.dimension : b.dimension;
    if (b.is_bare || !b.dimension) return a.dimension;
    if (*a.dimension == *b.dimension) return a.dimension;
    Fail({fmt::format("{} {} and {}", what, Name(a.dimension), Name(b.dimension)),
          "both must have the same dimension"});
  }

  Part Ternary() {
    Part condition = Binary(0);
    if (!Take("?")) return condition;
    Part yes = Ternary();
    Require(":");
    Part no = Ternary();
    return {fmt::format("({} ? {} : {})", condition.text, yes.text, no.text),
            Same(yes, no, "'? :' chooses between"), yes.is_bare && no.is_bare};
  }

  std::string_view TakeOperator(std::size_t level) {
    for (const std::string_view symbol : kOperators[level]) {
      if (!symbol.empty() && Take(symbol)) return symbol;
    }
    return {};
  }

  Part Binary(std::size_t level) {
    if (level == kOperators.size()) return Unary();
    Part left = Binary(level + 1);
    for (std::string_view op = TakeOperator(level); !op.empty(); op = TakeOperator(level)) {
      Part right = Binary(level + 1);
      Part both{fmt::format("({} {} {})", left.text, op, right.text)};
      both.is_bare = left.is_bare && right.is_bare && level >= kSumLevel;
      if (level == kSumLevel) {
        both.dimension = Same(left, right, op == "+" ? "'+' adds" : "'-' subtracts");
      } else if (level > kSumLevel && op != "%") {
        both.dimension.reset();
        if (left.dimension && right.dimension)
          both.dimension = Times(*left.dimension, *right.dimension, op == "*" ? 1 : -1);
      } else if (op == "%") {
        both.dimension = left.dimension;
      } else if (level >= kComparisonLevel) {
        Same(left, right, fmt::format("'{}' compares", op));
      }
      left = std::move(both);
    }
    return left;
  }

  Part Unary() {
    constexpr int kDeepest = 100;
    if (++depth_ > kDeepest) Fail({"the expression is nested too deeply", "split it into several measures"});
    Part part;
    if (Take("-")) {
      part = Unary();
      part.text = "(-" + part.text + ")";
    } else if (Take("+")) {
      part = Unary();
    } else if (Take("!") || Take("not")) {
      part = Unary();
      part = {"(!" + part.text + ")"};
    } else {
      part = Primary();
    }
    --depth_;
    return part;
  }

  Part Primary() {
    Skip();
    if (at_ == text_.size()) Fail({"the expression ends too early", "write for example max(load.x)"});
    if (Take("(")) {
      Part part = Ternary();
      Require(")");
      part.text = "(" + part.text + ")";
      return part;
    }
    const char c = text_[at_];
    if (IsDigitChar(c) || c == '.') return Number();
    if (IsNameStart(c)) return NameOrCall();
    Fail({fmt::format("{} has no meaning here", Quoted(text_.substr(at_, 1))),
          "write for example max(load.x)"});
  }

  /// A number with or without unit.
  Part Number() {
    const std::size_t begin = at_;
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value))
      Fail({Quoted(text_.substr(begin)) + " begins with no number", "write for example 250 bar"});
    at_ = static_cast<std::size_t>(end - text_.data());
    const std::size_t after_number = at_;
    Skip();
    const std::string_view unit = UnitAt();
    if (unit.empty()) {
      at_ = after_number;
      return {fmt::format("{}", value), Dimension{}, true};
    }
    if (unit == "%") {
      ++at_;
      return {fmt::format("{}", value / 100), Dimension{}, false};
    }
    const QuantityResult quantity =
        ParseQuantity(fmt::format("{} {}", text_.substr(begin, after_number - begin), unit), system_.units());
    if (!quantity.value) Fail(quantity.fault);
    at_ += unit.size();
    return {fmt::format("{}", quantity.value->si), quantity.value->dimension, false};
  }

  /// The longest text here that is a unit; empty where none begins.
  std::string_view UnitAt() const {
    const std::string_view rest = text_.substr(at_);
    if (rest.empty()) return {};
    if (rest.front() == '%') {  // between two values it is the operator
      const std::size_t next = rest.find_first_not_of(" \t", 1);
      const bool is_operator = next != std::string_view::npos &&
                               (IsDigitChar(rest[next]) || IsNameStart(rest[next]) || rest[next] == '(');
      return is_operator ? std::string_view() : rest.substr(0, 1);
    }
    if (!IsNameStart(rest.front())) return {};
    std::size_t end = 0;
    int open = 0;
    while (end < rest.size()) {
      const char c = rest[end];
      if (c == '(') ++open;
      if (c == ')' && open-- == 0) break;
      const bool is_part = IsNameStart(c) || IsDigitChar(c) || c == '/' || c == '.' || c == '^' || c == '(' ||
                           c == ')' || (c == ' ' && open > 0);
      if (!is_part) break;
      ++end;
    }
    for (std::size_t size = end; size > 0; --size) {
      const bool is_cut = size < rest.size() && (IsNameStart(rest[size]) || IsDigitChar(rest[size])) &&
                          (IsNameStart(rest[size - 1]) || IsDigitChar(rest[size - 1]));
      if (!is_cut && system_.units().Find(rest.substr(0, size))) return rest.substr(0, size);
    }
    static constexpr std::array<std::string_view, 9> kWords{"and", "or", "lt", "le", "gt",
                                                            "ge",  "eq", "ne", "not"};
    std::size_t word = 0;
    while (word < rest.size() && (IsNameStart(rest[word]) || IsDigitChar(rest[word]))) ++word;
    if (std::ranges::find(kWords, rest.substr(0, word)) != kWords.end()) return {};
    return rest.substr(0, word);  // ParseQuantity says what is wrong with it
  }

  std::string_view PathAt() {
    const std::size_t begin = at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (!(IsNameStart(c) || IsDigitChar(c) || c == '.' || c == '[' || c == ']')) break;
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  Part NameOrCall() {
    const std::size_t begin = at_;
    const std::string_view name = PathAt();
    Skip();
    if (at_ < text_.size() && text_[at_] == '(') {
      const auto function = std::ranges::find(kMeasureFunctions, name, &MeasureFunction::name);
      const bool is_binary = (name == "max" || name == "min") && CountArguments() == 2;
      if (function != kMeasureFunctions.end() && !is_binary) return Measure(*function, begin);
      if (name == kTable) return Table();
      return MathCall(name);
    }
    if (name == "true" || name == "false") return {std::string(name)};
    if (is_in_signal_) return Signal(name);
    const auto known = std::ranges::find(names_, name, &MeasureName::name);
    if (known != names_.end()) return {std::string(name), known->dimension};
    Fault fault;
    if (name == "time" || system_.FindVariable(system_.root(), name, &fault)) {
      Fail({fmt::format("{} alone has a value for each time of the run", Quoted(name)),
            fmt::format("write for example final({0}) or max({0})", name)});
    }
    std::vector<std::string> candidates = MeasureNames();
    for (const MeasureName& number : names_) candidates.push_back(number.name);
    Fail({"there is no measure " + Quoted(name), SuggestName("use one of", name, candidates)});
  }

  Part Signal(std::string_view name) {
    const Dimension second = *DimensionOf("s");
    if (name == "time") return {"time", second};
    Fault fault;
    const std::optional<Item> item = system_.FindVariable(system_.root(), name, &fault);
    if (!item) Fail(fault);
    return {std::string(name), item->unit() == kAnyUnit ? std::nullopt : DimensionOf(item->unit())};
  }

  std::optional<Dimension> DimensionOf(std::string_view unit) const {
    const std::optional<Unit> found = system_.units().Find(unit);
    return found ? std::optional(found->dimension) : std::nullopt;
  }

  /// A sum of ramps, each of which is 0 before its begin and constant after its end.
  Part Table() {
    constexpr std::size_t kMostPoints = 200;
    Require("(");
    const Part x = Ternary();
    std::vector<double> xs, ys;
    Part y{.is_bare = true};
    while (Take(",")) {
      const auto [x_part, x_value] = Constant("table", "write for example " + std::string(kTableExample));
      Same(x, x_part, "table compares");
      if (!Take(","))
        Fail({"the last point of table has no value", "write for example " + std::string(kTableExample)});
      const auto [y_part, y_value] = Constant("table", "write for example " + std::string(kTableExample));
      y.dimension = ys.empty() ? y_part.dimension : Same(y, y_part, "table has values in");
      y.is_bare = y.is_bare && y_part.is_bare;
      xs.push_back(x_value);
      ys.push_back(y_value);
    }
    Require(")");
    if (xs.size() < 2 || xs.size() > kMostPoints)
      Fail({fmt::format("table has {} points", xs.size()),
            fmt::format("give 2 to {}, as in {}", kMostPoints, kTableExample)});
    y.text = fmt::format("({}", ys.front());
    for (std::size_t i = 1; i < xs.size(); ++i) {
      if (xs[i] < xs[i - 1])
        Fail({fmt::format("the points of table fall from {:.9g} to {:.9g}", xs[i - 1], xs[i]), "sort them"});
      if (xs[i] == xs[i - 1]) {
        y.text += fmt::format(" + ({} >= {} ? {} : 0)", x.text, xs[i], ys[i] - ys[i - 1]);
      } else {
        y.text += fmt::format(" + {} * (min(max({}, {}), {}) - {})",
                              (ys[i] - ys[i - 1]) / (xs[i] - xs[i - 1]), x.text, xs[i - 1], xs[i], xs[i - 1]);
      }
    }
    y.text += ")";
    return y;
  }

  /// A number with its sign, and the same in SI.
  std::pair<Part, double> Constant(std::string_view function, const std::string& remedy) {
    const bool is_negative = Take("-");
    Skip();
    if (at_ == text_.size() || !(IsDigitChar(text_[at_]) || text_[at_] == '.'))
      Fail({fmt::format("an argument of {} is not a number", function), remedy});
    Part number = Number();
    double value = 0;
    std::from_chars(number.text.data(), number.text.data() + number.text.size(), value);
    return {std::move(number), is_negative ? -value : value};
  }

  /// Of the call whose parenthesis opens here.
  std::size_t CountArguments() const {
    std::size_t count = 1;
    int depth = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (text_[i] == '(') ++depth;
      if (text_[i] == ')' && --depth == 0) break;
      if (text_[i] == ',' && depth == 1) ++count;
    }
    return count;
  }

  Part MathCall(std::string_view name) {
    const auto functions = ExpressionFunctions();
    const auto function = std::ranges::find(functions, name, &ExpressionFunction::name);
    if (function == functions.end()) {
      std::vector<std::string> candidates = MeasureNames();
      for (const ExpressionFunction& known : functions) candidates.emplace_back(known.name);
      candidates.emplace_back(kTable);
      Fail({"no function is named " + Quoted(name), SuggestName("use one of", name, candidates)});
    }
    const std::size_t wanted = function->one != nullptr ? 1 : 2;
    if (CountArguments() != wanted)
      Fail({fmt::format("{} takes {} argument{}", name, wanted, wanted == 1 ? "" : "s"), {}});
    Require("(");
    const Part first = Ternary();
    Part value{fmt::format("{}({}", name, first.text)};
    const auto is_one_of = [name](std::initializer_list<std::string_view> names) {
      return std::ranges::find(names, name) != names.end();
    };
    if (is_one_of({"abs", "ceil", "floor", "round", "hypot", "max", "min"})) {
      value.dimension = first.dimension;
      value.is_bare = first.is_bare;
    } else if (is_one_of({"sqrt", "pow", "acos", "asin", "atan", "atan2"})) {
      value.dimension.reset();
    }
    if (name == "sqrt" && first.dimension) value.dimension = Root(*first.dimension);
    if (wanted == 2) {
      Require(",");
      const Part second = Ternary();
      value.text += ", " + second.text;
      if (name != "pow") {
        const std::optional<Dimension> same = Same(first, second, fmt::format("{} compares", name));
        if (value.dimension) value.dimension = same;
        value.is_bare = value.is_bare && second.is_bare;
      }
    }
    Require(")");
    value.text += ")";
    return value;
  }

  static std::optional<Dimension> Root(Dimension dimension) {
    for (std::int8_t& exponent : dimension.exponents) {
      if (exponent % 2 != 0) return std::nullopt;
      exponent = static_cast<std::int8_t>(exponent / 2);
    }
    return dimension;
  }

  Part Measure(const MeasureFunction& function, std::size_t begin) {
    if (is_in_signal_)
      Fail({fmt::format("{} stands inside of another measure", function.name),
            "a measure takes an expression of signals; give each a --measure of its own"});
    if (const std::size_t count = CountArguments(); count < function.fewest || count > function.most) {
      Fail({fmt::format("{} takes {} argument{}, not {}", function.name, function.most,
                        function.most == 1 ? "" : "s", count),
            ExampleOf(function)});
    }
    Require("(");
    MeasureCall call{.kind = function.kind};
    Part value;
    if (function.kind == MeasureKind::kEvents) {
      Skip();
      const std::string_view path = PathAt();
      Fault fault;
      call.component = system_.FindComponent(system_.root(), path, &fault);
      if (call.component == nullptr) Fail(fault);
    } else {
      is_in_signal_ = true;
      const Part signal = Ternary();
      is_in_signal_ = false;
      call.signal = signal.text;
      value.dimension = DimensionOfMeasure(function.kind, signal.dimension);
      if (function.kind == MeasureKind::kSettlingTime) call.argument = kUsualBand;
      if (Take(",")) call.argument = Argument(function, signal);
    }
    Require(")");
    call.text = text_.substr(begin, at_ - begin);
    value.text = MeasureVariable(first_call_ + calls_.size());
    calls_.push_back(std::move(call));
    return value;
  }

  static std::string ExampleOf(const MeasureFunction& function) {
    switch (function.kind) {
      case MeasureKind::kAt: return "write for example at(load.x, 5 s)";
      case MeasureKind::kCrossing: return "write for example crossing(load.x, 1.5 m)";
      case MeasureKind::kSettlingTime: return "write for example settling_time(load.x, 2 %)";
      default: return fmt::format("write for example {}(load.x)", function.name);
    }
  }

  std::optional<Dimension> DimensionOfMeasure(MeasureKind kind,
                                              const std::optional<Dimension>& signal) const {
    switch (kind) {
      case MeasureKind::kIntegral:
        return signal ? std::optional(Times(*signal, *DimensionOf("s"), 1)) : signal;
      case MeasureKind::kCrossing:
      case MeasureKind::kRiseTime:
      case MeasureKind::kSettlingTime: return DimensionOf("s");
      case MeasureKind::kOvershoot:
      case MeasureKind::kEvents: return Dimension{};
      default: return signal;
    }
  }

  /// The second argument, a constant.
  double Argument(const MeasureFunction& function, const Part& signal) {
    const auto [number, value] = Constant(function.name, ExampleOf(function));
    Part wanted = signal;
    if (function.kind == MeasureKind::kAt) wanted = {{}, DimensionOf("s"), false};
    if (function.kind == MeasureKind::kSettlingTime) wanted = {{}, Dimension{}, false};
    Same(wanted, number, fmt::format("{} compares", function.name));
    if (function.kind == MeasureKind::kAt) CheckTime(value);
    if (function.kind == MeasureKind::kSettlingTime && !(value > 0 && value < 1))
      Fail({fmt::format("a band of {:.9g}", value), "it must be above 0 and below 1, for example 2 %"});
    return value;
  }

  void CheckTime(double t) const {
    const SimulatorManager& manager = SimulatorManager::Of(system_);
    if (t >= manager.start_time() && t <= manager.stop_time()) return;
    Fail({fmt::format("{:.9g} s is not in the run", t),
          fmt::format("give a time from {:.9g} s to {:.9g} s, or a later end with --stop",
                      manager.start_time(), manager.stop_time())});
  }

  static constexpr double kUsualBand = 0.02;  // of settling_time

  std::string_view text_;
  System& system_;
  std::span<const MeasureName> names_;
  std::size_t first_call_;
  std::vector<MeasureCall>& calls_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool is_in_signal_ = false;
};

}  // namespace

std::string MeasureVariable(std::size_t i) { return fmt::format("__measure{}", i); }

std::vector<std::string> MeasureNames() {
  std::vector<std::string> names;
  names.reserve(std::size(kMeasureFunctions));
  for (const MeasureFunction& function : kMeasureFunctions) names.emplace_back(function.name);
  return names;
}

ParsedMeasure ParseMeasure(std::string_view text, System& system, std::span<const MeasureName> names,
                           std::size_t first_call) {
  ParsedMeasure parsed;
  try {
    const Part part = MeasureReader(text, system, names, first_call, parsed.calls).Read();
    parsed.text = part.text;
    parsed.dimension = part.dimension;
  } catch (MeasureFailure& failure) {
    parsed.fault = std::move(failure.fault);
  }
  return parsed;
}

}  // namespace davit
