#include "fmi/fmu_structure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "simulator/islands/island.h"
#include "simulator/run/outside_solver.h"

namespace davit {
namespace {

constexpr std::size_t kNoIsland = static_cast<std::size_t>(-1);

class StructureLister {
 public:
  StructureLister(Simulation& simulation, std::vector<FmuVariable>& variables)
      : simulation_(simulation), variables_(variables) {
    for (std::size_t i = 0; i < variables_.size(); ++i) by_path_.emplace(variables_[i].entry.path, i);
    const auto& islands = simulation_.manager().islands();
    for (std::size_t k = 0; k < islands.size(); ++k) {
      for (const Component* member : islands[k]->members()) island_of_.emplace(member, k);
    }
  }

  void AddStates() {
    for (const auto& island : simulation_.manager().islands()) {
      const StateVectors& states = island->states();
      for (std::size_t i = 0; i < states.size(); ++i) {
        const std::size_t state = FindOrAdd(states.Name(i));
        const std::size_t derivative = FindOrAdd(states.Name(i) + ".ddt");
        variables_[state].is_continuous_state = true;
        variables_[state].nominal = states.Declaration(i).nominal;
        variables_[derivative].derivative_of = state;
        structure_.states.push_back(state);
        structure_.derivatives.push_back(derivative);
      }
    }
  }

  void AddGuards(bool has_variables) {
    for (const auto& island : simulation_.manager().islands()) {
      for (std::size_t i = 0; i < island->locator().size(); ++i) {
        const Guard& guard = island->locator().guard(i);
        const std::string path = fmt::format("{}.{}", guard.owner().path(), guard.name());
        structure_.guards.push_back(path);
        if (!has_variables) continue;
        FmuVariable variable;
        variable.name = "indicator(" + path + ")";
        variable.entry = {path, FmuType::kReal, FmuWrite::kNever, FmuSource::kGuard};
        variable.text = fmt::format("Event indicator: {}", guard.text());
        structure_.indicators.push_back(variables_.size());
        variables_.push_back(std::move(variable));
      }
    }
  }

  /// After AddStates: a variable for each condition under which states of a component are in use.
  void AddUses() {
    std::map<std::pair<const Component*, std::string>, std::size_t> known;
    std::size_t number = 0;
    for (const auto& island : simulation_.manager().islands()) {
      const StateVectors& states = island->states();
      for (std::size_t i = 0; i < states.size(); ++i, ++number) {
        const StateDeclaration& state = states.Declaration(i);
        if (state.when.is_always()) continue;
        const std::string condition = state.when.ToText();
        const auto [use, is_new] = known.try_emplace({&states.Owner(i), condition}, structure_.uses.size());
        if (is_new) {
          structure_.uses.push_back({variables_.size(), {}});
          AddUse(states.Name(i), condition);
        }
        structure_.uses[use->second].states.push_back(number);
      }
    }
  }

  /// After AddStates, if there are any.
  void FindDependencies() {
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const FmuVariable& variable = variables_[i];
      if (variable.causality != FmuCausality::kInput) continue;
      inputs_[IslandOf(variable)].push_back(i);
    }
    FindReadStates();
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const FmuVariable& variable = variables_[i];
      const bool is_listed = variable.causality == FmuCausality::kOutput || variable.derivative_of;
      if (is_listed && variable.variability == FmuVariability::kContinuous) FindDependencies(i);
    }
  }

  FmuStructure Take() { return std::move(structure_); }

 private:
  std::size_t FindOrAdd(const std::string& path) {
    const auto known = by_path_.find(path);
    if (known != by_path_.end()) return known->second;
    Fault fault;
    FmuVariable variable;
    variable.item = simulation_.system().FindVariable(simulation_.system().root(), path, &fault);
    constexpr std::string_view kEnd = ".ddt";
    variable.name = path.ends_with(kEnd) ? "der(" + path.substr(0, path.size() - kEnd.size()) + ")" : path;
    variable.entry = {path, FmuType::kReal, FmuWrite::kNever};
    if (variable.item) variable.text = variable.item->text();
    by_path_.emplace(path, variables_.size());
    variables_.push_back(std::move(variable));
    return variables_.size() - 1;
  }

