// How an instance of the FMU of a component begins: parameters, start values, initialisation.

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "fmi/import/fmu_component.h"
#include "fmi/import/isolated_fmu.h"
#include "framework/system.h"
#include "simulator/islands/island.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

/// Calls take(begin, end, type, reference) with the links of each variable: `links` has one for each element
/// of each variable of `list`.
template <class Link, class Take>
void ForEachVariable(const std::vector<Link>& links, const FmuValueList& list, const Take& take) {
  auto link = links.begin();
  for (const FmuValueList::Run& run : list.runs()) {
    for (std::size_t i = 0; i < run.references.size(); ++i) {
      const auto end = link + static_cast<std::ptrdiff_t>(run.counts[i]);
      take(link, end, run.type, run.references[i]);
      link = end;
    }
  }
}

}  // namespace

void FmuComponent::Start(double t, bool knows_inputs) {
  ReleaseInputs();
  fmu_.reset();
  fmu_ = isolated_ ? MakeIsolatedFmu(*description_, source_) : MakeForeignFmu(*description_, source_);
  has_point_ = has_ended_ = has_warned_ = has_warned_of_output_ = has_changed_ = false;
  is_first_step_ = true;
  time_ = last_time_ = t;
  completed_time_ = event_time_ = -std::numeric_limits<double>::infinity();
  next_event_ = std::numeric_limits<double>::infinity();
  for (FmuValues* values : {&items_.continuous, &items_.discrete, &ports_.in()})
    values->values.assign(values->list.size(), std::numeric_limits<double>::quiet_NaN());
  for (FmuItems::ParameterLink& link : items_.parameter_links) link.values.values = link.start;
  block_ = {};
  island_ = nullptr;
  method_.clear();
  for (const auto& island : manager_->islands()) {
    if (std::ranges::find(island->members(), this) != island->members().end()) island_ = island.get();
  }
  FindRoutedOutputs();
  jacobian_ = is_co_simulation() ? FmuJacobian() : FmuJacobian(*this, *description_, items_);

  SendParameters(t, true);
  SendTexts();
  SendStarts();
  std::optional<double> tolerance;
  if (is_co_simulation() && description_->tolerance > 0) tolerance = description_->tolerance;
  fmu_->EnterInitialization(t, manager_->stop_time(), tolerance);
  SendInputs(knows_inputs);
  FindSlopeSources();
  first_inputs_ = SentInputs();
  is_initializing_ = is_co_simulation();
  if (is_initializing_) {
    SendPorts();
    ReadOutputs(items_.early_links, items_.early);
    ReadPorts();
    HoldInputs();
    is_running_ = true;
    return;
  }
  fmu_->ExitInitialization();
  RunEvents(t, true);
  TakeStates();
  TakeNominals();
  ReadOutputs(items_.early_links, items_.early);
  ReadOutputs(items_.late_links, items_.late);
  is_running_ = true;
}

void FmuComponent::SendInputs(bool with_routes) {
  std::set<const InputDeclaration*> routed;
  for (const Route& route : system_->routes()) {
    if (!with_routes) routed.insert(route.to);
  }
  const auto send = [&](const std::vector<FmuItems::InputLink>& links, FmuValues& values) {
    FetchInputs(links, values);
    for (const FmuItems::InputLink& link : links) {
      const InputDeclaration& declaration = declarations().inputs[link.declaration];
      if (routed.contains(&declaration))
        values.values[link.place] = link.unit.FromSi(declaration.default_value);
    }
    fmu_->SetValues(values.list, values.values);
  };
  send(items_.continuous_links, items_.continuous);
  send(items_.discrete_links, items_.discrete);
  items_.continuous_run = ForRun(items_.continuous_links, items_.continuous);
  items_.discrete_run = ForRun(items_.discrete_links, items_.discrete);
}

