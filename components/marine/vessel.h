#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "components/marine/laws/harmonic_sum.h"
#include "components/marine/laws/response_table.h"
#include "components/marine/motion_outputs.h"
#include "components/marine/motion_source.h"
#include "components/marine/sea.h"
#include "framework/tree/item_element.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// A vessel that follows the waves of the sea by its response amplitude operators.
class Vessel final : public DynamicSimComponent, public ItemTaker, public MotionSource {
 public:
  static constexpr ModelInfo kInfo{
      .name = "marine.Vessel",
      .text = "Motion of a vessel in waves, by its response amplitude operators",
      .equations = R"(
eta_j = sum a_i*r_j*cos(v_i*t + phi_i + p_j),  v_i = w_i - k_i*speed*cos(b_i)
eta_j is surge, sway, heave, roll, pitch or yaw; r_j and p_j are amplitude and phase of its response H_j at w_i and b_i.
rate is its first, acceleration its second derivative. Waves a_i, w_i, k_i, b_i, phi_i are those of the nearest
marine.Sea; H_j are the responses of the file.
The outputs have the names of the inputs that move the base of a mechanism.Mechanism.
## Responses
  <Responses src="vessel.csv"/>
A CSV file: its first line names the columns with units, heading [deg], frequency [rad/s] or period [s], then of each
degree of freedom, for example heave [m/m], heave_phase [deg], roll [deg/m], roll_phase [deg].
Files with other names are read as follows:
  <Responses src="vessel.re1" speed="0 m/s"/>    of ShipX (VERES); speed selects one of its velocities
  <Responses src="vessel.4" length="1 m"/>       of WAMIT; length is its ULEN, which scales the turns
  <Responses src="vessel.mat" speed="0 m/s"/>    of the Marine Systems Simulator (MSS); speed as above
Heading is the direction towards which the waves travel: 0 is a following sea, 90 deg a sea from starboard, 180 deg a head
sea. A small table can stand in the system file instead, with the same names:
  <Response heading="180 deg" frequency="0.6 rad/s" heave="0.9 m/m" heave_phase="-5 deg"/>
phase is the lead of the motion on the elevation of the wave at the origin of the vessel. x points forward, y to
port, z upwards, and turns are positive about these axes.
H is linear in real and imaginary part between frequencies and headings. Below the lowest frequency it is that of
the lowest, above the highest 0. If all headings are between 0 and 180 deg, the vessel is symmetric.
# Assumptions and limits
- Linear: the motion is proportional to the waves, at any height. No slow drift, no green water, no capsizing.
- Nothing moves the vessel but waves. A crane pushes back on a marine.FloatingBody, which adds to this motion.
- The vessel keeps its heading and its speed, and its origin is where the sea has x = y = 0.
- The responses are the user's: of this loading condition, at this point of the vessel.
)",
  };

  std::vector<std::string> ItemKinds() const override { return {"Responses", "Response"}; }
  std::string_view ExampleItems() const override {
    return "<Response heading=\"180 deg\" frequency=\"0.6 rad/s\" heave=\"0.9 m/m\" heave_phase=\"-5 "
           "deg\"/>\n"
           "<Response heading=\"180 deg\" frequency=\"1.2 rad/s\" heave=\"0.2 m/m\" heave_phase=\"-80 "
           "deg\"/>\n";
  }
  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override { return items_; }
  void Configure(Diagnostics& diagnostics) override;
  void Link(System& system, Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void EvaluateDiffEquations(double t) override;
  std::function<Motion(double)> MakeMotion() const override;

 private:
  void TakeTable(ResponseTable::Result result, const SourceLocation& at, std::string_view line,
                 Diagnostics& diagnostics);
  /// Waves that the responses do not cover; others follow from them.
  void CheckCover(const WaveField& waves, Diagnostics& diagnostics);

  /// Of the waves, for each degree; empty without responses.
  HarmonicSum MakeSum() const;

  Parameter speed{this, "speed", "m/s", "Forward speed",
                  Number{.value = 0, .tunability = Tunability::kStructural}};
  MotionOutputs motion_{this};

  std::vector<ItemElement> items_;
  std::optional<ResponseTable> table_;
  const Sea* sea_ = nullptr;
  std::unique_ptr<HarmonicSum> sum_;  ///< remembers an interval, which is not of the state of a run
};

}  // namespace davit
