#include "components/hydraulic/laws/transmission_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace davit {
namespace {

/// Shares of a TimeStep that a delay may lack.
constexpr double kSameStep = 1e-9;

}  // namespace

void TransmissionLine::ParametersChanged() {
  const double diameter = InnerDiameter();
  const double area = std::numbers::pi / 4 * diameter * diameter;
  const OilCompression compression(oil.Data(compressibility));
  const double beta = 1 / (1 / compression.BulkModulus(mean_pressure) + WallCompliance());
  const double speed = std::sqrt(beta / density);
  vapour_ = compression.vapour_pressure();
  volume_ = area * length;
  operating_ = OperatingPressure();
  delay_ = length / speed;
  Zc_ = density * speed / area;
  const LineFrictionData data{.model = friction,
                              .diameter = diameter,
                              .length = length,
                              .density = density,
                              .kinematic_viscosity = kinematic_viscosity};
  end_a_.friction.SetData(data);
  end_b_.friction.SetData(data);
}

void TransmissionLine::SetPartnerSteps(const PortBase& port, std::uint64_t steps) {
  (&port == static_cast<const PortBase*>(&a) ? end_a_ : end_b_).steps = steps;
}

void TransmissionLine::CheckTimeStep(double h, Diagnostics& diagnostics) const {
  constexpr double kMostSteps = 1e7;  // a wave of each is remembered
  if (delay_ > kMostSteps * h)
    return diagnostics.Error(location(), DisplayPath(),
                             fmt::format("a wave passes the line in {:.6g} s, which is more than {:.0g} "
                                         "TimeSteps of {:.6g} s; take a TimeStep of at least {:.6g} s",
                                         delay_, kMostSteps, h, delay_ / kMostSteps));
  const double longest = h * static_cast<double>(std::max(end_a_.steps, end_b_.steps));
  if (!(delay_ < longest * (1 - kSameStep))) return;
  diagnostics.Error(
      location(), DisplayPath(),
      fmt::format(
          "the line is shorter than one TimeStep{}: a wave passes it in {:.6g} s, the TimeStep is {:.6g} s; "
          "take a TimeStep of at most {:.6g} s, or a hydraulic.VolumeC instead of the line",
          end_a_.steps == end_b_.steps ? "" : " of its neighbours", delay_, longest, delay_));
}

void TransmissionLine::Reset() {
  TlmComponent::Reset();
  step_ = 0;
  alarms.Reset();
  overload.Reset();
  for (End* end : {&end_a_, &end_b_}) {
    end->h = h() * static_cast<double>(end->steps);
    end->outgoing.Initialize(h(), delay_, 0);
    end->friction.SetStep(end->h);
  }
}

void TransmissionLine::InitializeWaves() {
  Fill(p_start - Zc_ * q_start, p_start + Zc_ * q_start, q_start, -q_start);
}

bool TransmissionLine::SettleWaves() {
  const double q_a = end_a_.cavity.Take(*a, end_a_.h);
  const double q_to_b = end_b_.cavity.Take(*b, end_b_.h);
  const double q_leak_b = external_leak.Flow(b->c + b->Zc * q_to_b);
  const double q_b = q_to_b - q_leak_b;
  end_a_.friction.Start(q_a);
  end_b_.friction.Start(q_b);
  const double inner_a = a->c - end_a_.friction.offset();
  const double inner_b = b->c + b->Zc * q_leak_b - end_b_.friction.offset();
  Fill(inner_b + 2 * Zc_ * q_b, inner_a + 2 * Zc_ * q_a, q_a, q_b, q_leak_b);
  return true;
}

