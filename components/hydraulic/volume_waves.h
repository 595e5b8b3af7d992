#pragma once

#include <cstddef>
#include <vector>

namespace davit {

/// Gauge pressure [Pa] in a void: oil vapour of 100 Pa absolute under an atmosphere of 1 bar.
inline constexpr double kVoidPressure = 100 - 1e5;

/// What a wave component offers at a port: effort = c + Zc*flow.
struct PortWave {
  double c = 0;
  double Zc = 0;
};

/// The wave, or one that keeps the port pressure from falling below p_void.
///
/// Where the flow q of the last step [m3/s], positive into the component, would take it there: oil that is
/// drawn flows out at p_void; oil that flows in meets p = p_void + Zc*(q_now - q), which is p_void in steady
/// flow and keeps the implicit answer of the volume for the step in which it is full again.
/// p < p_void is left for the one step in which a flow falls by more than (p - p_void)/Zc at once.
inline PortWave AboveVoid(const PortWave& wave, double q, double p_void) {
  if (wave.c + wave.Zc * q >= p_void) return wave;
  if (q < 0) return {p_void, 0};
  return {p_void - wave.Zc * q, wave.Zc};
}

/// Waves between the n ports of a volume of oil, a star of short lines with the delay of one TimeStep h:
///
///   Zc = n beta h/(2 V (1 - al)),  m = mean(c_i + 2 Zc q_i),
///   c_i <- al c_i + (1 - al)(2 m - c_i - 2 Zc q_i)
///
/// as in Hopsan. Written here as c_i = P + d_i: P = mean(c_i) rises by beta h sum(q_i)/V a step whatever the
/// filter al, so the owner keeps the oil and makes P of it. The rest are differences with sum(d_i) = 0:
///
///   d_i <- (2 al - 1) d_i - n beta h/V (q_i - mean(q_i))
///
/// In steady flow d_i = -Zc (q_i - mean(q_i)), so all port pressures are P + Zc mean(q_i).
class VolumeWaves {
 public:
  /// No waves inside.
  void Initialize(std::size_t ports) { d_.assign(ports, 0); }
  /// al; SetStiffness must follow.
  void SetFilter(double filter) {
    memory_ = 2 * filter - 1;
    impedance_share_ = 1 / (2 * (1 - filter));
  }
  /// beta h/V [Pa s/m3].
  void SetStiffness(double pressure_per_flow) {
    gain_ = static_cast<double>(d_.size()) * pressure_per_flow;
    Zc_ = gain_ * impedance_share_;
  }
  /// Keeps the port pressures of steady flow after a sudden change from another impedance.
  void KeepPressures(double Zc_before);

  /// The wave at a port from the flow of the last step into it, and the mean over all ports.
  void Advance(std::size_t port, double q, double mean_q) {
    d_[port] = memory_ * d_[port] - gain_ * (q - mean_q);
  }
  /// The wave at a port that the flows at present lead to if they stay.
  void Settle(std::size_t port, double q, double mean_q) { d_[port] = -Zc_ * (q - mean_q); }
  PortWave At(std::size_t port, double P) const { return {P + d_[port], Zc_}; }
  double Zc() const { return Zc_; }

 private:
  double memory_ = 0;
  double impedance_share_ = 0.5;
  double gain_ = 0;  ///< n beta h/V [Pa s/m3]
  double Zc_ = 0;
  std::vector<double> d_;
};

}  // namespace davit