FmuItems::RunInputs FmuComponent::ForRun(const std::vector<FmuItems::InputLink>& links,
                                         const FmuValues& values) const {
  const auto is_routed = [this](const FmuItems::InputLink& link) {
    return declarations().inputs[link.declaration].is_routed;
  };
  FmuItems::RunInputs inputs;
  ForEachVariable(links, values.list, [&](auto begin, auto end, FmuBaseType type, std::uint32_t reference) {
    const bool is_of_route = std::any_of(begin, end, is_routed);
    FmuItems::InputPart& part = is_of_route ? inputs.routed : inputs.own.emplace_back();
    std::size_t place = part.values.list.Add(type, reference, static_cast<std::size_t>(end - begin));
    for (auto link = begin; link != end; ++link) {
      part.values.values.push_back(values.values[link->place]);
      part.links.push_back(*link);
      part.links.back().place = place++;
    }
  });
  return inputs;
}

std::vector<double> FmuComponent::SentInputs() const {
  std::vector<double> values = items_.continuous.values;
  values.insert(values.end(), items_.discrete.values.begin(), items_.discrete.values.end());
  return values;
}

void FmuComponent::HoldInputs() {
  if (!is_co_simulation() || is_holding_) return;
  is_holding_ = true;
  held_continuous_.swap(items_.continuous_links);
  held_discrete_.swap(items_.discrete_links);
}

void FmuComponent::ReleaseInputs() {
  if (!is_holding_) return;
  is_holding_ = false;
  held_continuous_.swap(items_.continuous_links);
  held_discrete_.swap(items_.discrete_links);
}

bool FmuComponent::TakeFirstInputs(double t) {
  ReleaseInputs();
  if (!is_running_ || has_ended_ || (is_co_simulation() && !is_initializing_)) return false;
  const std::vector<double> continuous = items_.continuous.values, discrete = items_.discrete.values;
  FetchInputs(items_.continuous_links, items_.continuous);
  FetchInputs(items_.discrete_links, items_.discrete);
  const bool has_changed = is_co_simulation()
                               ? items_.continuous.values != continuous || items_.discrete.values != discrete
                               : SentInputs() != first_inputs_;
  items_.continuous.values = continuous;
  items_.discrete.values = discrete;
  if (!has_changed || is_co_simulation()) return has_changed;  // the next evaluation sends them
  is_running_ = false;
  Run(t, [&] { Start(t, true); });
  return true;
}

bool FmuComponent::CompleteStart(double t) {
  ReleaseInputs();
  if (!is_running_ || has_ended_ || !is_initializing_) return false;
  std::vector<double> before = items_.early.values;
  before.insert(before.end(), ports_.out().values.begin(), ports_.out().values.end());
  Run(t, [&] {
    SendInputs(true);
    SendPorts();
    fmu_->ExitInitialization();
    is_initializing_ = false;
    ReadOutputs(items_.early_links, items_.early);
    ReadPorts();
  });
  std::vector<double> after = items_.early.values;
  after.insert(after.end(), ports_.out().values.begin(), ports_.out().values.end());
  return after != before;
}

void FmuComponent::SendParameters(double t, bool is_start) {
  bool is_in_event_mode = false;
  // Sizes of arrays come first.
  for (const bool is_structural : {true, false}) {
    for (FmuItems::ParameterLink& link : items_.parameter_links) {
      if (link.is_structural != is_structural || (!is_start && !link.is_tunable)) continue;
      bool has_changed = false;
      for (std::size_t i = 0; i < link.elements.size(); ++i) {
        const double value = link.elements[i].Read();
        has_changed = has_changed || value != link.values.values[i];
        link.values.values[i] = value;
      }
      if (!has_changed) continue;
      if (!is_start && !is_co_simulation() && !is_in_event_mode) {
        CompleteBeforeEvent(t);
        fmu_->EnterEventMode();
        is_in_event_mode = true;
      }
      if (is_structural) {
        fmu_->Configure(link.values.list, link.values.values);
      } else {
        fmu_->SetValues(link.values.list, link.values.values);
      }
    }
  }
  if (is_in_event_mode) RunEvents(t, true);
}

void FmuComponent::SendTexts() {
  for (const FmuItems::TextLink& link : items_.text_links) {
    if (link.property->value() != link.start) fmu_->SetText(link.reference, link.property->value());
  }
}

