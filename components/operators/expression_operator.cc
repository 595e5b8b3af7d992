#include "components/operators/expression_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "expressions/expression_compiler.h"
#include "expressions/register_code.h"
#include "framework/nearest_name.h"
#include "framework/syntax/value_unit.h"
#include "framework/units/quantity.h"
#include "framework/xml/element_reader.h"

namespace davit {
namespace {

// The first variables of an expression.
enum OwnVariable : std::size_t { kValueIn, kValueBefore, kPeriod, kOwnVariables };
constexpr std::array<std::string_view, kOwnVariables> kOwnNames{"u", "y", "period"};
/// Names that mean something else in an expression or as an attribute.
constexpr auto kTakenNames = std::to_array<std::string_view>(
    {"time", "true", "false", "and", "or", "not", "lt", "le", "gt", "ge", "eq", "ne", "name", "expr"});

/// Nothing around the expression; it says which names there are.
class NoHost final : public ExpressionHost {
 public:
  NoHost(std::vector<std::string> names, const UnitSystem* units) : names_(std::move(names)), units_(units) {}
  std::optional<Found> FindSignal(std::string_view /*name*/, SymbolTable& /*symbols*/) override { return {}; }
  std::string Suggest(std::string_view name) const override {
    return SuggestName("it reads", name, names_) + "; declare others with <Parameter> and <Input>";
  }
  const UnitSystem* units() const override { return units_; }

 private:
  std::vector<std::string> names_;
  const UnitSystem* units_;
};

}  // namespace

/// Reads the items, one by one.
struct ExpressionOperator::Reader {
  ExpressionOperator& owner;
  const UnitSystem& units;
  Diagnostics& diagnostics;

  void Fail(const SourceLocation& place, std::string_view text) const {
    diagnostics.Error(place, owner.DisplayPath(), text);
  }

  void Read(const ItemElement& item) {
    for (const ItemElement::Attribute& attribute : item.attributes) {
      const std::vector<std::string> known{"name", "value", "unit", "text"};
      if (std::ranges::find(known, attribute.name) != known.end()) continue;
      return Fail(attribute.location, fmt::format("no attribute {} in {}; {}", Quoted(attribute.name),
                                                  item.kind, SuggestName("it has", attribute.name, known)));
    }
    if (!item.inner.empty()) return Fail(item.inner.front().location, item.kind + " is an empty element");
    const ItemElement::Attribute* const name = item.Find("name");
    if (name == nullptr || !IsName(name->value))
      return Fail(item.location, item.kind + " needs a name; write for example name=\"k\"");
    if (IsTaken(name->value)) {
      return Fail(name->location,
                  Quoted(name->value) + " already has another meaning here; choose another name");
    }
    const ItemElement::Attribute* const unit = item.Find("unit");
    if (unit != nullptr && !units.Find(unit->value)) {
      return Fail(unit->location, fmt::format("unit: unknown unit {}; {}", Quoted(unit->value),
                                              SuggestName("use one of", unit->value, units.names())));
    }
    const std::string declared = unit == nullptr ? std::string(std::string_view(kAnyUnit)) : unit->value;
    double number = 0;
    if (const ItemElement::Attribute* const value = item.Find("value")) {
      const QuantityResult result =
          unit == nullptr ? ParseQuantity(value->value, units) : ParseQuantity(value->value, declared, units);
      if (!result.value) return Fail(value->location, "value: " + result.fault.ToText());
      number = result.value->si;
    }
    const ItemElement::Attribute* const text = item.Find("text");
    const Text meaning = owner.Keep(text == nullptr ? std::string() : text->value);
    const Text label = owner.Keep(name->value);
    const Text kept_unit = owner.Keep(declared);
    ExpressionVariable variable{.name = name->value};
    if (unit != nullptr) variable.dimension = DimensionOf(declared, units);
    if (item.kind == "Parameter") {
      owner.parameters_.emplace_back(&owner, label, kept_unit, meaning, number);
      const std::size_t before = owner.parameters_.size() - 1;
      owner.variables_.insert(owner.variables_.begin() + static_cast<std::ptrdiff_t>(before),
                              std::move(variable));
    } else {
      owner.inputs_.emplace_back(&owner, label, kept_unit, meaning, number);
      owner.variables_.push_back(std::move(variable));
    }
  }

  bool IsTaken(const std::string& name) const {
    return std::ranges::find(kOwnNames, name) != kOwnNames.end() ||
           std::ranges::find(kTakenNames, name) != kTakenNames.end() ||
           std::ranges::find(owner.variables_, name, &ExpressionVariable::name) != owner.variables_.end();
  }
};

void ExpressionOperator::TakeItems(std::vector<ItemElement> items, const UnitSystem& units,
                                   const Registry& /*registry*/, Diagnostics& diagnostics) {
  items_ = std::move(items);
  units_ = &units;
  Reader reader{*this, units, diagnostics};
  for (const ItemElement& item : items_) reader.Read(item);
}

void ExpressionOperator::Configure(Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& text) {
    diagnostics.Error(location(), DisplayPath(), "expr: " + text);
  };
  program_ = {};
  memory_.clear();
  if (expr.value().empty()) return fail("there is none; write for example expr=\"2*u\"");
  SymbolTable symbols;
  std::vector<std::string> known(kOwnNames.begin(), kOwnNames.end());
  known.emplace_back("time");
  for (const ExpressionVariable& variable : variables_) known.push_back(variable.name);
  NoHost host(std::move(known), units_);
  ExpressionCompiler compiler(program_, symbols, {&host, nullptr, false});
  for (const std::string_view name : kOwnNames) compiler.AddVariable({.name = std::string(name)});
  for (const ExpressionVariable& variable : variables_) compiler.AddVariable(variable);
  const ExpressionCompiler::Result result = compiler.Compile(expr.value(), ValueType::kNumber);
  if (result.fault) {
    Fault fault = result.fault;
    if (fault.remedy.empty()) fault.remedy = "see docs/expressions.md";
    return fail(fmt::format("column {}: {}", result.offset + 1, fault.ToText()));
  }
  if (!RegisterCode::CanHold(program_, result.range))
    return fail("events, states and rising() belong to charts; write an expression of values");
  range_ = result.range;
  compiler.Link();
  memory_.assign(program_.memory_size(), 0);
  std::ranges::copy(program_.constants, memory_.begin());
  stack_.assign(program_.stack_size, 0);
}

double ExpressionOperator::Compute(double u, double y) {
  if (memory_.empty()) return u;
  std::size_t at = program_.first_variable();
  memory_[at++] = u;
  memory_[at++] = y;
  memory_[at++] = GetOperatorPeriod();
  for (const Parameter& parameter : parameters_) memory_[at++] = parameter;
  for (const Input& input : inputs_) memory_[at++] = input;
  ExpressionContext context;
  context.time = time();
  const ExpressionValue value = Evaluate(program_, range_, memory_, context, stack_);
  return value.is_valid ? value.value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace davit
