#include "analysis/study/measure_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "framework/counted.h"
#include "framework/nearest_name.h"
#include "framework/syntax/expression_functions.h"
#include "framework/syntax/expression_parser.h"
#include "framework/syntax/value_unit.h"
#include "framework/units/quantity.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using Kind = ExpressionKind;

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

constexpr double kUsualBand = 0.02;  // of settling_time

std::string ExampleOf(const MeasureFunction& function) {
  switch (function.kind) {
    case MeasureKind::kAt: return "write for example at(load.x, 5 s)";
    case MeasureKind::kCrossing: return "write for example crossing(load.x, 1.5 m)";
    case MeasureKind::kSettlingTime: return "write for example settling_time(load.x, 2 %)";
    default: return fmt::format("write for example {}(load.x)", function.name);
  }
}

/// What a call measures; null for other functions, such as max and min of two values.
const MeasureFunction* FindMeasure(const ExpressionTree& tree, std::uint32_t call) {
  const std::string_view name = tree[call].text;
  if ((name == "max" || name == "min") && tree.ArgumentsOf(call).size() == 2) return nullptr;
  const auto* const function = std::ranges::find(kMeasureFunctions, name, &MeasureFunction::name);
  return function == kMeasureFunctions.end() ? nullptr : function;
}

}  // namespace

/// Puts variables and operations of all expressions in the place of what only measures have.
class MeasureParser::Reader {
 public:
  Reader(MeasureParser& parser, ExpressionTree& tree)
      : parser_(parser), tree_(tree), units_(parser.compiler_.units().get()) {}

  /// Throws a Fault.
  void Read(std::uint32_t node) {
    const std::vector<std::uint32_t> operators = tree_.LeftOperators(node);
    ReadOperand(operators.empty() ? node : tree_[operators.back()].first);
    for (auto at = operators.rbegin(); at != operators.rend(); ++at) Read(tree_[tree_[*at].first].next);
  }

 private:
  /// A number of an argument.
  struct Constant {
    double value = 0;
    ValueUnit unit;
  };

  [[noreturn]] static void Fail(Fault fault) {
    throw fault;
  }  // NOLINT(misc-throw-by-value-catch-by-reference)

  std::string NameOf(const ValueUnit& unit) const {
    if (!unit.dimension) return "unknown";
    const std::string text = SiUnitOf(*unit.dimension, units_);
    return text.empty() ? "a number" : text;
  }
  ValueUnit Same(const ValueUnit& a, const ValueUnit& b, std::string_view what) const {
    if (const auto unit = UnitRules(true).Same(a, b)) return *unit;
    Fail({fmt::format("{} {} and {}", what, NameOf(a), NameOf(b)), "both must have the same dimension"});
  }

  void ReadOperand(std::uint32_t node) {
    const ExpressionNode& n = tree_[node];
    if (n.kind == Kind::kCall) return ReadCall(node);
    if (n.kind == Kind::kName) return is_in_signal_ ? CheckSignal(n.text) : ReadName(node);
    for (const std::uint32_t operand : tree_.ArgumentsOf(node)) Read(operand);
  }

  void CheckSignal(std::string_view name) const {
    constexpr std::array<std::string_view, 4> kConstants{"time", "pi", "true", "false"};
    if (std::ranges::find(kConstants, name) != kConstants.end()) return;
    Fault fault;
    if (!parser_.system_.FindVariable(parser_.system_.root(), name, &fault)) Fail(fault);
  }

  void ReadName(std::uint32_t node) {
    const std::string_view name = tree_[node].text;
    const auto known = std::ranges::find(parser_.measures_, name, &MeasureExpression::name);
    if (known != parser_.measures_.end()) return Replace(node, known->variable);
    if (name == "true" || name == "false" || name == "pi") return;
    Fault ignored;
    if (name == "time" || parser_.system_.FindVariable(parser_.system_.root(), name, &ignored)) {
      Fail({fmt::format("{} alone has a value for each time of the run", Quoted(name)),
            fmt::format("write for example final({0}) or max({0})", name)});
    }
    std::vector<std::string> candidates = MeasureNames();
    for (const MeasureExpression& measure : parser_.measures_) candidates.push_back(measure.name);
    Fail({"there is no measure " + Quoted(name), SuggestName("use one of", name, candidates)});
  }

  void Replace(std::uint32_t node, std::uint32_t variable) {
    tree_[node].kind = Kind::kVariable;
    tree_[node].number = variable;
    tree_[node].first = ExpressionNode::kNone;
  }

  void ReadCall(std::uint32_t node) {
    const std::string_view name = tree_[node].text;
    const std::vector<std::uint32_t> arguments = tree_.ArgumentsOf(node);
    if (const MeasureFunction* const function = FindMeasure(tree_, node))
      return ReadMeasure(node, *function, arguments);
    if (name == kTable) return ReadTable(node, arguments);
    if (std::ranges::find(kExpressionFunctions, name, &ExpressionFunction::name) ==
        kExpressionFunctions.end()) {
      std::vector<std::string> candidates = MeasureNames();
      for (const ExpressionFunction& known : kExpressionFunctions) candidates.emplace_back(known.name);
      candidates.emplace_back(kTable);
      Fail({"no function is named " + Quoted(name), SuggestName("use one of", name, candidates)});
    }
    for (const std::uint32_t argument : arguments) Read(argument);
  }

