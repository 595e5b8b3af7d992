#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/archive.h"
#include "framework/aspect.h"
#include "simulator/aspect_switch.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

class Island;
struct Network;
class RunLog;
class TlmSchedule;

/// Changes levels and aspects of components between two steps.
///
/// Requests are collected and carried out together at a step point: several requests for one component take
/// effect in their order, so that the last one wins, and the component changes once. What is asked for and
/// holds already changes nothing.
///
/// Call sequence: constructor, Start, then in each step Request as often as wanted, Take and, if there is
/// something to change, Apply. Apply allocates nothing where the island is an ODE island and no log is kept.
class BehaviourSwitcher {
 public:
  /// How often a component may change in a simulated second before that is reported.
  static constexpr std::uint64_t kMostSwitches = 100;

  /// `network` must outlive the switcher.
  BehaviourSwitcher(const std::vector<DynamicSimComponent*>& components, Network& network);
  BehaviourSwitcher(const BehaviourSwitcher&) = delete;
  BehaviourSwitcher& operator=(const BehaviourSwitcher&) = delete;

  /// Forgets requests and counts, and brings everybody to the behaviour the run begins with: states in use
  /// have places in the islands.
  void Start(double t);
  void RequestLevel(Component& component, Level level);
  void RequestOption(Component& component, AspectBase& aspect, std::uint32_t option);
  bool has_requests() const { return !requests_.empty(); }
  /// Takes the requests together; returns whether they change anything. Nothing has changed yet.
  bool Take() {
    changed_.clear();
    return !requests_.empty() && TakeRequests();
  }
  /// Carries out what was taken, at the step point t; the next one is t_next. `log` may be null. Throws
  /// IntegrationError where an algebraic island finds no consistent values.
  void Apply(double t, double t_next, RunLog* log);

  void ArchiveMemory(Archive& archive);

  /// How many components have changed, all changes counted.
  std::uint64_t switches() const { return switches_; }
  /// Oil at reference density [m3] and energy [J] that ended states held beyond what the new ones hold.
  double released_oil() const { return released_oil_; }
  double released_energy() const { return released_energy_; }
  /// Components with levels or aspects, in the order of the system file.
  const std::vector<DynamicSimComponent*>& components() const { return components_; }
  /// The components that the last Take found to change.
  const std::vector<DynamicSimComponent*>& changed() const { return changed_; }

 private:
  struct Request {
    std::size_t component;  ///< into components_
    AspectBase* aspect;     ///< null: a level
    Level level;
    std::uint32_t option;
  };
  /// A request as a snapshot has it.
  struct StoredRequest {
    std::uint64_t component = 0;
    std::uint64_t aspect = 0;  ///< its number; that after the last for a level
    Level level = Level::kIdeal;
    std::uint32_t option = 0;

    void ArchiveMemory(Archive& archive) { archive(component, aspect, level, option); }
  };
  struct Place {
    Island* island = nullptr;  ///< null: a fixed-step (TLM) component
    TlmSchedule* schedule = nullptr;
    BehaviourSetting before, after;  ///< work space of Take and Apply
    BehaviourSetting begin;          ///< with which the run begins
    bool is_loss_reported = false;
    bool is_touched = false;
    double second_begin = 0;  ///< of the simulated second that is being looked at
    std::uint64_t switches_in_second = 0;
    bool is_reported = false;
  };

  bool TakeRequests();
  void Touch(std::size_t component);
  void SetOptions(std::size_t component);
  void Report(std::size_t component, const AspectSwitch& change, RunLog& log) const;
  /// Warns once of options of the system file that a level has replaced.
  void ReportLost(std::size_t component, RunLog& log);
  void CountChatter(std::size_t component, double t, RunLog* log);

  Network& network_;
  std::vector<DynamicSimComponent*> components_;
  std::vector<Place> places_;
  std::unordered_map<const Component*, std::size_t> index_;
  std::vector<Request> requests_;
  std::vector<std::size_t> touched_;
  std::vector<DynamicSimComponent*> changed_;
  std::vector<Island*> islands_;  ///< of the changed components; work space
  std::vector<TlmSchedule*> schedules_;
  std::uint64_t switches_ = 0;
  double released_oil_ = 0;
  double released_energy_ = 0;
};

}  // namespace davit
