#pragma once

#include <cstddef>
#include <vector>

#include "framework/archive.h"

namespace davit {

/// Waves between the n ports of a store with one effort P, a star of short lines with the delay of one
/// TimeStep h. `gain` is s h with s = dP/d(integral of the flows in), al the filter:
///
///   Zc = n s h/(2 (1 - al)),  m = mean(c_i + 2 Zc f_i),  c_i <- al c_i + (1 - al)(2 m - c_i - 2 Zc f_i)
///
/// as in Hopsan. Written here as c_i = P + d_i: the owner integrates P, which rises by s h sum(f_i) a step
/// whatever the filter; the differences have sum(d_i) = 0:
///
///   d_i <- (2 al - 1) d_i - n s h (f_i - mean(f_i))
///
/// al = 0 is without loss; what the filter takes is that of a resistance Zc/al between each port and P. The
/// balance of a step, with e_i the effort of a port, is exactly
///
///   h sum(e_i f_i) = E1 - E + al h/Zc sum((e_i - P)^2),  E = P^2/(2 s) + h/(4 (1 - al) Zc) sum(d_i^2)
class StarWaves {
 public:
  /// All ports at P. Set must follow or have come before.
  void Initialize(std::size_t ports) { d_.assign(ports, 0); }
  /// 0 <= filter < 1, gain s h [effort per flow]; with the number of ports. Keeps the efforts of steady flow.
  void Set(std::size_t ports, double filter, double gain) {
    const double Zc_before = Zc_;
    memory_ = 2 * filter - 1;
    gain_ = static_cast<double>(ports) * gain;
    Zc_ = gain_ / (2 * (1 - filter));
    if (Zc_before <= 0) return;
    for (double& d : d_) d *= Zc_ / Zc_before;
  }
  double Zc() const { return Zc_; }
  /// c - P of a port.
  double Difference(std::size_t port) const { return d_[port]; }

  /// A step with `flow` into the store at a port and the mean of all.
  void Advance(std::size_t port, double flow, double mean) {
    d_[port] = memory_ * d_[port] - gain_ * (flow - mean);
  }
  /// The wave that the flows at present lead to if they stay.
  void Settle(std::size_t port, double flow, double mean) { d_[port] = -Zc_ * (flow - mean); }
  /// Energy in the differences after a step h, and the power that the filter takes from the port with this
  /// flow into it; of the class comment.
  double WaveEnergy(double h) const {
    double squares = 0;
    for (const double d : d_) squares += d * d;
    return Zc_ > 0 ? h * squares / (2 * (1 - memory_) * Zc_) : 0;
  }
  double FilterLoss(std::size_t port, double flow) const {
    const double beyond = d_[port] + Zc_ * flow;
    return Zc_ > 0 ? (1 + memory_) / (2 * Zc_) * beyond * beyond : 0;
  }
  void ArchiveMemory(Archive& archive) { archive(memory_, gain_, Zc_, d_); }

 private:
  double memory_ = -1;
  double gain_ = 0;  ///< n s h
  double Zc_ = 0;
  std::vector<double> d_;
};

}  // namespace davit
