#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace davit {

/// How oil flows through an opening.
enum class FlowRegime : std::uint8_t { kLaminar, kTurbulent, kCavitating };
inline constexpr std::array<std::string_view, 3> kFlowRegimeNames{"Laminar", "Turbulent", "Cavitating"};
/// Of an opening whose jet does not cavitate.
inline constexpr std::array<std::string_view, 2> kTwoFlowRegimeNames{"Laminar", "Turbulent"};

/// The regime of an amount, a flow or a pressure drop that is not negative: laminar below `laminar_end`, and
/// cavitating from `cavitating` on. Against the regime `now` each limit has a hysteresis: back into laminar
/// flow at 90 %, out of cavitation at 99 %.
inline FlowRegime FlowRegimeOf(double amount, double laminar_end, double cavitating, FlowRegime now) {
  constexpr double kRounding = 1e-9;
  if (amount > 0 && amount >= (now == FlowRegime::kCavitating ? 0.99 : 1 - kRounding) * cavitating) {
    return FlowRegime::kCavitating;
  }
  const double limit = (now == FlowRegime::kLaminar ? 1 : 0.9) * laminar_end;
  return amount > 0 && amount >= limit ? FlowRegime::kTurbulent : FlowRegime::kLaminar;
}

}  // namespace davit
