#pragma once

#include "simulator/dynamic_sim_component.h"
#include "tests/server/live_system.h"

namespace davit {

/// A model that has one of everything that clients can reach.
class FuzzedPart final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "fuzz.Part", .text = "Has one of everything"};

  void EvaluateDiffEquations(double /*t*/) override {
    x_.ddt = rate_ + in_;
    out_ = 2 * x_;
  }
  void PostIntegrate() override {
    if (x_ > 1) alarm_.Set();
    if (x_ < 0.5) alarm_.Clear();
  }

 private:
  Input in_{this, "in", "m/s", "Adds to the rate", 0.0};
  Output out_{this, "out", "m", "Twice x"};
  StateVariable x_{this, "x", "m", "Place", 0.0};
  Parameter rate_{this, "rate", "m/s", "Rate of x", 1.0};
  Property<bool> flag_{this, "flag", "Means nothing", true};
  Message message_{this, "Jump", "Puts x to 2", [this] { x_.OverrideStateValue(2); }};
  Alarm alarm_{this, "far", AlarmLevel::kWarning, "x is more than 1 m"};
};

inline constexpr std::string_view kFuzzedSystem = R"(<System name="rig">
  <SimulatorManager TimeStep="10 ms" fs="100 Hz" StopTime="10 s"/>
  <fuzz.Part name="other"/>
  <fuzz.Part name="part"/>
  <Record signals="part.x" interval="10 ms"/>
</System>)";

inline void AddFuzzedModels(Registry& registry) { registry.Add<FuzzedPart>(); }

}  // namespace davit
