#pragma once

#include <array>
#include <string_view>

#include "hopsan/component.h"

namespace davit::hopsan {

/// Components that run as one, in the phase of what its connections reach inside: Hopsan's sub-system, with
/// its own order and maybe its own time step. Where its input `on` has a signal it is a conditional one.
class Subsystem final : public HopsanComponent {
 public:
  using HoldsComponents = void;
  static constexpr ModelInfo kInfo{
      .name = "hopsan.Subsystem",
      .text = "Hopsan components that run as one",
      .equations = R"(
It runs whole, its S, C and Q components in turn, in the phase S, C or Q of the system around it: that of the
components inside which connections from outside reach. With a separate time_step it takes
round((t - t_own)/time_step) steps each time; what comes from outside is held meanwhile. With conditional="true"
it runs only while on > 0: else its time advances and nothing is computed.
Inside are hopsan.* components; connections are outside, with paths such as name.valve.PA.
)",
  };
  enum class Kind : std::uint8_t { kFound, kS, kC, kQ };
  static constexpr std::array<std::string_view, 4> kKinds = {"found", "S", "C", "Q"};

  Subsystem() : HopsanComponent(Phase::kS) {}
  bool AcceptsChild(std::string_view model) const override {
    return model.starts_with("hopsan.") && model != "hopsan.Scheduler";
  }
  Kind kind() const { return kind_; }
  double time_step() const { return time_step_; }
  bool is_conditional() const { return conditional_; }
  bool is_on() const { return !conditional_ || on > 0; }

 private:
  Parameter time_step_{this, "time_step", "s", "Time step; 0 for that of the system around it",
                       Number{.value = 0, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Property<Kind> kind_{this, "kind", "Phase in which it runs", Kind::kFound, kKinds};
  Property<bool> conditional_{this, "conditional", "Whether it runs only while on > 0",
                              Choice<bool>{.value = false}};
  In on{this, "on"};
};

}  // namespace davit::hopsan