  void ReadMeasure(std::uint32_t node, const MeasureFunction& function,
                   const std::vector<std::uint32_t>& arguments) {
    if (is_in_signal_)
      Fail({fmt::format("{} is inside another measure", function.name),
            "a measure takes an expression of signals; write a separate --measure for each"});
    if (arguments.size() < function.fewest || arguments.size() > function.most) {
      Fail({fmt::format("{} takes {}, not {}", function.name, Counted(function.most, "argument"),
                        arguments.size()),
            ExampleOf(function)});
    }
    MeasureCall call{.kind = function.kind, .text = std::string(tree_.TextOf(node))};
    std::optional<Dimension> dimension = Dimension{};
    if (function.kind == MeasureKind::kEvents) {
      Fault fault;
      call.component =
          parser_.system_.FindComponent(parser_.system_.root(), tree_[arguments[0]].text, &fault);
      if (call.component == nullptr) Fail(fault);
    } else {
      is_in_signal_ = true;
      Read(arguments[0]);
      is_in_signal_ = false;
      call.signal = tree_.TextOf(arguments[0]);
      const auto signal = parser_.compiler_.Compile(tree_, arguments[0], ValueType::kNumber);
      if (signal.fault) Fail(signal.fault);
      call.range = signal.range;
      dimension = DimensionOfMeasure(function.kind, signal.unit.dimension);
      if (function.kind == MeasureKind::kSettlingTime) call.argument = kUsualBand;
      if (arguments.size() == 2) call.argument = Argument(function, signal.unit, arguments[1]);
    }
    call.variable = parser_.compiler_.AddVariable(
        {.name = fmt::format("measure {}", parser_.calls_.size()), .dimension = dimension});
    Replace(node, call.variable);
    parser_.calls_.push_back(std::move(call));
  }

  static std::optional<Dimension> DimensionOfMeasure(MeasureKind kind,
                                                     const std::optional<Dimension>& signal) {
    const Dimension second{.exponents = {0, 0, 1, 0, 0, 0}};
    switch (kind) {
      case MeasureKind::kIntegral: return signal ? std::optional(ProductOf(*signal, second, 1)) : signal;
      case MeasureKind::kCrossing:
      case MeasureKind::kRiseTime:
      case MeasureKind::kSettlingTime: return second;
      case MeasureKind::kOvershoot: return Dimension{};
      default: return signal;
    }
  }

  /// The second argument of a measure.
  double Argument(const MeasureFunction& function, ValueUnit wanted, std::uint32_t node) const {
    const Constant number = ConstantOf(node, function.name, ExampleOf(function));
    if (function.kind == MeasureKind::kAt) wanted = {DimensionOf("s", units_), false, false};
    if (function.kind == MeasureKind::kSettlingTime) wanted = {};
    Same(wanted, number.unit, fmt::format("{} compares", function.name));
    if (function.kind == MeasureKind::kAt) CheckTime(number.value);
    if (function.kind == MeasureKind::kSettlingTime && !(number.value > 0 && number.value < 1))
      Fail(
          {fmt::format("a band of {:.9g}", number.value), "it must be above 0 and below 1, for example 2 %"});
    return number.value;
  }

  void CheckTime(double t) const {
    const SimulatorManager& manager = SimulatorManager::Of(parser_.system_);
    if (t >= manager.start_time() && t <= manager.stop_time()) return;
    Fail({fmt::format("{:.9g} s is not in the run", t),
          fmt::format("give a time from {:.9g} s to {:.9g} s, or a later end with --stop",
                      manager.start_time(), manager.stop_time())});
  }

  Constant ConstantOf(std::uint32_t node, std::string_view function, const std::string& remedy) const {
    const bool is_negative = tree_[node].kind == Kind::kNegate;
    const ExpressionNode& number = tree_[is_negative ? tree_[node].first : node];
    if (number.kind != Kind::kNumber)
      Fail({fmt::format("an argument of {} is not a number", function), remedy});
    return {is_negative ? -number.number : number.number, {number.dimension, !number.has_unit, false}};
  }

