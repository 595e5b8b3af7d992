#pragma once

#include <array>
#include <boost/math/interpolators/cardinal_cubic_b_spline.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "components/marine/laws/response_table.h"
#include "components/marine/motion_outputs.h"
#include "components/marine/motion_source.h"
#include "framework/tree/item_element.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// A vessel that moves as a motion reference unit has recorded it.
class RecordedMotion final : public DynamicSimComponent, public ItemTaker, public MotionSource {
 public:
  static constexpr ModelInfo kInfo{
      .name = "marine.RecordedMotion",
      .text = "Motion of a vessel from a recording",
      .equations = R"(
Each degree of freedom is a cubic spline through its recorded values; rate and acceleration are its derivatives.
Before the first and after the last time the motion rests at the first and the last value.
The outputs have the names of the inputs that move the base of a mechanism.Mechanism.
## Recording
  <Motion src="motion.csv"/>
A CSV file: its first line names the columns with units, time [s], then surge [m], sway [m], heave [m], roll [deg],
pitch [deg], yaw [deg], as far as they were recorded; the others are 0. x points forward, y to port, z upwards, and turns
are positive about these axes. The times are equally spaced. A short recording can stand in the system file instead:
  <Sample time="0.1 s" heave="0.2 m"/>
# Assumptions and limits
- Motion between the samples is smooth. Noise in the samples is amplified in the acceleration.
)",
  };

  std::vector<std::string> ItemKinds() const override { return {"Motion", "Sample"}; }
  std::string_view ExampleItems() const override {
    return "<Sample time=\"0 s\" heave=\"0 m\"/>\n<Sample time=\"1 s\" heave=\"0.3 m\"/>\n"
           "<Sample time=\"2 s\" heave=\"0.5 m\"/>\n<Sample time=\"3 s\" heave=\"0.3 m\"/>\n"
           "<Sample time=\"4 s\" heave=\"0 m\"/>\n";
  }
  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override { return items_; }
  void Configure(Diagnostics& diagnostics) override;
  void EvaluateDiffEquations(double t) override;
  double NextBreakTime(double t) const override { return NextKink(t); }
  std::function<Motion(double)> MakeMotion() const override {
    return [this](double t) { return MotionAt(t); };
  }
  double NextKink(double t) const override;

 private:
  Motion MotionAt(double t) const;
  /// The values of each degree [m] or [rad]; empty where nothing was recorded.
  using Samples = std::array<std::vector<double>, 6>;
  void TakeSamples(const std::vector<double>& times, const Samples& samples);

  using Spline = boost::math::interpolators::cardinal_cubic_b_spline<double>;

  MotionOutputs motion_{this};
  std::vector<ItemElement> items_;
  double first_ = 0, last_ = 0;  ///< times [s]
  std::array<std::optional<Spline>, 6> splines_;
};

}  // namespace davit
