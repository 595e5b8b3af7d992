#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "components/hydraulic/laws/external_leak.h"
#include "components/hydraulic/laws/line_friction.h"
#include "components/hydraulic/laws/oil_alarms.h"
#include "components/hydraulic/laws/oil_parameters.h"
#include "components/hydraulic/laws/vapour_cavity.h"
#include "framework/archive.h"
#include "framework/property.h"
#include "simulator/building_blocks/delay.h"
#include "simulator/energy_account.h"
#include "simulator/line_waves.h"
#include "simulator/split_line.h"
#include "simulator/tlm_component.h"

namespace davit {

/// What lines of all kinds share: waves that run with delay between two ends.
///
/// A hole in the wall is at the end b, between its cavity and the friction. It is a conductance g = q/p to
/// the outside during a step, that of its law at the pressure which follows from the wave that has just
/// arrived and from the last flow of the neighbour: exact in steady flow and at a closed end, and passive
/// always. With c + Z q inside, the cavity is offered (c + Z q)/(1 + Z g). While a steady state is searched
/// for, the hole draws a flow instead, which SettleWaves takes from the pressure at b and the first step
/// keeps: with g, which follows from the pressure of the evaluation before, Zc would depend on what was tried
/// last.
///
/// The ends may belong to components of different TimeSteps. The line then takes the longest step that
/// divides both; the waves that leave an end of a longer TimeStep are linear between its step points, which
/// needs a delay of at least that TimeStep.
class TransmissionLine : public TlmComponent, public LineWaves, public SplitLine, public EnergyAccount {
 public:
  void ParametersChanged() final;
  void CheckTimeStep(double h, Diagnostics& diagnostics) const final;
  void Reset() final;
  void InitializeWaves() final;
  bool SettleWaves() final;
  /// With the friction of steady flow.
  std::vector<WaveTerm> WaveTerms() const final;

  bool JoinsRates() const final { return true; }
  void SetPartnerSteps(const PortBase& port, std::uint64_t steps) final;

  void PostIntegrate() override {
    double p_max = -std::numeric_limits<double>::infinity();
    bool is_void = false;
    const auto look_at = [&](const HydraulicBond& port, const End& end) {
      p_max = std::max(p_max, port.p());
      is_void = is_void || OilAlarms::IsVoid(end.cavity.volume(), volume_);
    };
    if (own_end_ != SplitLine::End::kB) look_at(*a, end_a_);
    if (own_end_ != SplitLine::End::kA) look_at(*b, end_b_);
    alarms.Look(p_max, is_void);
    overload.Look(p_max > operating_, [this] { return fmt::format("{:.4g} bar", operating_ / 1e5); });
  }
  void ArchiveMemory(Archive& archive) final { archive(step_, end_a_, end_b_); }

  const PortBase& PortOf(SplitLine::End end) const final;
  std::uint64_t steps_ahead() const final;
  void KeepEnd(SplitLine::End end) final;
  double leaving_wave() const final { return OwnEnd().outgoing.last(); }
  void TakeWave(double wave) final { arriving_ = wave; }
  void ArchiveEnd(Archive& archive, SplitLine::End end) final;
  void ShowBothEnds() final {
    void_volume = end_a_.cavity.volume() + end_b_.cavity.volume();
    q_leak = end_b_.q_leak;
  }

  void SimulateOneTimestep(double /*t*/) final {
    if (own_end_) [[unlikely]]
      return SimulateOwnEnd();
    Send(end_a_, *a);
    Send(end_b_, *b);
    end_a_.inner = end_b_.outgoing.Read();
    end_b_.inner = end_a_.outgoing.Read();
    ++step_;
    Offer();
  }

  void AccountEnergy(EnergyTerms& terms) const final;

  /// Time a wave needs from end to end [s].
  double delay() const { return delay_; }
  /// Zc of the lossless line [Pa s/m3].
  double characteristic_impedance() const { return Zc_; }

 protected:
  TransmissionLine() = default;

  /// 1/beta that the wall adds to that of the oil [1/Pa].
  virtual double WallCompliance() const = 0;
  /// [m].
  virtual double InnerDiameter() const { return inner_diameter; }
  /// The pressure allowed inside [Pa].
  virtual double OperatingPressure() const { return std::numeric_limits<double>::infinity(); }

