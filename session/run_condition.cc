#include "session/run_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "framework/syntax/value_unit.h"
#include "session/simulation.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

ValueType ConditionTypeOf(const Item& item) {
  switch (item.value_kind()) {
    case ValueKind::kCondition: return ValueType::kBoolean;
    case ValueKind::kOption: return ValueType::kString;
    default: return ValueType::kNumber;
  }
}

}  // namespace

RunCondition::RunCondition(Simulation& simulation, std::string_view text) : system_(simulation.system()) {
  ExpressionCompiler compiler(program_, symbols_, {.host = this, .is_strict = true});
  const ExpressionCompiler::Result result = compiler.Compile(text, ValueType::kBoolean);
  if (result.fault)
    throw std::invalid_argument(
        fmt::format("column {} of the condition: {}", result.offset + 1, result.fault.ToText()));
  compiler.Link();
  range_ = result.range;
  memory_.resize(program_.memory_size());
  std::ranges::copy(program_.constants, memory_.begin());
  stack_.resize(program_.stack_size);
  was_true_ = IsTrue();
}

RunCondition::~RunCondition() = default;

std::optional<ExpressionHost::Found> RunCondition::FindSignal(std::string_view name, SymbolTable& symbols) {
  Fault fault;
  const std::optional<Item> item = system_.FindVariable(system_.root(), name, &fault);
  if (!item) {
    remedy_ = fault.remedy.empty() ? fault.what : fault.remedy;
    return std::nullopt;
  }
  item->MarkShown();
  Signal& signal = signals_.emplace_back(Signal{*item, {}});
  for (const std::string_view option : item->options()) signal.options.push_back(symbols.Add(option));
  Found found{.handle = static_cast<std::uint32_t>(signals_.size() - 1),
              .type = ConditionTypeOf(*item),
              .choices = signal.options};
  if (found.type == ValueType::kNumber && item->unit() != kAnyUnit)
    found.dimension = DimensionOf(item->unit(), system_.units());
  return found;
}

const UnitSystem* RunCondition::units() const { return &system_.units(); }

bool RunCondition::HasBecomeTrue() {
  const bool was_true = std::exchange(was_true_, IsTrue());
  return was_true_ && !was_true;
}

bool RunCondition::IsTrue() {
  SimulatorManager& manager = SimulatorManager::Of(system_);
  manager.ShowWritten();
  for (std::size_t i = 0; i < program_.signals.size(); ++i) {
    const Signal& signal = signals_[program_.signals[i].handle];
    double value = signal.item.Read();
    if (!signal.options.empty()) {
      const bool is_option = value >= 0 && value < static_cast<double>(signal.options.size());
      value = is_option ? signal.options[static_cast<std::size_t>(value)] : kNoSymbol;
    }
    memory_[program_.first_signal() + i] = value;
  }
  const ExpressionValue value = Evaluate(program_, range_, memory_, {.time = manager.time()}, stack_);
  return value.is_valid && value.value > 0.5;
}

}  // namespace davit