  void AddUse(const std::string& state, const std::string& condition) {
    FmuVariable variable;
    variable.name = "in_use(" + state + ")";
    variable.entry = {state, FmuType::kBoolean, FmuWrite::kNever, FmuSource::kUse};
    variable.variability = FmuVariability::kDiscrete;
    variable.text = fmt::format("Whether the state takes part: {}", condition);
    variables_.push_back(std::move(variable));
  }

  std::size_t IslandOf(const FmuVariable& variable) const {
    if (!variable.item || variable.item->is_behaviour()) return kNoIsland;
    const auto island = island_of_.find(&variable.item->owner());
    return island == island_of_.end() ? kNoIsland : island->second;
  }

  /// By derivative: the states that its equation may read.
  void FindReadStates() {
    std::size_t base = 0;
    const auto& islands = simulation_.manager().islands();
    for (std::size_t k = 0; k < islands.size() && !structure_.states.empty(); ++k) {
      const std::size_t size = islands[k]->states().size();
      for (std::size_t i = 0; i < size; ++i) states_[k].push_back(structure_.states[base + i]);
      const JacobianPattern& pattern = islands[k]->jacobian_pattern();
      for (std::size_t column = 0; column < pattern.size(); ++column) {
        for (const std::uint32_t row : pattern.Rows(column))
          read_[structure_.derivatives[base + row]].insert(structure_.states[base + column]);
      }
      base += size;
    }
  }

  void FindDependencies(std::size_t i) {
    const FmuVariable& variable = variables_[i];
    std::set<std::size_t> all;
    if (IsState(variable)) {
      if (variable.is_continuous_state) all.insert(i);
    } else {
      const std::size_t island = IslandOf(variable);
      if (island == kNoIsland) return;
      if (const auto read = read_.find(i); read != read_.end()) {
        all = read->second;
      } else {
        all.insert(states_[island].begin(), states_[island].end());
      }
      // An input of no island may change anything.
      for (const std::size_t k : {island, kNoIsland}) all.insert(inputs_[k].begin(), inputs_[k].end());
    }
    structure_.dependencies[i].assign(all.begin(), all.end());
  }

  bool IsState(const FmuVariable& variable) const {
    return variable.item && variable.item->kind() == Item::Kind::kState &&
           (variable.is_continuous_state ||
            (structure_.states.empty() && variable.item->state()->when.is_always() &&
             !variable.item->state()->is_algebraic));
  }

  Simulation& simulation_;
  std::vector<FmuVariable>& variables_;
  std::unordered_map<std::string, std::size_t> by_path_;
  std::unordered_map<const Component*, std::size_t> island_of_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> inputs_, states_;  ///< by island
  std::unordered_map<std::size_t, std::set<std::size_t>> read_;                ///< by derivative
  FmuStructure structure_;
};

}  // namespace

FmuStructure ListFmuStructure(Simulation& simulation, std::vector<FmuVariable>& variables,
                              bool has_indicator_variables) {
  StructureLister lister(simulation, variables);
  lister.AddStates();
  lister.AddGuards(has_indicator_variables);
  lister.AddUses();
  lister.FindDependencies();
  return lister.Take();
}

FmuStructure ListFmuDependencies(Simulation& simulation, const std::vector<FmuVariable>& variables) {
  // What cannot be solved outside has fixed steps or algebraic equations: all may depend on all.
  if (!simulation.manager().outside().Fault().empty()) return {};
  std::vector<FmuVariable> copy = variables;
  StructureLister lister(simulation, copy);
  lister.FindDependencies();
  return lister.Take();
}

}  // namespace davit