  HydraulicPort a{this, "a", Role::kC, "One end"};
  HydraulicPort b{this, "b", Role::kC, "Other end"};
  Parameter inner_diameter{this, "inner_diameter", "m", "Inner diameter",
                           Number{.value = 0.049, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter length{this, "length", "m", "Length", 15.0, kPositive, Tunability::kStructural};
  OilParameters oil{this, {}, Tunability::kStructural};
  Property<OilLaw> compressibility{this, "compressibility", "How the bulk modulus depends on the pressure",
                                   OilLaw::kConstant, kOilLawNames};
  Parameter mean_pressure{
      this, "mean_pressure", "Pa",
      "Gauge pressure at which the bulk modulus of oil with gas is taken, since waves run at one speed",
      Number{.value = 100e5, .range = kNonNegative, .tunability = Tunability::kStructural}};
  Parameter density{this, "density", "kg/m3", "Density of the oil",
                    Number{.value = 861.8, .range = kPositive, .tunability = Tunability::kStructural}};
  Parameter kinematic_viscosity{
      this, "kinematic_viscosity", "m2/s", "Kinematic viscosity of the oil",
      Number{.value = 32e-6, .range = kPositive, .tunability = Tunability::kStructural}};
  Property<LineFrictionModel> friction{this, "friction", "Model of the pressure loss",
                                       LineFrictionModel::kSteady, kLineFrictionModelNames};
  StartValue p_start{this, "p", "Pa", "Start pressure (gauge) in the middle", 1e5};
  StartValue q_start{this, "q", "m3/s", "Start flow from a to b", 0.0};
  ExternalLeak external_leak{this};
  Output void_volume{this, "void_volume", "m3", "Cavity (vapour) volume at both ends"};
  Output q_leak{this, "q_leak", "m3/s", "Flow of the leak at b to the outside, in the last step"};

 private:
  /// Fills the line with waves that belong to those arrived and to the flows into it at its ends. q_leak_b is
  /// settled.
  void Fill(double inner_a, double inner_b, double q_a, double q_b, double q_leak_b = 0);
  struct End {
    std::uint64_t steps = 1;  ///< of the line in one TimeStep of the neighbour
    double h = 0;             ///< TimeStep of the neighbour [s]
    double inner = 0;         ///< wave that has arrived, inside of the friction
    building_blocks::Delay outgoing;
    LineFriction friction;
    VapourCavity cavity;
    double q = 0;          ///< from the cavity into the line and the leak in the last step [m3/s]
    double g_leak = 0;     ///< of the leak in the coming step [m3/s/Pa]
    double q_settled = 0;  ///< in place of g_leak, where there is one: of the leak in the coming step [m3/s]
    double q_leak = 0;     ///< in the last step [m3/s]

    void ArchiveMemory(Archive& archive) {
      archive(inner, outgoing, friction, cavity, q, g_leak, q_settled, q_leak);
    }
    double LeakAt(double p) const { return q_settled + g_leak * p; }
  };

  /// Takes the flow of the last step into the line.
  void Send(End& end, const HydraulicBond& port) {
    if (step_ % end.steps != 0) {  // the neighbour has not answered yet
      end.outgoing.Push(0);
      return;
    }
    end.q = end.cavity.Take(port, end.h);
    end.q_leak = end.g_leak == 0 ? end.q_settled : end.g_leak * PressureInside(end);
    end.q_settled = 0;
    const double q = end.q - end.q_leak;
    const double wave = end.inner + 2 * Zc_ * q;
    if (end.steps == 1 || step_ == 0) {
      end.outgoing.Push(wave);
    } else {
      end.outgoing.PushAfter(end.steps, wave);
    }
    end.friction.Advance(q);
  }
  void Offer() {
    OfferAt(end_a_, *a);
    OfferAt(end_b_, *b);
    ShowBothEnds();
  }
  void OfferAt(End& end, HydraulicBond& port) {
    PortWave wave = WaveInside(end);
    if (&end == &end_b_) AddLeak(end, wave);
    end.cavity.Offer(wave, vapour_, end.h, port);
  }
  /// Of line and friction, without the leak.
  PortWave WaveInside(const End& end) const {
    return {end.inner + end.friction.offset(), Zc_ + end.friction.impedance()};
  }
  /// At the leak of conductance end.g_leak, with the flow end.q.
  double PressureInside(const End& end) const {
    const PortWave wave = WaveInside(end);
    return (wave.c + wave.Zc * end.q) / (1 + wave.Zc * end.g_leak);
  }
  /// dq/dp of the leak at the present pressure [m3/s/Pa].
  double LeakSlope(const End& end) const;
  /// Chooses the conductance of the coming step, if the flow is not settled.
  void AddLeak(End& end, PortWave& wave) const {
    end.g_leak = 0;
    if (end.q_settled != 0) [[unlikely]] {
      wave.c -= wave.Zc * end.q_settled;
      return;
    }
    if (!external_leak.is_present()) [[likely]]
      return;
    end.g_leak = external_leak.Conductance(wave.c + wave.Zc * end.q, wave.Zc);
    const double share = 1 / (1 + wave.Zc * end.g_leak);
    wave = {wave.c * share, wave.Zc * share};
  }

  const End& OwnEnd() const { return own_end_ == SplitLine::End::kB ? end_b_ : end_a_; }
  void SimulateOwnEnd();

  OilAlarms alarms{this};
  LatchedAlarm overload{this, "overload", AlarmLevel::kWarning,
                        "the pressure is above the operating pressure"};

  double volume_ = 0;                                           ///< [m3]
  double operating_ = std::numeric_limits<double>::infinity();  ///< [Pa]
  double delay_ = 0;
  double Zc_ = 0;
  std::uint64_t step_ = 0;  ///< steps taken since Reset
  End end_a_, end_b_;
  std::optional<SplitLine::End> own_end_;  ///< nothing: both
  std::optional<double> arriving_;         ///< from the other end, for the coming step
  double vapour_ = 0;                      ///< gauge vapour pressure [Pa]
};

}  // namespace davit