  /// Makes of a table a sum of ramps, each of which is 0 before its begin and constant after its end.
  void ReadTable(std::uint32_t node, const std::vector<std::uint32_t>& arguments) {
    constexpr std::size_t kMostPoints = 200;
    const std::string remedy = "write for example " + std::string(kTableExample);
    if (arguments.size() % 2 == 0) Fail({"the last point of table has no value", remedy});
    Read(arguments[0]);
    std::vector<Constant> xs, ys;
    ValueUnit y_unit{.is_bare = true};
    for (std::size_t i = 1; i < arguments.size(); i += 2) {
      xs.push_back(ConstantOf(arguments[i], kTable, remedy));
      ys.push_back(ConstantOf(arguments[i + 1], kTable, remedy));
      y_unit = Same(y_unit, ys.back().unit, "table has values in");
    }
    if (xs.size() < 2 || xs.size() > kMostPoints)
      Fail({"table has " + Counted(xs.size(), "point"),
            fmt::format("give 2 to {}, as in {}", kMostPoints, kTableExample)});
    const auto y_number = [&](double value) { return Number(value, y_unit); };
    std::uint32_t sum = y_number(ys.front().value);
    for (std::size_t i = 1; i < xs.size(); ++i) {
      const double x0 = xs[i - 1].value;
      const double x1 = xs[i].value;
      const double rise = ys[i].value - ys[i - 1].value;
      const std::uint32_t x = Copy(arguments[0]);
      if (x1 < x0) Fail({fmt::format("the points of table fall from {:.9g} to {:.9g}", x0, x1), "sort them"});
      std::uint32_t term = 0;
      if (x1 == x0) {
        const std::uint32_t is_after = Make(Kind::kGreaterEqual, {x, Number(x1, xs[i].unit)}, ">=");
        term = Make(Kind::kConditional, {is_after, y_number(rise), y_number(0)});
      } else {
        const std::uint32_t above = Make(Kind::kCall, {x, Number(x0, xs[i - 1].unit)}, "max");
        const std::uint32_t inside = Make(Kind::kCall, {above, Number(x1, xs[i].unit)}, "min");
        const std::uint32_t way = Make(Kind::kSubtract, {inside, Number(x0, xs[i - 1].unit)});
        term = Make(Kind::kMultiply, {Number(rise / (x1 - x0), {{}, true, false}), way});
        term = WithUnit(term, y_unit);
      }
      sum = Make(Kind::kAdd, {sum, term});
    }
    const std::uint32_t next = tree_[node].next;
    tree_[node] = {.kind = Kind::kPlus, .text = "+", .offset = tree_[node].offset, .end = tree_[node].end};
    tree_[node].first = sum;
    tree_[node].next = next;
  }

  std::uint32_t Make(Kind kind, std::initializer_list<std::uint32_t> operands, std::string_view text = {}) {
    return tree_.Add({.kind = kind, .text = text}, operands);
  }
  std::uint32_t Number(double value, const ValueUnit& unit) {
    return tree_.Add({.kind = Kind::kNumber,
                      .has_unit = !unit.is_bare,
                      .number = value,
                      .dimension = unit.dimension.value_or(Dimension{})});
  }
  std::uint32_t WithUnit(std::uint32_t operand, const ValueUnit& unit) {
    return tree_.Add(
        {.kind = Kind::kUnit, .has_unit = !unit.is_bare, .dimension = unit.dimension.value_or(Dimension{})},
        {operand});
  }
  std::uint32_t Copy(std::uint32_t node) {
    ExpressionNode copy = tree_[node];
    copy.first = copy.next = ExpressionNode::kNone;
    std::vector<std::uint32_t> operands = tree_.ArgumentsOf(node);
    for (std::uint32_t& operand : operands) operand = Copy(operand);
    for (std::size_t i = 1; i < operands.size(); ++i) tree_[operands[i - 1]].next = operands[i];
    if (!operands.empty()) copy.first = operands.front();
    return tree_.Add(copy);
  }

  MeasureParser& parser_;
  ExpressionTree& tree_;
  const UnitSystem& units_;
  bool is_in_signal_ = false;
};

Fault MeasureParser::Add(const std::string& name, std::string_view text) {
  ExpressionTree tree = ParseExpression(text, &compiler_.units());
  MeasureExpression measure{.name = name};
  Fault fault = tree.fault;
  if (!fault) {
    try {
      Reader(*this, tree).Read(tree.root);
      const ExpressionCompiler::Result result = compiler_.Compile(tree, tree.root, ValueType::kNumber);
      measure.range = result.range;
      measure.dimension = result.unit.dimension;
      fault = result.fault;
    } catch (const Fault& found) {
      fault = found;
    }
  }
  if (fault && fault.remedy.empty()) fault.remedy = "see docs/expressions.md";
  measure.variable = compiler_.AddVariable({.name = "measure " + name, .dimension = measure.dimension});
  measures_.push_back(std::move(measure));
  return fault;
}

bool HasMeasure(std::string_view text, const UnitSystem& units) {
  const ExpressionUnits known(&units);
  const ExpressionTree tree = ParseExpression(text, &known);
  for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
    if (tree[node].kind != Kind::kCall) continue;
    if (FindMeasure(tree, node) != nullptr) return true;
  }
  return false;
}

std::vector<std::string> MeasureNames() {
  std::vector<std::string> names;
  names.reserve(std::size(kMeasureFunctions));
  for (const MeasureFunction& function : kMeasureFunctions) names.emplace_back(function.name);
  return names;
}

}  // namespace davit
