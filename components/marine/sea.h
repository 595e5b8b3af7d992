#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "components/marine/laws/waves.h"
#include "framework/scene.h"
#include "framework/tree/item_element.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// The sea of a system: waves, current and water.
class Sea final : public DynamicSimComponent, public ItemTaker, public MechanismPart {
 public:
  static constexpr ModelInfo kInfo{
      .name = "marine.Sea",
      .text = "Waves, current and water of a system or sub-system",
      .equations = R"(
zeta = sum a_i*cos(w_i*t - k_i*(x*cos(b_i) + y*sin(b_i)) + phi_i),  w_i^2 = g*k_i*tanh(k_i*depth)
marine.Vessel, marine.Load and the loads of a mechanism.Crane use the waves of the nearest Sea, which is in their system or in one above.
## Spectrum
The waves represent a spectrum S(w), one wave in each of components equal parts of its frequencies:
a_i^2/2 is the energy of that part, and the integral of S is significant_height^2/16.
w_i is random in the middle half of the part, phi_i is random; both follow from seed.
Jonswap, with wp = 2*pi/peak_period and sigma = 0.07 below wp, 0.09 above [Hasselmann 1973]:
  S(w) ~ w^-5*exp(-1.25*(wp/w)^4)*peakedness^exp(-(w/wp - 1)^2/(2*sigma^2))
PiersonMoskowitz is the same with peakedness 1. Torsethaugen has two peaks, a wind sea and a swell, that follow from
significant_height and peak_period [Torsethaugen 2004].
Table: S is linear between the elements Point, and significant_height has no effect.
Waves: nothing but the elements Wave.
## Direction
Waves travel towards direction, from x towards y: with x forward, 0 is a following sea and 180 deg a head sea. With
spreading above 0 each wave has a random direction; its probability is the power spreading of the cosine of its angle from
direction.
## Elements inside
  <Wave height="2 m" period="9 s" direction="180 deg" phase="0 deg"/>    a further wave, crest to trough
  <Point frequency="0.1 Hz" density="3 m2.s/rad"/>                       of spectrum Table
## Water
The motion of the water decays with its depth as the linear theory of Airy has it in water of finite depth. Above the
mean level it is that at the level. The current adds to it at all depths.
# Assumptions and limits
- Linear waves: crests are as high as troughs are deep, and no wave breaks. Steeper than 1/7 is an error.
- The sea bed is level, and the current is constant. marine.Load moves vertically: no current acts on it, unlike on the
  load of a mechanism.Crane.
- Waves have their full height from the start of the run.
- One wave for each frequency: with spreading, waves of one frequency do not come from several directions.
)",
  };

  enum class Spectrum : std::uint8_t { kJonswap, kPiersonMoskowitz, kTorsethaugen, kTable, kWaves };
  static constexpr std::array<std::string_view, 5> kSpectrumNames{"Jonswap", "PiersonMoskowitz",
                                                                  "Torsethaugen", "Table", "Waves"};

  std::vector<std::string> ItemKinds() const override { return {"Wave", "Point"}; }
  std::string_view ExampleItems() const override {
    return "<Wave height=\"2 m\" period=\"9 s\" direction=\"180 deg\"/>\n";
  }
  void TakeItems(std::vector<ItemElement> items, const UnitSystem& units, const Registry& registry,
                 Diagnostics& diagnostics) override;
  const std::vector<ItemElement>& items() const override { return items_; }
  void Configure(Diagnostics& diagnostics) override;
  void EvaluateDiffEquations(double t) override;
  void DescribeScene(SceneBuilder& scene) const override;

  /// The waves, from Configure on; they do not change afterwards.
  const WaveField& waves() const { return waves_; }
  double water_density() const { return density; }  ///< [kg/m3]
  /// Velocity of the water without waves [m/s].
  Eigen::Vector3d Current() const;

  /// The nearest one, from the component upwards; reports an error without one.
  static const Sea* Find(const Component& component, Diagnostics& diagnostics);

 private:
  static constexpr Tunability kFixed = Tunability::kStructural;

  Property<Spectrum> spectrum{this, "spectrum", "Kind of spectrum", Spectrum::kJonswap, kSpectrumNames};
  Parameter significant_height{this, "significant_height", "m", "Significant wave height Hs",
                               Number{.value = 2, .range = kNonNegative, .tunability = kFixed}};
  Parameter peak_period{this, "peak_period", "s", "Period Tp at the peak of the spectrum",
                        Number{.value = 8, .range = kPositive, .tunability = kFixed}};
  Parameter peakedness{this, "peakedness", "", "gamma of Jonswap, 1 to 7",
                       Number{.value = 3.3,
                              .range = Range{.low = 1},
                              .tunability = kFixed,
                              .when = spectrum.Is(Spectrum::kJonswap)}};
  Parameter direction{this, "direction", "rad", "Direction towards which the waves travel",
                      Number{.value = 3.14159265358979312, .tunability = kFixed}};
  Parameter spreading{this, "spreading", "", "Exponent n of cos^n; 0: all waves have one direction",
                      Number{.value = 0, .range = Range{.low = 0, .high = 100}, .tunability = kFixed}};
  Property<int> components{
      this, "components", "Number of waves of the spectrum",
      Number{.value = 100, .range = Range{.low = 1, .high = 10000}, .tunability = kFixed}};
  Property<int> seed{this, "seed", "Random seed: selects one of the seas with this spectrum",
                     1,    kAny,   kFixed};
  Parameter depth{this, "depth", "m", "Depth of the water",
                  Number{.value = 300, .range = kPositive, .tunability = kFixed}};
  Parameter density{this, "density", "kg/m3", "Density of the water", 1025, kPositive};
  Parameter current{this, "current", "m/s", "Speed of the current", 0, kNonNegative};
  Parameter current_direction{this, "current_direction", "rad", "Direction towards which the current flows",
                              0};
  Parameter x{this, "x", "m", "Place of the output elevation, x", 0};
  Parameter y{this, "y", "m", "Place of the output elevation, y", 0};
  Output elevation{this, "elevation", "m", "Elevation of the surface at x, y"};

  std::vector<ItemElement> items_;
  std::vector<Wave> given_;  ///< without their numbers, which depend on depth
  std::vector<SourceLocation> given_at_;
  std::vector<SpectrumPoint> points_;
  WaveField waves_;
};

}  // namespace davit
