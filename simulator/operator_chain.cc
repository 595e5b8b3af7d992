#include "simulator/operator_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/nearest_name.h"
#include "framework/system.h"

namespace davit {
namespace {

template <class List>
std::size_t PositionOf(const List& list, std::string_view name, std::size_t none) {
  const auto it = std::ranges::find_if(list, [&](const auto& one) { return one.label.name == name; });
  return it == list.end() ? none : static_cast<std::size_t>(it - list.begin());
}

std::vector<std::string> SignalNames(const Declarations& all) {
  std::vector<std::string> names;
  for (const InputDeclaration& input : all.inputs) {
    if (!input.is_array) names.emplace_back(input.label.name);
  }
  for (const OutputDeclaration& output : all.outputs) {
    if (output.kind != ValueKind::kOption && output.is_primary) names.emplace_back(output.label.name);
  }
  for (const StateDeclaration& state : all.states) {
    if (!state.is_array && state.is_active) names.emplace_back(state.label.name);
  }
  return names;
}

/// Why a component has no input, output or state of this name.
std::string NoSignal(const Component& owner, std::string_view name) {
  const Declarations& all = owner.declarations();
  const std::string of = fmt::format("{} of {}", Quoted(name), owner.model().name);
  constexpr std::size_t kAbsent = ~std::size_t{0};
  if (PositionOf(all.parameters, name, kAbsent) != kAbsent)
    return of + " is a parameter; operators belong to inputs, outputs and states";
  return fmt::format("no input, output or state {} on {}; {}", Quoted(name), owner.model().name,
                     SuggestName("it has", name, SignalNames(all)));
}

}  // namespace

void OperatorChain::Attach(const UnitSystem& units, Diagnostics& diagnostics) {
  const auto fail = [&](std::string_view text) { diagnostics.Error(location(), DisplayPath(), text); };
  for (Component* child : children()) operators_.push_back(static_cast<Operator*>(child));
  if (operators_.empty())
    fail("no operator inside; write for example <operator.Limiter low=\"0\" high=\"1\"/>");
  Declarations& all = parent()->mutable_declarations();
  const std::string& name = signal_.value();
  input_ = PositionOf(all.inputs, name, kNone);
  output_ = PositionOf(all.outputs, name, kNone);
  state_ = PositionOf(all.states, name, kNone);
  if (state_ != kNone && !all.states[state_].is_active) state_ = kNone;
  if (input_ == kNone && output_ == kNone && state_ == kNone) return fail(NoSignal(*parent(), name));
  const Component* known = is_of_input()    ? all.inputs[input_].operators
                           : is_of_output() ? all.outputs[output_].operators
                                            : nullptr;
  for (const Component* child : parent()->children()) {
    const auto* other = dynamic_cast<const OperatorChain*>(child);
    if (other != nullptr && other != this && other->IsOfState(name)) known = child;
  }
  if (!is_of_input() && !is_of_output() && all.states[state_].is_array) {
    return fail(Quoted(name) +
                " is an array of states; put the operators at the input that reads an element of it");
  }
  if (is_of_input() && all.inputs[input_].is_array) {
    return fail(Quoted(name) + " takes several routes; put the operators at the outputs that they come from");
  }
  if (is_of_output() && all.outputs[output_].kind == ValueKind::kOption) {
    return fail(Quoted(name) + " is the number of an option; operators need a signal that is a quantity");
  }
  if (known != nullptr) {
    return fail(
        fmt::format("second operators of {}, the first are in line {}; put all of them into one "
                    "<Operators>, in their order",
                    Quoted(name), known->location().line));
  }
  is_attached_ = true;
  if (is_of_input()) all.inputs[input_].operators = this;
  if (is_of_output()) all.outputs[output_].operators = this;
  if (is_of_output()) all.outputs[output_].operated = declarations().outputs[1].value;

  const std::string_view inner = is_of_input()    ? all.inputs[input_].label.unit
                                 : is_of_output() ? all.outputs[output_].label.unit
                                                  : all.states[state_].label.unit;
  std::string_view outer = inner;
  if (!unit_.value().empty()) {
    const std::optional<Unit> unit = units.Find(unit_.value());
    if (!unit)
      return fail("unknown unit " + Quoted(unit_.value()) + "; write an SI unit such as V, m/s or Pa");
    if (unit->scale != 1 || unit->offset != 0) {
      return fail(fmt::format("unit: {} is not an SI unit; write {}", Quoted(unit_.value()),
                              ToText(unit->dimension)));
    }
    const bool changes = std::ranges::any_of(operators_, &Operator::ChangesUnit);
    const std::optional<Unit> own = units.Find(inner);
    if (!changes && own && own->dimension != unit->dimension) {
      return fail(
          fmt::format("unit: no operator here turns {} into {}; add an operator.Scaling or leave out "
                      "the attribute",
                      is_of_input() ? Quoted(unit_.value()) : Quoted(inner),
                      is_of_input() ? Quoted(inner) : Quoted(unit_.value())));
    }
    outer = unit_.value();
  }
  const std::string_view before = is_of_input() ? outer : inner;
  const std::string_view after = is_of_input() ? inner : outer;
  auto& outputs = mutable_declarations().outputs;
  outputs[0].label.unit = before;
  outputs[1].label.unit = after;
  // In between units are known up to the first operator that changes them, and from the last one on.
  const auto changes = [](const Operator* one) { return one->ChangesUnit(); };
  const auto first = std::ranges::find_if(operators_, changes);
  const auto last = std::find_if(operators_.rbegin(), operators_.rend(), changes).base();
  const bool is_one_unit = before == after;
  for (auto it = operators_.begin(); it != operators_.end(); ++it) {
    const std::string_view in = is_one_unit || it <= first ? before : it >= last ? after : kAnyUnit;
    const std::string_view out = is_one_unit || it < first ? before : it + 1 >= last ? after : kAnyUnit;
    (*it)->TakeUnits(in, out);
  }
}

bool OperatorChain::IsOfState(std::string_view name) const {
  return is_attached_ && !is_of_input() && !is_of_output() && signal_.value() == name;
}

void OperatorChain::Link(System& system, Diagnostics& /*diagnostics*/) {
  if (!is_attached_ || !is_of_input()) return;
  const InputDeclaration& input = parent()->declarations().inputs[input_];
  Route route;
  route.from = Item::OfOutput(*this, 1);
  route.to_owner = parent();
  route.to = &input;
  route.to_path = parent()->path() + '.' + std::string(input.label.name);
  route.hold = Hold::kStep;
  route.location = location();
  system.AddHeldRoute(std::move(route));
}

void OperatorChain::Bind(const System& system) {
  source_.clear();
  samples_.clear();
  const Declarations& all = parent()->declarations();
  own_source_ = is_of_input()    ? all.inputs[input_].own_value
                : is_of_output() ? all.outputs[output_].value
                                 : nullptr;
  if (own_source_ == nullptr) source_.push_back(Item::OfState(*parent(), state_, 0));
  std::vector<const double**> slots;
  for (const Route& route : system.sampled_routes()) {
    if (route.to == nullptr) continue;
    if (is_of_input() && route.to == &all.inputs[input_]) source_.push_back(route.from);
    if (route.to_owner->parent() != this) continue;
    samples_.push_back({route.from});
    slots.push_back(route.slot());
  }
  for (std::size_t i = 0; i < slots.size(); ++i) *slots[i] = &samples_[i].value;
}

double OperatorChain::Source() const { return source_.empty() ? *own_source_ : source_.front().Read(); }

void OperatorChain::TakeSamples() {
  for (Sample& sample : samples_) sample.value = sample.from.Read();
}

void OperatorChain::Begin(double t) {
  TakeSamples();
  has_run_ = false;
  double value = Source();
  u_ = value;
  for (running_ = 0; running_ < operators_.size(); ++running_) {
    value = operators_[running_]->BeginWith(value, t, owner().GetOperatorPeriod());
  }
  running_ = 0;
  y_ = value;
}

void OperatorChain::Run(double t) {
  if (is_of_input() && !has_run_) {
    Begin(t);
    has_run_ = true;
    return;
  }
  TakeSamples();
  double value = Source();
  u_ = value;
  for (running_ = 0; running_ < operators_.size(); ++running_) value = operators_[running_]->Run(value, t);
  running_ = 0;
  y_ = value;
}

void OperatorChain::ArchiveMemory(Archive& archive) { archive(has_run_, samples_); }

}  // namespace davit
