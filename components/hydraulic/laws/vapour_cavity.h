#pragma once

#include "framework/archive.h"
#include "framework/domains/hydraulic.h"

namespace davit {

/// Absolute pressure [Pa] of oil vapour.
inline constexpr double kVapourPressure = 100;

/// What a wave component offers at a port: effort = c + Zc*flow.
struct PortWave {
  double c = 0;
  double Zc = 0;

  void ArchiveMemory(Archive& archive) { archive(c, Zc); }
};

/// What a wave component offers to a body, which has no p_min, and what it lets in meanwhile.
struct BodyOffer {
  PortWave wave;
  bool is_cavitating = false;
  double q_cavitating = 0;  ///< into the inside while it cavitates [m3/s]

  void ArchiveMemory(Archive& archive) { archive(wave, is_cavitating, q_cavitating); }
};

/// The vapour between a port and the oil of a wave component behind it: the one law of cavitation of all wave
/// components.
///
/// Oil does not bear tension. Where more is drawn than the wave c of the inside can bring at the vapour
/// pressure pv, a cavity of the volume V opens. Flow q through the port and flow qi into the inside (both
/// positive into the component) then differ, over a step h:
///
///   V1 = V + h (qi - q) >= 0,   p = c + Zc qi >= pv,   V1 = 0 or p = pv
///
/// Solved for p as the neighbour sees it:
///
///   p = max(pv, (c - Zc V/h) + Zc q)
///
/// which is what the port offers: wave c - Zc V/h, impedance Zc, p_min = pv. No port pressure is below pv,
/// not even in the step in which the cavity opens. qi = q + (V1 - V)/h, so oil is moved and never made or
/// lost: that of the inside less V is what came in. The cavity gives no energy: it takes up p (V - V1), which
/// is pv (V - V1) while it stays open and not less when it closes, p >= pv.
///
/// This is the discrete vapour cavity model (E. B. Wylie and V. L. Streeter, Fluid Transients in Systems,
/// 1993, chapter 8) with an implicit end: there the cavity is closed when its volume would be negative, and
/// the excess is lost.
class VapourCavity {
 public:
  /// V [m3], not negative.
  void SetVolume(double V) { V_ = V; }
  double volume() const { return V_; }

  /// Writes what the port offers during the next step h, if the oil inside offers `inside`, with Zc > 0.
  void Offer(const PortWave& inside, double pv, double h, HydraulicBond& port) const {
    port.c = CoveredWave(inside, h);
    port.Zc = inside.Zc;
    port.p_min = pv;
  }
  /// The same where there is no cavity.
  static void OfferShut(const PortWave& inside, double pv, HydraulicBond& port) {
    port.c = inside.c;
    port.Zc = inside.Zc;
    port.p_min = pv;
  }
  /// The flow into the inside [m3/s] in a step in which the port has what was offered and takes port.q.
  double FlowInside(const HydraulicBond& port, double h) const {
    const double q_shut = FlowToShut(port);
    return V_ == 0 && q_shut == port.q ? port.q : q_shut - V_ / h;
  }
  /// The same at the end of the step, after which the volume is that of the next one.
  double Take(const HydraulicBond& port, double h) {
    const double q_inside = FlowInside(port, h);
    V_ = h * (FlowToShut(port) - port.q);
    return q_inside;
  }

  /// The same where the neighbour is a body, which has no p_min: from the flow q of the last step, which
  /// cannot jump, is decided whether it cavitates in the next. Where that was wrong, p < pv or V < 0 for
  /// one step, by no more than the change of q in it.
  void OfferToBody(const PortWave& inside, double q, double pv, double h, BodyOffer& offer) const {
    offer.is_cavitating = inside.c + inside.Zc * (q - FlowToFill(h)) < pv;
    if (offer.is_cavitating) [[unlikely]] {
      offer.wave = {pv, 0};
      offer.q_cavitating = (pv - inside.c) / inside.Zc;
    } else {
      offer.wave = {CoveredWave(inside, h), inside.Zc};
      offer.q_cavitating = 0;
    }
  }
  /// The flow into the inside after the step in which the body made the flow q.
  double TakeFromBody(const BodyOffer& offered, double q, double h) const {
    return offered.is_cavitating ? offered.q_cavitating : q - FlowToFill(h);
  }
  void ArchiveMemory(Archive& archive) { archive(V_); }

 private:
  /// The flow through the port [m3/s] at which the cavity would be shut: the present one, or a larger one.
  static double FlowToShut(const HydraulicBond& port) {
    return port.c + port.Zc * port.q < port.p_min ? (port.p_min - port.c) / port.Zc : port.q;
  }
  /// That fills the cavity within a step [m3/s].
  double FlowToFill(double h) const { return V_ == 0 ? 0 : V_ / h; }
  /// The wave that is felt behind the cavity.
  double CoveredWave(const PortWave& inside, double h) const { return inside.c - inside.Zc * FlowToFill(h); }

  double V_ = 0;
};

}  // namespace davit
