#pragma once

#include <vector>

namespace davit {

/// What a small change of a wave follows from: what left the other end a while ago, and what flowed there.
/// With d for the change of a number:
///
///     dc(t) = of_wave dc_from(t - delay) + of_flow dflow_from(t - delay)
struct WaveTerm {
  const double* c = nullptr;          ///< of the bond where the wave arrives
  const double* c_from = nullptr;     ///< of the bond where it began; null: none
  const double* flow_from = nullptr;  ///< of the same bond
  double delay = 0;                   ///< [s]; 0: at once
  double of_wave = 0;
  double of_flow = 0;  ///< [effort per flow]
};

/// A TlmComponent whose waves travel: a line. In a linear model they keep their delays; the waves of other
/// TlmComponents stand for something lumped, which TlmComponent::SettleWaves tells.
class LineWaves {
 public:
  virtual ~LineWaves() = default;
  /// The terms of all its waves at the present flows. A wave has one delay; further terms act at once.
  virtual std::vector<WaveTerm> WaveTerms() const = 0;
};

}  // namespace davit
