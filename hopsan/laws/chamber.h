#pragma once

#include <algorithm>
#include <cstddef>

#include "framework/archive.h"
#include "hopsan/component.h"
#include "hopsan/laws/waves.h"

namespace davit::hopsan {

/// Oil behind a piston: a volume of the ports outside, the piston and the leakage, whose waves stay inside.
class Chamber {
 public:
  static constexpr double kFilter = 0.1;

  double Z() const { return Z_; }
  double piston_wave() const { return piston_; }
  double leak_wave() const { return leak_; }

  void SetVolume(double V, double beta, std::size_t port_count, double T) {
    Z_ = VolumeImpedance(port_count + 2, V, beta, kFilter, T);
  }
  /// The waves at the pressure p of the first port; its flow is shared by all ports.
  template <class Ports>
  void Start(Ports& ports, double p, double q, double piston_flow, double leak_flow) {
    piston_ = p + Z_ * piston_flow;
    leak_ = p + Z_ * leak_flow;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      ports[i].p = p;
      ports[i].q = q / static_cast<double>(ports.size());
    }
    StartStar(ports, Z_);
  }
  /// The next waves; flows are into the chamber. `least_inside` and `least_outside` are what the
  /// waves inside and at the ports do not fall below.
  template <class Ports>
  [[gnu::always_inline]] void Step(Ports& ports, double piston_flow, double leak_flow,
                                   double least_inside = -1.5e300, double least_outside = -1.5e300) {
    const double Z = Z_, piston = piston_, leak = leak_;
    double sum = piston + leak + 2 * Z * (piston_flow + leak_flow);
    for (std::size_t i = 0; i < ports.size(); ++i) sum += ports[i].c + 2 * Z * ports[i].q;
    const double mean = sum / static_cast<double>(ports.size() + 2);
    piston_ = std::max(least_inside, VolumeWave(piston, piston_flow, Z, mean, kFilter));
    leak_ = std::max(least_inside, VolumeWave(leak, leak_flow, Z, mean, kFilter));
    for (std::size_t i = 0; i < ports.size(); ++i) {
      ports[i].c = std::max(least_outside, VolumeWave(ports[i].c, ports[i].q, Z, mean, kFilter));
      ports[i].Zc = Z;
    }
  }
  void ArchiveMemory(Archive& archive) { archive(Z_, piston_, leak_); }

 private:
  double Z_ = 0, piston_ = 0, leak_ = 0;
};

/// Flow from one chamber to another through a gap, by their waves of the step before.
inline double LeakFlow(double c_leak, const Chamber& from, const Chamber& to) {
  if (c_leak == 0) return 0;
  return c_leak * (from.leak_wave() - to.leak_wave()) / (1 + c_leak * (from.Z() + to.Z()));
}

/// The volume V behind a piston of area A, at least that whose stiffness the time step resolves with the mass
/// me.
inline double ResolvedVolume(double V, double beta, double A, double me, double T) {
  const double stiffness = beta * T * T * A * A, mass = Chamber::kFilter * me;
  return V * mass >= stiffness ? V : stiffness / mass;
}

/// The wave of the end stops of a piston at x with 0 >= x >= -s_l inside.
struct StopWave {
  double c = 0, Zc = 0;
};
inline StopWave StopWaveAt(const MechanicNode& rod, double s_l, double T) {
  const double d = rod.x > 0 ? rod.x : rod.x < -s_l ? rod.x + s_l : 0;
  if (d == 0) return {};
  const double Z0 = 0.1 * rod.me / T, Zs = 2 * Z0;
  return {(Z0 * d / T + Zs * rod.v) / 2, Zs};
}

}  // namespace davit::hopsan
