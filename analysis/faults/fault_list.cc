#include "analysis/faults/fault_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/study/study_text.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "framework/tree/item_list.h"

namespace davit {
namespace {

std::string ObstacleOf(const Item& item) {
  if (!item.when().holds())
    return fmt::format("{} is used only with {}; {}", item.path(), item.when().ToText(),
                       item.when().PresentText());
  if (!item.is_writable()) return fmt::format("a route sets {}", item.path());
  return {};
}

class FaultSelection {
 public:
  FaultSelection(System& system, Diagnostics& diagnostics)
      : system_(system), all_(ListFaults(system)), diagnostics_(diagnostics) {
    for (const SystemFault& fault : all_) names_.push_back(fault.name);
  }

  void AddAll() {
    std::ranges::copy_if(all_, std::back_inserter(chosen_),
                         [](const SystemFault& fault) { return fault.obstacle.empty(); });
  }
  void Add(const VariationText& text) {
    const std::size_t equals = text.text.find('=');
    const std::string name = text.text.substr(0, equals);
    std::vector<const SystemFault*> found;
    for (const SystemFault& fault : all_) {
      if (MatchesGlob(fault.name, name)) found.push_back(&fault);
    }
    if (found.empty()) return FailName(name, text.place);
    const std::string& obstacle = found.front()->obstacle;
    if (std::ranges::none_of(found, [](const SystemFault* one) { return one->obstacle.empty(); }))
      return Fail(text.place, {fmt::format("{} cannot happen in this system: {}", Quoted(name), obstacle),
                               "choose another fault, or another level"});
    for (const SystemFault* fault : found) {
      if (!fault->obstacle.empty()) continue;
      if (equals == std::string::npos) {
        Take(*fault);
      } else {
        AddValues(*fault, text.text.substr(equals + 1), text.place);
      }
    }
  }
  std::vector<SystemFault> Finish() && { return std::move(chosen_); }

 private:
  void Fail(const SourceLocation& place, const Fault& fault) { diagnostics_.Error(place, {}, fault); }

  void FailName(const std::string& name, const SourceLocation& place) {
    if (names_.empty())
      return Fail(place,
                  {"no model of the system declares faults", "davit describe MODEL lists those of a model"});
    // Of a component that is there, its faults; else the nearest name of all.
    const std::size_t dot = name.rfind('.');
    std::vector<std::string> own;
    for (const std::string& one : names_) {
      if (dot != std::string::npos && one.starts_with(name.substr(0, dot + 1)))
        own.push_back(one.substr(dot + 1));
    }
    if (!own.empty() && !IsGlob(name)) {
      return Fail(place,
                  {fmt::format("{} has no fault {}", name.substr(0, dot), Quoted(name.substr(dot + 1))),
                   SuggestName("it can have", name.substr(dot + 1), own)});
    }
    Fail(place, {"no fault " + Quoted(name), SuggestName("there are", name, names_)});
  }

  void AddValues(const SystemFault& fault, const std::string& list, const SourceLocation& place) {
    for (const std::string_view part : SplitOutside(list, ',')) {
      Fault wrong;
      const std::optional<double> number = fault.item.Parse(part, system_.units(), &wrong);
      if (number && !wrong) wrong = fault.item.Check(*number);
      if (wrong) {
        Fail(place, {fmt::format("{}: {}", fault.item.path(), wrong.what), wrong.remedy});
        continue;
      }
      SystemFault other = fault;
      other.name += fmt::format("={}", part);
      other.value = *number;
      other.is_multiple = false;
      Take(other);
    }
  }

  void Take(const SystemFault& fault) {
    if (taken_.insert(fault.name).second) chosen_.push_back(fault);
  }

  System& system_;
  std::vector<SystemFault> all_, chosen_;
  Diagnostics& diagnostics_;
  std::vector<std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace

std::vector<SystemFault> ListFaults(System& system) {
  std::vector<SystemFault> faults;
  for (Component* component : system.components()) {
    const std::vector<FaultModeDeclaration>& declared = component->declarations().fault_modes;
    if (declared.empty()) continue;
    const std::vector<Item> items = ListItems(*component);
    for (const FaultModeDeclaration& one : declared) {
      const auto item = std::ranges::find(items, one.item, &Item::name);
      if (item == items.end()) continue;  // FaultModesTest looks for those
      faults.push_back({.name = fmt::format("{}.{}", component->path(), one.label.name),
                        .text = std::string(one.label.text),
                        .item = *item,
                        .value = one.value,
                        .is_multiple = one.is_multiple,
                        .obstacle = ObstacleOf(*item)});
    }
  }
  return faults;
}

std::vector<SystemFault> SelectFaults(System& system, const std::vector<VariationText>& texts,
                                      Diagnostics& diagnostics) {
  FaultSelection selection(system, diagnostics);
  for (const VariationText& text : texts) selection.Add(text);
  if (texts.empty()) selection.AddAll();
  return std::move(selection).Finish();
}

std::vector<FaultCase> MakeFaultCases(const std::vector<SystemFault>& faults, bool has_pairs) {
  std::vector<FaultCase> cases;
  cases.reserve(faults.size());
  for (const SystemFault& fault : faults) cases.push_back({fault.name, {&fault}});
  for (std::size_t i = 0; has_pairs && i < faults.size(); ++i) {
    for (std::size_t k = i + 1; k < faults.size(); ++k) {
      if (faults[i].item.path() != faults[k].item.path())
        cases.push_back({faults[i].name + " + " + faults[k].name, {&faults[i], &faults[k]}});
    }
  }
  return cases;
}

}  // namespace davit
