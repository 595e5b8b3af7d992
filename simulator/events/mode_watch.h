#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "framework/mode.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// A mode that has changed.
struct ModeChange {
  const DynamicSimComponent* owner = nullptr;
  std::size_t mode = 0;  ///< its number among those of the owner
  std::uint32_t from = 0, to = 0;
  double t = 0;  ///< [s]
};

/// Follows the modes of components that are evaluated together.
///
/// Call sequence: Start, then Look with growing times. What comes and goes between two looks is missed:
/// nothing depends on a mode but who watches it.
class ModeWatch {
 public:
  /// How exactly a change is located [s].
  static constexpr double kResolution = 1e-9;
  /// Brings all values of the components to t.
  using Evaluation = std::function<void(double t)>;

  ModeWatch() = default;
  void Add(const DynamicSimComponent& component);

  bool is_empty() const { return watched_.empty(); }
  /// Everything is evaluated at the present time: the modes are those of the present values, and nothing has
  /// changed.
  void Start();
  /// Whether the values that the components show at this moment mean another mode.
  bool SeesChange() const;
  /// Everything is evaluated at `to`. Where modes have changed since `from`, finds when, by `evaluate`; then
  /// returns true, and values are those of another time than `to`.
  bool Look(double from, double to, const Evaluation& evaluate);
  /// The same without a search: changes belong to `t`.
  void LookAt(double t);
  /// What has changed since it was last cleared, in the order of time.
  std::vector<ModeChange>& changes() { return changes_; }

 private:
  struct Watched {
    const DynamicSimComponent* owner;
    std::size_t number;
    ModeBase* mode;
  };

  std::vector<Watched> watched_;
  std::vector<ModeChange> changes_;
};

}  // namespace davit
