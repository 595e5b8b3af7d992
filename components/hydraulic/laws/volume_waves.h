#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "components/hydraulic/laws/vapour_cavity.h"
#include "framework/archive.h"

namespace davit {

/// A port of a volume of oil.
struct VolumeEnd {
  double d = 0;  ///< wave less P [Pa]
  double q = 0;  ///< flow of the last step inside of the cavity [m3/s]

  void ArchiveMemory(Archive& archive) { archive(d, q); }
};

/// Waves between the n ports of a volume of oil, a star of short lines with the delay of one TimeStep h:
///
///   Zc = n s h/(2 (1 - al)),  s = beta/V,  m = mean(c_i + 2 Zc q_i),
///   c_i <- al c_i + (1 - al)(2 m - c_i - 2 Zc q_i)
///
/// as in Hopsan. Written here as c_i = P + d_i: P = mean(c_i) rises by s h sum(q_i) a step whatever the
/// filter al, so the owner keeps the oil and makes P of it. The rest are differences with sum(d_i) = 0:
///
///   d_i <- (2 al - 1) d_i - n s h (q_i - mean(q_i))
///
/// In steady flow d_i = -Zc (q_i - mean(q_i)), so all port pressures are P + Zc mean(q_i).
///
/// Energy: with E = P^2/(2 s) + h/(4 (1 - al) Zc) sum(d_i^2) the balance of a step is exactly
///
///   h sum(p_i q_i) = E1 - E + al h/Zc sum((p_i - P)^2)
///
/// so al = 0 is without loss, and what the filter takes is that of a resistance Zc/al between each port and
/// P.
///
/// Cavitation: where the oil is too little for P = pv, a cavity at pv opens, shared by the ports, a
/// VapourCavity at each. After every step oil and cavity are in equilibrium, P = max(s Q, pv): of all states
/// with this much oil the one of least energy. So the cavities at all ports are the same.
///
/// `Ends` is a std::vector<VolumeEnd>, or a std::array of them where the model fixes the number of ports.
template <class Ends>
class VolumeWavesAt {
 public:
  /// No waves, no cavity inside. An array has its length already.
  void Initialize(std::size_t ports) {
    if constexpr (requires { ends_.assign(ports, {}); }) {
      ends_.assign(ports, {});
    } else {
      assert(ports == ends_.size());
      ends_.fill({});
    }
  }
  /// al; SetStiffness must follow.
  void SetFilter(double filter) {
    memory_ = 2 * filter - 1;
    impedance_share_ = 1 / (2 * (1 - filter));
  }
  /// s h [Pa s/m3].
  void SetStiffness(double pressure_per_flow) {
    gain_ = static_cast<double>(ends_.size()) * pressure_per_flow;
    Zc_ = gain_ * impedance_share_;
  }
  /// Keeps the port pressures of steady flow after a sudden change from another impedance.
  void KeepPressures(double Zc_before) {
    if (Zc_before <= 0) return;
    for (VolumeEnd& end : ends_) end.d *= Zc_ / Zc_before;
  }
  /// Volume of the cavities at all ports together [m3], not negative.
  void SetCavityVolume(double volume) {
    cavity_.SetVolume(volume > 0 ? volume / static_cast<double>(ends_.size()) : 0);
  }