void TransmissionLine::AccountEnergy(EnergyTerms& terms) const {
  // A wave g that leaves and one that arrives, c, carry (g^2 - c^2)/(4 Zc) = (c + Zc q) q: a step h puts that
  // power at its beginning, for h, into what is under way. With half a step of the present power in addition
  // the stored energy rises by the mean of the powers at both ends of a step, exactly.
  // A cavity of the volume V takes up -pv V, and half a step of what fills it in addition, for the same
  // reason; where it closes, p is above pv, and the rest is lost.
  double under_way = 0, into_line = 0, interpolation_loss = 0, friction_loss = 0, leak_loss = 0;
  double in_cavities = 0, collapse_loss = 0;
  for (const auto& [end, port] : {std::pair(&end_a_, &*a), std::pair(&end_b_, &*b)}) {
    const double q_leak_now = end->LeakAt(port->p());
    const double q_inside = end->cavity.FlowInside(*port, end->h);
    if (const double filling = port->q - q_inside; filling != 0 || end->cavity.volume() > 0) {
      in_cavities -= vapour_ * (end->cavity.volume() - end->h / 2 * filling);
      collapse_loss += (port->p() - vapour_) * filling;
    }
    const double q = q_inside - q_leak_now;
    const double p_inside = end->inner + Zc_ * q;
    under_way += end->outgoing.SumOfSquares();
    interpolation_loss += end->outgoing.SquaresLost() / (4 * Zc_);
    into_line += p_inside * q;
    friction_loss += (port->p() - p_inside) * q;
    leak_loss += port->p() * q_leak_now;
  }
  terms.Stored("waves", h() * (under_way / (4 * Zc_) + (into_line - interpolation_loss) / 2));
  terms.Stored("cavities", in_cavities);
  terms.Lost("collapse of cavities", collapse_loss);
  terms.Lost("interpolation", interpolation_loss);
  terms.Lost("friction", friction_loss);
  if (external_leak.is_present()) terms.Lost("leakage", leak_loss);
}

std::vector<WaveTerm> TransmissionLine::WaveTerms() const {
  // Inside the friction the wave is w, dp = dw + Z (dq - g dp), with Z = Zc + slope of the friction and the
  // slope g of the leak; the port has dp = dc + Zc_port dq. So dw = k dc + (k Zc_port - Z) dq, k = 1 + Z g;
  // what leaves is dw + 2 Zc (dq - g dp).
  std::vector<WaveTerm> terms;
  const auto add = [&](const HydraulicBond& to, const End& at, const HydraulicBond& from, const End& other) {
    const double Z_to = Zc_ + at.friction.SteadySlope(), g_to = LeakSlope(at);
    const double Z_from = Zc_ + other.friction.SteadySlope(), g_from = LeakSlope(other);
    const double k_to = 1 + Z_to * g_to, k_from = 1 + Z_from * g_from;
    terms.push_back({&to.c, &from.c, &from.q, delay_, (k_from - 2 * Zc_ * g_from) / k_to,
                     (k_from * from.Zc - Z_from + 2 * Zc_ * (1 - g_from * from.Zc)) / k_to});
    terms.push_back({&to.c, nullptr, &to.q, 0, 0, Z_to / k_to - to.Zc});
  };
  add(*a, end_a_, *b, end_b_);
  add(*b, end_b_, *a, end_a_);
  return terms;
}

double TransmissionLine::LeakSlope(const End& end) const {
  return &end == &end_b_ ? external_leak.Slope(b->p()) : 0;
}

const PortBase& TransmissionLine::PortOf(SplitLine::End end) const {
  return end == SplitLine::End::kA ? a : b;
}

std::uint64_t TransmissionLine::steps_ahead() const {
  const bool is_of_one_step = end_a_.steps == 1 && end_b_.steps == 1;
  return is_of_one_step ? end_a_.outgoing.whole_steps() - 1 : 0;
}

void TransmissionLine::KeepEnd(SplitLine::End end) {
  own_end_ = end;
  arriving_.reset();
}

void TransmissionLine::SimulateOwnEnd() {
  const bool is_a = own_end_ == SplitLine::End::kA;
  End& own = is_a ? end_a_ : end_b_;
  End& other = is_a ? end_b_ : end_a_;
  HydraulicBond& port = is_a ? *a : *b;
  Send(own, port);
  other.outgoing.Skip();
  if (arriving_) other.outgoing.PutAgo(steps_ahead() + 1, *arriving_);
  arriving_.reset();
  own.inner = other.outgoing.Read();
  ++step_;
  OfferAt(own, port);
  void_volume = own.cavity.volume();
  q_leak = own.q_leak;
}

void TransmissionLine::ArchiveEnd(Archive& archive, SplitLine::End end) {
  archive(step_, end == SplitLine::End::kA ? end_a_ : end_b_);
}

void TransmissionLine::Fill(double inner_a, double inner_b, double q_a, double q_b, double q_leak_b) {
  const auto fill = [](End& end, double arrived, double leaving, double q) {
    end.outgoing.Fill(leaving);
    end.inner = arrived;
    end.friction.Start(q);
    end.cavity.SetVolume(0);
    end.q = q;
    end.q_settled = end.q_leak = 0;
  };
  fill(end_a_, inner_a, inner_b, q_a);
  fill(end_b_, inner_b, inner_a, q_b);
  end_b_.q = q_b + q_leak_b;
  end_b_.q_settled = end_b_.q_leak = q_leak_b;
  Offer();
}

}  // namespace davit
