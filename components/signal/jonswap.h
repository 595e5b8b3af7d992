#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Waves of the sea, or what a vessel makes of them, with first and second derivative.
class Jonswap final : public DynamicSimComponent {
 public:
  static constexpr ModelInfo kInfo{
      .name = "signal.Jonswap",
      .text = "Irregular or regular wave with its derivatives",
      .equations = R"(
y = response*sum a_i*cos(w_i*t + phi_i),  rate = y',  acceleration = y''
spectrum Jonswap [Hasselmann 1973]:
  S(w) ~ w^-5*exp(-1.25*(wp/w)^4)*peakedness^exp(-(w/wp - 1)^2/(2*sigma^2)),  wp = 2*pi/peak_period,
  sigma = 0.07 for w < wp, else 0.09;  peakedness 1 is the spectrum of Pierson and Moskowitz
  components waves from 0.5*wp to 4*wp, one in each of as many equal parts of that range, at a random
  place in it, so that the sum does not repeat;  a_i^2 ~ S(w_i), scaled so that the standard deviation
  is significant_height/4 exactly.  w_i and phi_i are random, the same for the same seed: signals with
  one seed belong to one sea.
spectrum Regular:  y = response*significant_height/2*cos(wp*t + phase)
phase shifts all waves, as the response of a vessel does. Unit of y: that of response times meter.
# Assumptions and limits
- Linear waves from one direction at one place: crests are as high as troughs are deep, and nothing breaks.
- The response has the same amplitude and phase at all frequencies; a vessel filters short waves.
- The energy outside of 0.5*wp to 4*wp is added to that within.
- The waves have their full height from the start of the run on.
)",
  };

  static constexpr bool kValuesShareUnit = true;

  enum class Spectrum : std::uint8_t { kJonswap, kRegular };
  static constexpr std::array<std::string_view, 2> kSpectrumNames{"Jonswap", "Regular"};

  void TakeUnitOfValues(std::string_view si_unit) override;
  void Configure(Diagnostics& diagnostics) override;
  void ParametersChanged() override;
  void EvaluateDiffEquations(double t) override;

 private:
  struct Wave {
    double amplitude;  ///< of the elevation [m]
    double frequency;  ///< [rad/s]
    double phase;      ///< [rad]
  };

  Parameter significant_height{this, "significant_height", "m",
                               "Significant wave height; of a regular wave its height",
                               Number{.value = 2, .range = kNonNegative}};
  Parameter peak_period{this, "peak_period", "s", "Period at the peak of the spectrum", 8, kPositive};
  Parameter peakedness{this, "peakedness", "", "gamma, 1 to 7", 3.3, kPositive};
  Parameter response{this, "response", kAnyUnit, "y per metre of elevation, such as 0.02 rad/m of roll",
                     Number{.value = 1}};
  Parameter phase{this, "phase", "rad", "Added to the phase of all waves", 0};
  Property<Spectrum> spectrum{this, "spectrum", "Kind of sea", Spectrum::kJonswap, kSpectrumNames};
  Property<int> components{
      this, "components", "Number of waves",
      Number{.value = 40, .range = Range{.low = 1, .high = 10000}, .tunability = Tunability::kStructural}};
  Property<int> seed{this, "seed", "Random seed: selects one of the seas with this spectrum",
                     1,    kAny,   Tunability::kStructural};
  Output y{this, "y", kAnyUnit, "Elevation times response"};
  Output rate{this, "rate", kAnyUnit, "Derivative of y"};
  Output acceleration{this, "acceleration", kAnyUnit, "Its second derivative"};

  std::vector<Wave> waves_;
};

}  // namespace davit
