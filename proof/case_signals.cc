#include "proof/case_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/syntax/value_unit.h"
#include "framework/units/quantity.h"
#include "results/display_unit.h"

namespace davit {
namespace {

ValueType TypeOf(const Item& item) {
  switch (item.value_kind()) {
    case ValueKind::kCondition: return ValueType::kBoolean;
    case ValueKind::kOption: return ValueType::kString;
    default: return ValueType::kNumber;
  }
}

/// A value in SI with the unit in which engineers read it.
std::string ShowIn(std::string_view si_unit, double value) {
  const DisplayUnit unit = FindDisplayUnit(si_unit, std::abs(value));
  return fmt::format("{:.6g}{}{}", value * unit.factor, unit.plain.empty() ? "" : " ", unit.plain);
}

}  // namespace

CaseSignals::CaseSignals(Simulation& simulation)
    : simulation_(simulation), compiler_(program_, symbols_, {.host = this, .is_strict = true}) {
  plan_.intervals = {0};
}

CaseSignals::~CaseSignals() {
  if (recorder_ != nullptr) simulation_.manager().RemoveObserver(recorder_.get());
}

std::optional<ExpressionHost::Found> CaseSignals::FindSignal(std::string_view name, SymbolTable& symbols) {
  Fault fault;
  const System& system = simulation_.system();
  const std::optional<Item> item = system.FindVariable(system.root(), name, &fault);
  if (!item) {
    remedy_ = fault.remedy.empty() ? fault.what : fault.remedy;
    return std::nullopt;
  }
  item->MarkRead();
  plan_.columns.push_back(*item);
  options_.emplace_back();
  for (const std::string_view option : item->options()) options_.back().push_back(symbols.Add(option));
  Found found{.handle = static_cast<std::uint32_t>(plan_.columns.size() - 1),
              .type = TypeOf(*item),
              .choices = options_.back()};
  if (found.type == ValueType::kNumber && item->unit() != kAnyUnit)
    found.dimension = DimensionOf(item->unit(), system.units());
  return found;
}

std::optional<CaseSignals::Expression> CaseSignals::Compile(std::string_view text, ValueType type,
                                                            const SourceLocation& place,
                                                            std::string_view what, Diagnostics& diagnostics) {
  const ExpressionCompiler::Result result = compiler_.Compile(text, type);
  if (result.fault) {
    diagnostics.Error(place, {},
                      Fault{fmt::format("{}, column {}: {}", what, result.offset + 1, result.fault.what),
                            result.fault.remedy});
    return std::nullopt;
  }
  return Expression{std::string(text), result.range, result.unit};
}

void CaseSignals::Link() {
  compiler_.Link();
  memory_.resize(program_.memory_size());
  std::ranges::copy(program_.constants, memory_.begin());
  stack_.resize(program_.stack_size);
}

void CaseSignals::Record() {
  curves_.signals.resize(plan_.columns.size());
  recorder_ = std::make_unique<Recorder>(plan_);
  recorder_->AddSink([this](double t, std::span<const double> values) {
    curves_.time.push_back(t);
    for (std::size_t i = 0; i < values.size(); ++i) curves_.signals[i].push_back(values[i]);
  });
  simulation_.manager().AddObserver(recorder_.get());
}

void CaseSignals::Load(std::size_t signal, double value) {
  const std::uint32_t column = program_.signals[signal].handle;
  const std::vector<SymbolId>& options = options_[column];
  if (!options.empty()) {
    const auto place = static_cast<std::size_t>(value);
    value = value >= 0 && place < options.size() ? options[place] : kNoSymbol;
  }
  memory_[program_.first_signal() + signal] = value;
}

double CaseSignals::Evaluate(const Expression& expression, double t) {
  const ExpressionValue value = davit::Evaluate(program_, expression.range, memory_, {.time = t}, stack_);
  return value.is_valid ? value.value : std::numeric_limits<double>::quiet_NaN();
}

double CaseSignals::ValueAt(const Expression& expression, std::size_t row) {
  for (std::size_t i = 0; i < program_.signals.size(); ++i)
    Load(i, curves_.signals[program_.signals[i].handle][row]);
  return Evaluate(expression, curves_.time[row]);
}

bool CaseSignals::IsTrueNow(const Expression& expression) {
  simulation_.ShowWritten();
  for (std::size_t i = 0; i < program_.signals.size(); ++i)
    Load(i, plan_.columns[program_.signals[i].handle].Read());
  return Evaluate(expression, simulation_.time()) > 0.5;
}

std::string CaseSignals::Show(const Expression& expression, double value) const {
  const auto dimension = expression.unit.known();
  return ShowIn(dimension ? SiUnitOf(*dimension, simulation_.system().units()) : std::string(), value);
}

std::string CaseSignals::Operands(const Expression& expression, std::size_t row) const {
  std::string text;
  for (const std::uint32_t column : SignalsOf(expression)) {
    const Item& item = plan_.columns[column];
    const double value = curves_.signals[column][row];
    const std::vector<std::string_view> options = item.options();
    const std::string si = item.unit() == kAnyUnit ? std::string() : item.unit();
    std::string shown = ShowIn(si, value);
    if (const auto place = static_cast<std::size_t>(value); value >= 0 && place < options.size())
      shown = fmt::format("'{}'", options[place]);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", item.path(), shown);
  }
  return text;
}

std::vector<std::uint32_t> CaseSignals::SignalsOf(const Expression& expression) const {
  std::vector<std::uint32_t> columns;
  const auto add = [&](std::uint32_t address) {
    const std::size_t first = program_.first_signal();
    if (address == ExpressionInstruction::kOnStack || address < first) return;
    const std::uint32_t column = program_.signals[address - first].handle;
    if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
  };
  for (std::uint32_t i = expression.range.begin; i < expression.range.end; ++i) {
    add(program_.code[i].left);
    add(program_.code[i].right);
  }
  return columns;
}

}  // namespace davit