  /// After a step h, where all ports lead outside: Take at each, then Advance. Returns the sum of the flows
  /// at the ports.
  template <class Ports>
  double AdvanceAll(const Ports& ports, double h) {
    double sum = 0, sum_inside = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const HydraulicBond& bond = ports[i];
      VapourCavity after = cavity_;
      const double q = after.Take(bond, h);
      ends_[i].q = q;
      sum += bond.q;
      sum_inside += q;
    }
    AdvanceWith(sum_inside);
    return sum;
  }
  /// The same and OfferAll in one go where no cavity is open and none opens, in two parts. The first gives
  /// the sum of the flows at the ports; false, and nothing is done, where there is a cavity.
  template <class Ports>
  bool SumOfFlows(const Ports& ports, double* sum_of_flows) const {
    double sum = 0;
    bool is_open = cavity_.volume() != 0;
    for (std::size_t i = 0, n = ends_.size(); i < n; ++i) {
      const HydraulicBond& bond = ports[i];
      sum += bond.q;
      is_open |= bond.c + bond.Zc * bond.q < bond.p_min;
    }
    *sum_of_flows = sum;
    return !is_open;
  }
  /// The second, with that sum, offers the waves that belong to the pressure P at the end of the step.
  template <class Ports>
  void AdvanceAndOfferAll(double sum, double P, double pv, Ports& ports) {
    VolumeEnd* const ends = ends_.data();
    const std::size_t n = ends_.size();
    const double mean = sum / static_cast<double>(n);
    const double memory = memory_, gain = gain_, Zc = Zc_;
    for (std::size_t i = 0; i < n; ++i) {
      HydraulicBond& bond = ports[i];
      const double d = memory * ends[i].d - gain * (bond.q - mean);
      ends[i] = {d, bond.q};
      VapourCavity::OfferShut({P + d, Zc}, pv, bond);
    }
  }
  /// After a step h: the flow that came past the cavity at a port. Then Advance of all ports.
  void Take(std::size_t port, const HydraulicBond& bond, double h) {
    VapourCavity after = cavity_;  // what becomes of it is settled with the other ports, by SetCavityVolume
    ends_[port].q = after.Take(bond, h);
  }
  void TakeFromBody(std::size_t port, const BodyOffer& offered, double q, double h) {
    ends_[port].q = cavity_.TakeFromBody(offered, q, h);
  }
  void Advance() {
    double sum = 0;
    for (const VolumeEnd& end : ends_) sum += end.q;
    AdvanceWith(sum);
  }

  /// What all ports offer at the pressure P inside.
  template <class Ports>
  void OfferAll(double P, double pv, double h, Ports& ports) const {
    const VapourCavity cavity = cavity_;  // nothing that is written below changes it or the impedance
    const double Zc = Zc_;
    for (std::size_t i = 0; i < ends_.size(); ++i) cavity.Offer({P + ends_[i].d, Zc}, pv, h, ports[i]);
  }
  /// What a port offers at the pressure P inside.
  void Offer(std::size_t port, double P, double pv, double h, HydraulicBond& bond) const {
    cavity_.Offer({P + ends_[port].d, Zc_}, pv, h, bond);
  }
  /// The same to a body that made the flow q in the last step.
  void OfferToBody(std::size_t port, double P, double q, double pv, double h, BodyOffer& offer) const {
    cavity_.OfferToBody({P + ends_[port].d, Zc_}, q, pv, h, offer);
  }
  /// The wave at a port that the flows at present lead to if they stay.
  void Settle(std::size_t port, double q, double mean_q) { ends_[port].d = -Zc_ * (q - mean_q); }
  double Zc() const { return Zc_; }
  /// Energy [J] in the waves between the ports, and the power [W] that the filter takes at the pressure P
  /// inside; of the class comment.
  double WaveEnergy(double h) const {
    double squares = 0;
    for (const VolumeEnd& end : ends_) squares += end.d * end.d;
    return Zc_ > 0 ? h * impedance_share_ / (2 * Zc_) * squares : 0;
  }
  template <class Ports>
  double FilterLoss(const Ports& ports, double P) const {
    double squares = 0;
    for (std::size_t i = 0; i < ends_.size(); ++i) squares += (ports[i].p() - P) * (ports[i].p() - P);
    return Zc_ > 0 ? (1 + memory_) / (2 * Zc_) * squares : 0;
  }
  void ArchiveMemory(Archive& archive) {
    archive(memory_, impedance_share_, gain_, Zc_, cavity_);
    std::uint64_t size = ends_.size();
    archive(size);
    if (size != ends_.size()) return archive.Refuse("a volume has another number of ports");
    for (VolumeEnd& end : ends_) archive(end);
  }

 private:
  /// `sum` of the flows inside of the cavities.
  void AdvanceWith(double sum) {
    const double mean = sum / static_cast<double>(ends_.size());
    const double memory = memory_, gain = gain_;
    for (VolumeEnd& end : ends_) end.d = memory * end.d - gain * (end.q - mean);
  }

  double memory_ = 0;
  double impedance_share_ = 0.5;
  double gain_ = 0;  ///< n s h [Pa s/m3]
  double Zc_ = 0;
  Ends ends_{};
  VapourCavity cavity_;  ///< at each port
};

/// Of a volume with any number of ports.
using VolumeWaves = VolumeWavesAt<std::vector<VolumeEnd>>;
/// Of the chamber of a cylinder: outside and piston.
using ChamberWaves = VolumeWavesAt<std::array<VolumeEnd, 2>>;

}  // namespace davit
