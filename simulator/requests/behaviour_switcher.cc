#include "simulator/requests/behaviour_switcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "framework/run_log.h"
#include "simulator/component_fault.h"
#include "simulator/islands/island.h"
#include "simulator/network/network.h"
#include "simulator/network/tlm_schedule.h"

namespace davit {
namespace {

template <class T>
void AddOnce(std::vector<T*>& list, T* item) {
  if (item != nullptr && std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

}  // namespace

BehaviourSwitcher::BehaviourSwitcher(const std::vector<DynamicSimComponent*>& components, Network& network)
    : network_(network) {
  std::unordered_map<const Component*, Place> homes;
  for (const auto& island : network.islands) {
    for (DynamicSimComponent* member : island->members()) homes[member].island = island.get();
  }
  for (const auto& rate : network.rates) {
    for (DynamicSimComponent* component : rate->components) {
      Place& place = homes[component];
      if (place.island == nullptr) place.schedule = &rate->tlm;
    }
  }
  for (DynamicSimComponent* component : components) {
    if (component->declarations().aspects.empty() && component->model().levels.is_empty()) continue;
    index_.emplace(component, components_.size());
    components_.push_back(component);
    Place& place = places_.emplace_back(homes[component]);
    component->ReadBehaviour(place.before);
    place.after = place.begin = place.before;
  }
  constexpr std::size_t kUsualRequests = 4;
  requests_.reserve(kUsualRequests * components_.size());
  touched_.reserve(components_.size());
  changed_.reserve(components_.size());
  islands_.reserve(network.islands.size());
  schedules_.reserve(network.rates.size());
}

void BehaviourSwitcher::Start(double t) {
  requests_.clear();
  changed_.clear();
  switches_ = 0;
  released_oil_ = released_energy_ = 0;
  for (Place& place : places_) {
    place.second_begin = t;
    place.switches_in_second = 0;
    place.is_reported = false;
    place.is_touched = false;
  }
  for (const auto& island : network_.islands) island->ArrangeStates();
  for (const auto& rate : network_.rates) rate->tlm.states().Arrange(false);
  for (std::size_t i = 0; i < components_.size(); ++i) {
    if (places_[i].schedule != nullptr) components_[i]->PrepareTimestep();
  }
}

void BehaviourSwitcher::RequestLevel(Component& component, Level level) {
  requests_.push_back({index_.at(&component), nullptr, level, 0});
}

void BehaviourSwitcher::RequestOption(Component& component, AspectBase& aspect, std::uint32_t option) {
  requests_.push_back({index_.at(&component), &aspect, Level::kIdeal, option});
}

void BehaviourSwitcher::Touch(std::size_t i) {
  Place& place = places_[i];
  if (place.is_touched) return;
  place.is_touched = true;
  components_[i]->ReadBehaviour(place.before);
  place.after = place.before;
  touched_.push_back(i);
}

bool BehaviourSwitcher::TakeRequests() {
  touched_.clear();
  for (const Request& request : requests_) {
    Touch(request.component);
    const auto& aspects = components_[request.component]->declarations().aspects;
    BehaviourSetting& after = places_[request.component].after;
    if (request.aspect == nullptr) {
      after.level = request.level;
      after.is_modified = false;
      for (std::size_t a = 0; a < aspects.size(); ++a) {
        after.options[a] = components_[request.component]->OptionAt(request.level, a);
      }
    } else {
      const auto a = static_cast<std::size_t>(std::find(aspects.begin(), aspects.end(), request.aspect) -
                                              aspects.begin());
      after.is_modified = after.is_modified || after.options[a] != request.option;
      after.options[a] = request.option;
    }
  }
  requests_.clear();
  for (const std::size_t i : touched_) {
    places_[i].is_touched = false;
    if (places_[i].after != places_[i].before) changed_.push_back(components_[i]);
  }
  return !changed_.empty();
}

void BehaviourSwitcher::Apply(double t, double t_next, RunLog* log) {
  islands_.clear();
  schedules_.clear();
  for (const DynamicSimComponent* component : changed_) SetOptions(index_.find(component)->second);
  for (Island* island : islands_) island->RearrangeStates();
  for (TlmSchedule* schedule : schedules_) schedule->states().Arrange(false);
  for (DynamicSimComponent* component : changed_) {
    const std::size_t i = index_.find(component)->second;
    Place& place = places_[i];
    AspectSwitch change(t, place.before.options, component->declarations().aspects);
    if (place.before.options != place.after.options) {
      if (place.schedule != nullptr) component->PrepareTimestep();
      try {
        component->AspectsChanged(change);
      } catch (...) {
        BlameComponent(*component, t);
      }
    }
    ++switches_;
    released_oil_ += change.oil();
    released_energy_ += change.energy();
    if (log != nullptr && log->Keeps(RunLog::Severity::kInfo)) Report(i, change, *log);
    if (log != nullptr && log->Keeps(RunLog::Severity::kWarning)) ReportLost(i, *log);
    CountChatter(i, t, log);
  }
  for (Island* island : islands_) {
    island->EvaluateAt(t);
    island->MakeConsistent(t, t_next);
  }
}

void BehaviourSwitcher::ArchiveMemory(Archive& archive) {
  std::vector<StoredRequest> stored;
  for (const Request& request : requests_) {
    const auto& aspects = components_[request.component]->declarations().aspects;
    const auto aspect = std::find(aspects.begin(), aspects.end(), request.aspect) - aspects.begin();
    stored.push_back({request.component, static_cast<std::uint64_t>(aspect), request.level, request.option});
  }
  archive.List(stored);
  archive(switches_, released_oil_, released_energy_);
  for (Place& place : places_) archive(place.second_begin, place.switches_in_second, place.is_reported);
  if (!archive.is_loading() || !archive.is_good()) return;
  requests_.clear();
  for (const StoredRequest& request : stored) {
    if (request.component >= components_.size()) return archive.Refuse("a request to an unknown component");
    const DynamicSimComponent& component = *components_[request.component];
    const auto& aspects = component.declarations().aspects;
    const bool is_level = request.aspect >= aspects.size();
    const bool is_known = is_level ? component.HasLevel(request.level)
                                   : request.option < aspects[request.aspect]->options().size();
    if (!is_known) return archive.Refuse("a request for an unknown level or option");
    requests_.push_back(
        {request.component, is_level ? nullptr : aspects[request.aspect], request.level, request.option});
  }
}

void BehaviourSwitcher::SetOptions(std::size_t i) {
  Place& place = places_[i];
  components_[i]->SetBehaviour(place.after);
  if (place.before.options == place.after.options) return;  // another name for the same behaviour
  components_[i]->ParametersChanged();
  AddOnce(islands_, place.island);
  AddOnce(schedules_, place.schedule);
}

void BehaviourSwitcher::Report(std::size_t i, const AspectSwitch& change, RunLog& log) const {
  const DynamicSimComponent& component = *components_[i];
  const BehaviourSetting& before = places_[i].before;
  const BehaviourSetting& after = places_[i].after;
  std::string text;
  if (after.level) {
    text = fmt::format("level {} -> {}{}", component.LevelName(*before.level),
                       component.LevelName(*after.level), after.is_modified ? " (modified)" : "");
  }
  for (std::size_t a = 0; a < after.options.size(); ++a) {
    if (before.options[a] == after.options[a]) continue;
    const AspectBase& aspect = *component.declarations().aspects[a];
    text += fmt::format("{}{} {} -> {}", text.empty() ? "" : ", ", aspect.label().name,
                        aspect.options()[before.options[a]], aspect.option_name());
  }
  const auto moved = [](double amount) { return amount < 0 ? "entered" : "left"; };
  if (const double oil = change.oil(); oil != 0)
    text += fmt::format("; {:.4g} m3 of oil {} the equations", std::abs(oil), moved(oil));
  if (const double energy = change.energy(); energy != 0)
    text += fmt::format("; {:.4g} J {} the equations", std::abs(energy), moved(energy));
  log.Write(RunLog::Severity::kInfo, component.DisplayPath(), text, RunLog::Kind::kLevel,
            {.item = component.path()});
}

void BehaviourSwitcher::ReportLost(std::size_t i, RunLog& log) {
  Place& place = places_[i];
  if (place.is_loss_reported || place.after.is_modified || !place.begin.is_modified || !place.begin.level)
    return;
  const DynamicSimComponent& component = *components_[i];
  std::string lost, attributes;
  for (std::size_t a = 0; a < place.after.options.size(); ++a) {
    const std::uint32_t option = place.begin.options[a];
    const bool is_of_file = option != component.OptionAt(*place.begin.level, a);
    if (!is_of_file || place.before.options[a] != option || place.after.options[a] == option) continue;
    const AspectBase& aspect = *component.declarations().aspects[a];
    lost += fmt::format("{}{} = {}", lost.empty() ? "" : ", ", aspect.label().name, aspect.options()[option]);
    attributes += fmt::format(" {}=\"{}\"", aspect.label().name, aspect.options()[option]);
  }
  if (lost.empty()) return;
  place.is_loss_reported = true;
  const std::string_view level = component.LevelName(*place.after.level);
  log.Write(RunLog::Severity::kWarning, component.DisplayPath(),
            fmt::format("the level {} sets all aspects, so {} of the system file is lost; to keep it, define "
                        "<Level name=\"own\" base=\"{}\"{}/> and request that level",
                        level, lost, level, attributes));
}

void BehaviourSwitcher::CountChatter(std::size_t i, double t, RunLog* log) {
  Place& place = places_[i];
  if (t - place.second_begin >= 1) {
    place.second_begin = t;
    place.switches_in_second = 0;
  }
  if (++place.switches_in_second <= kMostSwitches || place.is_reported) return;
  place.is_reported = true;
  if (log == nullptr) return;
  log->Write(
      RunLog::Severity::kWarning, components_[i]->DisplayPath(),
      fmt::format(
          "more than {} switches in a simulated second; give the transitions of its chart a hysteresis "
          "or a waiting time (davit:holds, davit:dwell)",
          kMostSwitches));
}

}  // namespace davit
