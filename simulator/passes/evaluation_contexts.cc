#include "simulator/passes/evaluation_contexts.h"

#include <set>
#include <unordered_map>
#include <utility>

#include "simulator/passes/component_traits.h"
#include "simulator/passes/disjoint_sets.h"

namespace davit {
namespace {

class ContextMaker {
 public:
  ContextMaker(const SystemIndex& index, const Partition& partition, const std::vector<bool>& is_pure,
               const TimeStepPlan& steps)
      : index_(index),
        partition_(partition),
        is_pure_(is_pure),
        steps_(steps),
        rate_count_(static_cast<std::uint32_t>(steps.rates.size())),
        readers_(index.size()),
        unread_(index.size()) {}

  EvaluationContexts Make() {
    FindReadersOfPure();
    JoinUnreadPure();
    AddSchedules();
    result_.instances.resize(index_.size());
    for (std::uint32_t i = 0; i < index_.size(); ++i) AddInstances(i);
    for (std::uint32_t c = rate_count_; c < result_.size(); ++c) result_.rate.push_back(RateOfIsland(c));
    ListRoutes();
    return std::move(result_);
  }

 private:
  // A context before it has a number: the set of an island, or, from the other end, the rate of a schedule.
  using Key = std::uint32_t;
  static Key KeyOfSchedule(std::uint32_t rate) { return kNoNumber - rate; }
  Key KeyOf(std::uint32_t i) {
    if (partition_.IsTlm(i)) return KeyOfSchedule(steps_.RateOf(steps_.ticks[i]));
    return is_pure_[i] ? unread_.Find(i) : partition_.set[i];
  }

  void FindReadersOfPure() {
    std::vector<std::vector<std::uint32_t>> writers(index_.size());  // pure ones
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      if (!is_pure_[i]) continue;
      for (const std::uint32_t r : index_.RoutesFrom(i)) {
        if (index_.route(r).hold != Hold::kStep) writers[index_.To(r)].push_back(i);
      }
    }
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      if (is_pure_[i]) continue;
      std::vector<std::uint32_t> open = writers[i];
      while (!open.empty()) {
        const std::uint32_t writer = open.back();
        open.pop_back();
        if (!readers_[writer].insert(KeyOf(i)).second) continue;
        open.insert(open.end(), writers[writer].begin(), writers[writer].end());
      }
    }
  }

  bool IsUnreadPure(std::uint32_t i) const { return is_pure_[i] && readers_[i].empty(); }

  void JoinUnreadPure() {
    for (std::uint32_t i = 0; i < index_.size(); ++i) {
      if (!IsUnreadPure(i)) continue;
      for (const std::uint32_t r : index_.RoutesFrom(i)) {
        if (IsUnreadPure(index_.To(r))) unread_.Join(i, index_.To(r));
      }
    }
  }

  void AddSchedules() {
    result_.schedule_count = rate_count_;
    result_.members.resize(rate_count_);
    for (std::uint32_t rate = 0; rate < rate_count_; ++rate) {
      context_of_.emplace(KeyOfSchedule(rate), rate);
      result_.rate.push_back(rate);
    }
  }

  void AddInstances(std::uint32_t i) {
    if (index_.HasPorts(i) && IsConstant(index_.component(i))) return;
    if (is_pure_[i] && !readers_[i].empty()) {
      for (const Key key : readers_[i]) AddInstance(i, key);
    } else {
      AddInstance(i, KeyOf(i));
    }
  }

  void AddInstance(std::uint32_t i, Key key) {
    const auto [it, is_new] = context_of_.emplace(key, result_.size());
    if (is_new) result_.members.emplace_back();
    const std::uint32_t context = it->second;
    auto& members = result_.members[context];
    auto& instances = result_.instances[i];
    const bool is_copy = !instances.empty();
    instances.push_back({context, static_cast<std::uint32_t>(members.size())});
    members.push_back({i, is_copy, partition_.solvers[i], is_copy ? nullptr : &index_.component(i)});
  }

  /// That of the members which are in this island only; of the manager where there are none.
  std::uint32_t RateOfIsland(std::uint32_t context) const {
    for (const ContextMember& member : result_.members[context]) {
      if (!is_pure_[member.number]) return steps_.RateOf(steps_.ticks[member.number]);
    }
    return 0;
  }

  void ListRoutes() {
    result_.routes_into.resize(result_.size());
    for (std::uint32_t r = 0; r < index_.route_count(); ++r) {
      for (const auto& instance : result_.instances[index_.To(r)]) {
        result_.routes_into[instance.context].push_back(r);
      }
    }
  }

  const SystemIndex& index_;
  const Partition& partition_;
  const std::vector<bool>& is_pure_;
  const TimeStepPlan& steps_;
  const std::uint32_t rate_count_;
  std::vector<std::set<Key>> readers_;  ///< by pure component
  DisjointSets unread_;                 ///< of pure components that nobody reads
  std::unordered_map<Key, std::uint32_t> context_of_;
  EvaluationContexts result_;
};

}  // namespace

std::uint32_t EvaluationContexts::FindMember(std::uint32_t i, std::uint32_t context) const {
  for (const Instance& instance : instances[i]) {
    if (instance.context == context) return instance.member;
  }
  return kNoNumber;
}

std::uint32_t EvaluationContexts::FindContinuousWriter(const SystemIndex& index, std::uint32_t r,
                                                       std::uint32_t context) const {
  const std::uint32_t from = index.From(r);
  if (from == kNoNumber || index.route(r).hold == Hold::kStep) return kNoNumber;
  return FindMember(from, context);
}

EvaluationContexts MakeEvaluationContexts(const SystemIndex& index, const Partition& partition,
                                          const std::vector<bool>& is_pure, const TimeStepPlan& steps) {
  return ContextMaker(index, partition, is_pure, steps).Make();
}

}  // namespace davit
