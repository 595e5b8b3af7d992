#include "statecharts/davit_data_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "statecharts/chart_archive.h"

namespace davit {

DavitDataModel::DavitDataModel(const SessionView& session)
    : chart_(*session.chart),
      program_(session.chart->program),
      host_(session.host),
      time_(session.time),
      memory_(program_.memory_size(), 0),
      before_(program_.signals.size(), 0),
      stack_(program_.stack_size + 1, 0),
      last_(program_.memories.size(), 0) {
  context_.active_states = session.configuration->words().data();
  context_.entered = session.entered;
  context_.last = last_.data();
}

void DavitDataModel::Initialize() {
  std::ranges::copy(program_.constants, memory_.begin());
  for (std::size_t i = 0; i < program_.variables.size(); ++i) {
    const ExpressionVariable& variable = program_.variables[i];
    double value = 0;
    if (variable.type == ValueType::kString)
      value = variable.choices.empty() ? kNoSymbol : variable.choices.front();
    memory_[program_.first_variable() + i] = value;
  }
  LatchSignals();
  EndStep();
}

ExpressionValue DavitDataModel::Run(Index expression) {
  context_.time = *time_;
  const IndexRange code = chart_.expressions[expression].code;
  return Evaluate(program_, {code.begin, code.end}, memory_, context_, stack_);
}

bool DavitDataModel::InitializeData(Index data, const Event* given) {
  const DataItem& item = chart_.data[data];
  if (item.variable == kNoIndex) return true;
  double& place = memory_[program_.first_variable() + item.variable];
  if (given != nullptr) {
    for (std::size_t i = 0; i < given->field_count; ++i) {
      const EventField& field = given->fields[i];
      if (field.name != item.symbol) continue;
      if (field.type != program_.variables[item.variable].type) return false;
      place = field.value;
      return true;
    }
  }
  if (item.value == kNoIndex) return true;
  const ExpressionValue result = Run(item.value);
  if (result.is_valid) place = result.value;
  return result.is_valid;
}

bool DavitDataModel::EvaluateCondition(Index expression, bool& value) {
  const ExpressionValue result = Run(expression);
  value = result.is_valid && result.value != 0;
  return result.is_valid;
}

ValueType DavitDataModel::TypeOf(Index expression) const { return chart_.expressions[expression].type; }

bool DavitDataModel::EvaluateText(Index expression, std::string& text) {
  const ExpressionValue result = Run(expression);
  if (!result.is_valid) return false;
  text = TextOf(TypeOf(expression), result.value);
  return true;
}

std::string DavitDataModel::TextOf(ValueType type, double value) const {
  switch (type) {
    case ValueType::kBoolean: return value != 0 ? "true" : "false";
    case ValueType::kString: {
      const auto symbol = static_cast<SymbolId>(value);
      return symbol == kNoSymbol ? std::string() : chart_.symbols->Text(symbol);
    }
    default: return fmt::format("{}", value);
  }
}

bool DavitDataModel::EvaluateTime(Index expression, double& seconds) {
  const ExpressionValue result = Run(expression);
  seconds = result.value;
  return result.is_valid && result.value >= 0;
}

bool DavitDataModel::Assign(const AssignElement& assignment) {
  const ExpressionValue result = Run(assignment.value);
  if (!result.is_valid) return false;
  if (assignment.variable != kNoIndex) {
    memory_[program_.first_variable() + assignment.variable] = result.value;
  } else if (host_ != nullptr) {
    return host_->WriteProperty(chart_.properties[assignment.property].handle, result.value);
  }
  return true;
}

// The loader refuses charts that need these.
bool DavitDataModel::AssignText(const std::string& /*location*/, const std::string& /*text*/) {
  return false;
}
bool DavitDataModel::RunScript(Index /*expression*/) { return false; }
bool DavitDataModel::ForEach(const Loop& /*loop*/, const LoopBody& /*body*/) { return false; }

bool DavitDataModel::MakePayload(const Payload& payload, Event& event) {
  bool is_whole = true;
  for (const NamedValue& named : payload.values) {
    const ExpressionValue result = Run(named.value);
    is_whole &= result.is_valid;
    if (!result.is_valid || event.field_count == Event::kMaxFields) continue;
    event.fields[event.field_count++] = {named.symbol, TypeOf(named.value), result.value};
  }
  if (payload.content_value != kNoIndex) {
    const ExpressionValue result = Run(payload.content_value);
    is_whole &= result.is_valid;
    event.has_value = result.is_valid;
    event.value = {kNoSymbol, TypeOf(payload.content_value), result.value};
  }
  return is_whole;
}

bool DavitDataModel::LatchSignals() {
  bool has_changed = false;
  double* place = memory_.data() + program_.first_signal();
  double* before = before_.data();
  for (const ExpressionSignal& signal : program_.signals) {
    const double value = host_->ReadSignal(signal.handle);
    has_changed |= *place != value;
    *before++ = std::exchange(*place++, value);
  }
  return has_changed || has_edge_;
}

std::vector<RunLog::Operand> DavitDataModel::Operands(Index expression) const {
  std::vector<std::uint32_t> known;
  std::vector<RunLog::Operand> operands;
  const auto add = [&](std::uint32_t address) {
    if (address == ExpressionInstruction::kOnStack || address < program_.first_variable()) return;
    if (std::ranges::find(known, address) != known.end()) return;
    known.push_back(address);
    const bool is_signal = address >= program_.first_signal();
    const std::size_t place = address - (is_signal ? program_.first_signal() : program_.first_variable());
    if (!is_signal) {
      const ExpressionVariable& variable = program_.variables[place];
      operands.push_back({.name = variable.name, .value = TextOf(variable.type, memory_[address])});
      return;
    }
    const ExpressionSignal& signal = program_.signals[place];
    operands.push_back({.name = signal.path,
                        .value = TextOf(signal.type, memory_[address]),
                        .before = TextOf(signal.type, before_[place]),
                        .path = host_->PathOf(signal.handle)});
  };
  const IndexRange range = chart_.expressions[expression].code;
  for (Index i = range.begin; i < range.end; ++i) {
    add(program_.code[i].left);
    add(program_.code[i].right);
    if (program_.code[i].op == ExpressionOp::kIn)
      operands.push_back({.name = chart_.names[program_.code[i].index].id});
  }
  return operands;
}

void DavitDataModel::Archive(ChartArchive& archive) {
  archive.Fixed(std::span(memory_));
  archive.Fixed(std::span(last_));
  archive.Value(has_edge_);
}

void DavitDataModel::EndStep() {
  context_.time = *time_;
  has_edge_ = false;
  for (std::size_t i = 0; i < last_.size(); ++i) {
    const double value = Evaluate(program_, program_.memories[i], memory_, context_, stack_).value;
    // What is rising now is not rising in the next step: the chart must look again.
    has_edge_ |= value != last_[i];
    last_[i] = value;
  }
}

}  // namespace davit
