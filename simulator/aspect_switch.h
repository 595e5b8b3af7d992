#pragma once

#include <cstdint>
#include <vector>

#include "framework/aspect.h"

namespace davit {

/// A change of options, as the component sees it that changes: `DynamicSimComponent::AspectsChanged`.
///
/// What the states held that end with the switch, beyond what the new ones hold, leaves the equations. The
/// component says how much, so that balances over a run still close.
class AspectSwitch {
 public:
  /// `before` are the options until now, in the order of the declaration of the aspects.
  AspectSwitch(double t, const std::vector<std::uint32_t>& before, const std::vector<AspectBase*>& aspects)
      : t_(t), before_(before), aspects_(aspects) {}

  double time() const { return t_; }
  /// The option of an aspect until now.
  template <class E>
  E Before(const Aspect<E>& aspect) const {
    for (std::size_t i = 0; i < aspects_.size(); ++i) {
      if (aspects_[i] == &aspect) return static_cast<E>(before_[i]);
    }
    return aspect;
  }
  template <class E>
  bool HasChanged(const Aspect<E>& aspect) const {
    return Before(aspect) != static_cast<E>(aspect);
  }

  /// Oil at reference density that has left the equations [m3]; negative: that has come in.
  void ReleaseOil(double volume) { oil_ += volume; }
  /// The same of energy [J].
  void ReleaseEnergy(double energy) { energy_ += energy; }
  double oil() const { return oil_; }
  double energy() const { return energy_; }

 private:
  double t_;
  const std::vector<std::uint32_t>& before_;
  const std::vector<AspectBase*>& aspects_;
  double oil_ = 0;
  double energy_ = 0;
};

}  // namespace davit