void FmuComponent::SendStarts() {
  const std::vector<StateDeclaration>& declarations = this->declarations().states;
  for (std::size_t i = 0; i < items_.state_links.size(); i += items_.state_links[i].count) {
    const std::size_t count = items_.state_links[i].count;
    FmuValues start;
    start.list.Add(items_.state_links[i].type, items_.state_links[i].reference, count);
    bool is_given = false;
    for (std::size_t k = i; k < i + count; ++k) {
      const FmuItems::StateLink& link = items_.state_links[k];
      is_given = is_given || declarations[link.declaration].is_start_given;
      start.values.push_back(link.unit.FromSi(declarations[link.declaration].start.front()));
    }
    if (is_given) fmu_->SetValues(start.list, start.values);
  }
}

void FmuComponent::FindRoutedOutputs() {
  const auto is_routed = [this](const FmuItems::OutputLink& link) {
    const OutputDeclaration* const declaration = &declarations().outputs[link.declaration];
    return std::ranges::any_of(system_->routes(),
                               [&](const Route& route) { return route.from.output() == declaration; });
  };
  const auto add = [&](const std::vector<FmuItems::OutputLink>& links, const FmuValueList& list,
                       const auto& is_wanted, std::vector<FmuItems::OutputLink>& to_links, FmuValues& to) {
    ForEachVariable(links, list, [&](auto link, auto end, FmuBaseType type, std::uint32_t reference) {
      if (!std::any_of(link, end, is_wanted)) return;
      std::size_t place = to.list.Add(type, reference, static_cast<std::size_t>(end - link));
      for (; link != end; ++link) {
        to_links.push_back(*link);
        to_links.back().place = place++;
      }
    });
    to.values.assign(to.list.size(), 0);
  };
  const auto is_any = [](const FmuItems::OutputLink&) { return true; };
  items_.shown_links.clear();
  items_.routed_early_links.clear();
  items_.routed_late_links.clear();
  items_.shown = items_.routed_early = items_.routed_late = {};
  add(items_.early_links, items_.early.list, is_any, items_.shown_links, items_.shown);
  add(items_.late_links, items_.late.list, is_any, items_.shown_links, items_.shown);
  add(items_.early_links, items_.early.list, is_routed, items_.routed_early_links, items_.routed_early);
  add(items_.late_links, items_.late.list, is_routed, items_.routed_late_links, items_.routed_late);
}

void FmuComponent::FindSlopeSources() {
  if (has_slopes_ || !is_co_simulation() || !capabilities().interpolates_inputs) return;
  has_slopes_ = true;
  const FmuItems::InputPart& routed = items_.continuous_run.routed;
  for (std::size_t i = 0; i < routed.links.size(); ++i) {
    const FmuItems::InputLink& link = routed.links[i];
    const InputDeclaration* const declaration = &declarations().inputs[link.declaration];
    const auto route = std::ranges::find(system_->routes(), declaration, &Route::to);
    if (route == system_->routes().end()) continue;
    // Operators act at step points: what they give is held.
    const OutputDeclaration* const output = route->from.output();
    if (declaration->operators != nullptr || (output != nullptr && output->operators != nullptr)) continue;
    // A source that depends on the time only is in the island of the FMU, itself or as a copy.
    const Component& owner = route->from.owner();
    const auto is_source = [&](const DynamicSimComponent* member) { return member->path() == owner.path(); };
    const bool is_inside = island_ != nullptr && std::ranges::any_of(island_->members(), is_source);
    Slope& slope = slopes_.emplace_back();
    slope.link = i;
    slope.read = is_inside ? std::function<double()>([input = link.input] { return double{*input}; })
                           : [source = route->from] { return source.Read(); };
    for (const auto& island : manager_->islands()) {
      const bool is_there =
          is_inside ? island.get() == island_ : std::ranges::any_of(island->members(), is_source);
      if (is_there && slope.before_break == nullptr) slope.before_break = &island->KeepLeftLimit(slope.read);
    }
    // All are scalars of type Real, in the order of the list: FMI 2.0 has nothing else.
    slope_references_.push_back(routed.values.list.runs().front().references[link.place]);
  }
  slope_values_.resize(slopes_.size());
}

}  // namespace davit
