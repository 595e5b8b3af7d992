#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace davit {

/// High-pressure hoses (Yu Li, MSc thesis, NTNU 2016, table 3-5). Diameters and radius [m], pressures [Pa].
struct HoseData {
  double inner_diameter;
  double outer_diameter;
  double operating_pressure;
  double rupture_pressure;
  double least_bend_radius;
};
inline constexpr std::array<HoseData, 4> kHoses{{
    {0.00952, 0.0214, 350e5, 1400e5, 0.125},
    {0.0127, 0.0246, 280e5, 1100e5, 0.180},
    {0.0191, 0.0317, 210e5, 850e5, 0.240},
    {0.0254, 0.0397, 210e5, 850e5, 0.305},
}};

/// Loss coefficients xi of bends and fittings, dp = xi rho v^2/2 (the same, table 3-6).
struct MinorLossData {
  std::string_view feature;
  double least;
  double most;
};
inline constexpr std::array<MinorLossData, 5> kMinorLosses{{
    {"flexible_pipe_connection", 0.3, 0.3},
    {"elbow_90_standard", 1.2, 1.3},
    {"tee_junction", 3.5, 3.5},
    {"pipe_inlet", 0.5, 1.0},
    {"pipe_outlet", 1.0, 1.0},
}};

/// The rows of kMinorLosses.
enum class Fitting : std::uint8_t { kFlexibleConnection, kElbow, kTee, kInlet, kOutlet };
/// Mean of the range of xi.
constexpr double MeanLoss(Fitting fitting) {
  const MinorLossData& data = kMinorLosses[static_cast<std::size_t>(fitting)];
  return (data.least + data.most) / 2;
}

}  // namespace davit
