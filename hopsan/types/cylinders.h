#pragma once

#include <algorithm>
#include <array>

#include "hopsan/component.h"
#include "hopsan/laws/chamber.h"

namespace davit::hopsan {

/// x, v of the rod, positive into the cylinder: x = 0 in, -s_l out. V1 = V_1 - A_1 x, V2 = V_2 + A_2 (s_l +
/// x). Rod: c = A_1 c1 - A_2 c2 + c of the stops, Zc = A_1^2 Z1 + A_2^2 Z2 + B_p + Z of the stops.
template <class Areas, const ModelInfo& info>
class TwoChamberCylinder final : public CComponent {
 public:
  static constexpr ModelInfo kInfo = info;
  void Initialize() override {
    const Piston piston = ReadPiston();
    SetVolumes(piston);
    const double p1 = P1.size() > 0 ? P1[0].p : 1e5, p2 = P2.size() > 0 ? P2[0].p : 1e5;
    const double q1 = P1.size() > 0 ? P1[0].q : 0, q2 = P2.size() > 0 ? P2[0].q : 0;
    const double leak = c_leak * (p1 - p2);
    chamber1_.Start(P1, p1, q1, piston.A1 * piston.v, -leak);
    chamber2_.Start(P2, p2, q2, -piston.A2 * piston.v, leak);
    OfferToRod(piston);
  }
  [[gnu::always_inline]] void SimulateOneTimestep(double /*t*/) override {
    const double leak = LeakFlow(c_leak, chamber1_, chamber2_);
    const Piston piston = ReadPiston();
    SetVolumes(piston);
    chamber1_.Step(P1, piston.A1 * piston.v, -leak);
    chamber2_.Step(P2, -piston.A2 * piston.v, leak);
    q_leak = leak;
    OfferToRod(piston);
  }
  void ArchiveMemory(Archive& archive) override { archive(chamber1_, chamber2_); }

 private:
  /// What a step reads of it, once.
  struct Piston {
    double A1, A2, x, v, me, T;
  };
  Piston ReadPiston() const { return {areas_.A1(), areas_.A2(), P3->x, P3->v, P3->me, T()}; }
  [[gnu::always_inline]] void SetVolumes(const Piston& on) {
    const double V1 = V_1 - on.A1 * on.x, V2 = V_2 + on.A2 * (s_l + on.x), beta = Beta_e;
    chamber1_.SetVolume(ResolvedVolume(V1, beta, on.A1, on.me, on.T), beta, P1.size(), on.T);
    chamber2_.SetVolume(ResolvedVolume(V2, beta, on.A2, on.me, on.T), beta, P2.size(), on.T);
  }
  static bool Cavitates(const Hydraulics& ports) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (ports[i].p == 0) return true;
    }
    return false;
  }
  [[gnu::always_inline]] void OfferToRod(const Piston& on) {
    double c1 = chamber1_.piston_wave(), c2 = chamber2_.piston_wave(), Z1 = chamber1_.Z(), Z2 = chamber2_.Z();
    if (Cavitates(P1)) {
      c1 = std::max(c1, 0.0);
      Z1 = 0;
    }
    if (Cavitates(P2)) {
      c2 = std::max(c2, 0.0);
      Z2 = 0;
    }
    const StopWave stop = use_sl ? StopWaveAt(*P3, s_l, on.T) : StopWave{};
    P3->c = on.A1 * c1 - on.A2 * c2 + stop.c;
    P3->Zc = on.A1 * on.A1 * Z1 + on.A2 * on.A2 * Z2 + B_p + stop.Zc;
  }

  Hydraulics P1{this, "P1"}, P2{this, "P2"};
  Mechanic P3{this, "P3"};
  Property<bool> use_sl{this, "use_sl", "Whether the piston has end stops", true};
  In s_l{this, "s_l", 1, "m"}, V_1{this, "V_1", 3e-4, "m3"}, V_2{this, "V_2", 3e-4, "m3"};
  In B_p{this, "B_p", 1000, "N.s/m"}, Beta_e{this, "Beta_e", 1e9, "Pa"};
  In c_leak{this, "c_leak", 1e-11, "m3/s/Pa"};
  Out q_leak{this, "q_leak", 0, "m3/s"};
  Areas areas_{this};
  Chamber chamber1_, chamber2_;
};

/// The areas of the piston.
class TwoAreas {
 public:
  explicit TwoAreas(HopsanComponent* owner) : A_1{owner, "A_1", 1e-3, "m2"}, A_2{owner, "A_2", 1e-3, "m2"} {}
  double A1() const { return A_1; }
  double A2() const { return A_2; }

 private:
  In A_1, A_2;
};
class OneArea {
 public:
  explicit OneArea(HopsanComponent* owner) : A{owner, "A", 1e-3, "m2"} {}
  double A1() const { return A; }
  double A2() const { return A; }

 private:
  In A;
};
inline constexpr ModelInfo kCylinderC{.name = "hopsan.HydraulicCylinderC",
                                      .text = "Cylinder with two chambers, leakage and end stops"};
inline constexpr ModelInfo kSymmetricCylinderC{.name = "hopsan.HydraulicSymmetricCylinderC",
                                               .text = "Cylinder with two chambers of the same area"};
using HydraulicCylinderC = TwoChamberCylinder<TwoAreas, kCylinderC>;
using HydraulicSymmetricCylinderC = TwoChamberCylinder<OneArea, kSymmetricCylinderC>;

/// Chambers 1, 3 push the rod out, 2, 4 in. All waves are at least 0; the impedance of the rod takes that of
/// chamber 3 twice, as Hopsan does.
class HydraulicFourChamberPiston final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicFourChamberPiston",
                                   .text = "Cylinder with four chambers, leakages and end stops"};
  void Initialize() override {
    SetVolumes();
    std::array<double, 4> leak{}, p;
    for (std::size_t i = 0; i < 4; ++i) p[i] = Ports(i).size() > 0 ? Ports(i)[0].p : 1e5;
    for (const Gap& gap : gaps_) {
      const double q = *gap.c_leak * (p[gap.from] - p[gap.to]);
      // At the start Hopsan weighs what chambers 1 and 3 leak into 4 with the impedance of 3.
      const double weight = gap.to == 3 && gap.from != 1 ? chambers_[2].Z() / chambers_[3].Z() : 1;
      leak[gap.from] -= q;
      leak[gap.to] += weight * q;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      chambers_[i].Start(Ports(i), p[i], Ports(i).size() > 0 ? Ports(i)[0].q : 0, Sign(i) * Area(i) * P5->v,
                         leak[i]);
    }
    OfferToRod();
  }
  void SimulateOneTimestep(double /*t*/) override {
    std::array<double, 4> leak{};
    for (const Gap& gap : gaps_) {
      const double q = LeakFlow(*gap.c_leak, chambers_[gap.from], chambers_[gap.to]);
      leak[gap.from] -= q;
      leak[gap.to] += q;
    }
    SetVolumes();
    for (std::size_t i = 0; i < 4; ++i) {
      chambers_[i].Step(Ports(i), Sign(i) * Area(i) * P5->v, leak[i], 0, 0);
    }
    OfferToRod();
  }
  void ArchiveMemory(Archive& archive) override {
    for (Chamber& chamber : chambers_) archive(chamber);
    archive(stop_);
  }

 private:
  struct Gap {
    std::size_t from, to;
    const In* c_leak;
  };
  static double Sign(std::size_t i) { return i % 2 == 0 ? 1 : -1; }
  Hydraulics& Ports(std::size_t i) { return *ports_[i]; }
  double Area(std::size_t i) const { return *areas_[i]; }
  void SetVolumes() {
    for (std::size_t i = 0; i < 4; ++i) {
      const double V = *volumes_[i] + (i % 2 == 0 ? -Area(i) * P5->x : Area(i) * (s_l + P5->x));
      chambers_[i].SetVolume(ResolvedVolume(V, Beta_e, Area(i), P5->me, T()), Beta_e, Ports(i).size(), T());
    }
  }
  void OfferToRod() {
    const StopWave stop = use_sl ? StopWaveAt(*P5, s_l, T()) : StopWave{};
    stop_ = stop.Zc > 0 ? stop_ / 2 + stop.c : 0;
    double c = stop_, Zc = B_p + stop.Zc;
    for (std::size_t i = 0; i < 4; ++i) {
      c += Sign(i) * Area(i) * chambers_[i].piston_wave();
      Zc += Area(i) * Area(i) * chambers_[std::min<std::size_t>(i, 2)].Z();
    }
    P5->c = c;
    P5->Zc = Zc;
  }

  Hydraulics P1{this, "P1"}, P2{this, "P2"}, P3{this, "P3"}, P4{this, "P4"};
  Mechanic P5{this, "P5"};
  Property<bool> use_sl{this, "use_sl", "Whether the piston has end stops", true};
  In A_1{this, "A_1", 1e-3, "m2"}, A_2{this, "A_2", 1e-3, "m2"}, A_3{this, "A_3", 1e-3, "m2"};
  In A_4{this, "A_4", 1e-3, "m2"}, s_l{this, "s_l", 1, "m"}, V_1{this, "V_1", 3e-4, "m3"};
  In V_2{this, "V_2", 3e-4, "m3"}, V_3{this, "V_3", 3e-4, "m3"}, V_4{this, "V_4", 3e-4, "m3"};
  In B_p{this, "B_p", 1000, "N.s/m"}, Beta_e{this, "Beta_e", 1e9, "Pa"};
  In c_leak12{this, "c_leak12", 1e-11, "m3/s/Pa"}, c_leak13{this, "c_leak13", 0, "m3/s/Pa"};
  In c_leak14{this, "c_leak14", 1e-11, "m3/s/Pa"}, c_leak23{this, "c_leak23", 0, "m3/s/Pa"};
  In c_leak24{this, "c_leak24", 0, "m3/s/Pa"}, c_leak34{this, "c_leak34", 1e-11, "m3/s/Pa"};
  std::array<Chamber, 4> chambers_;
  double stop_ = 0;
  const std::array<Hydraulics*, 4> ports_{&P1, &P2, &P3, &P4};
  const std::array<const In*, 4> areas_{&A_1, &A_2, &A_3, &A_4}, volumes_{&V_1, &V_2, &V_3, &V_4};
  const std::array<Gap, 6> gaps_{{{0, 1, &c_leak12},
                                  {0, 2, &c_leak13},
                                  {0, 3, &c_leak14},
                                  {1, 2, &c_leak23},
                                  {1, 3, &c_leak24},
                                  {2, 3, &c_leak34}}};
};

/// One chamber whose gap leaks to the pressure 0: c = A_1 c1 + F_0, Zc = A_1^2 Z + B_p at the piston.
class HydraulicPumpPiston final : public CComponent {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.HydraulicPumpPiston",
                                   .text = "Single-acting piston of a pump, pressed out by a force"};
  void Initialize() override {
    SetVolume(V_1 - A_1 * P3->x);
    NodeRow<1> port{{&*P1}};
    chamber_.Start(port, P1->p, P1->q, A_1 * P3->v, -c_leak * P1->p);
    OfferToPiston();
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double leak = c_leak * chamber_.leak_wave() / (1 + c_leak * chamber_.Z());
    SetVolume(V_1 + A_1 * (s_l / 2 - P3->x));
    NodeRow<1> port{{&*P1}};
    chamber_.Step(port, A_1 * P3->v, -leak, 0);
    OfferToPiston();
  }
  void ArchiveMemory(Archive& archive) override { archive(chamber_); }

 private:
  void SetVolume(double V) {
    chamber_.SetVolume(ResolvedVolume(V, Beta_e, A_1, P3->me, T()), Beta_e, 1, T());
  }
  void OfferToPiston() {
    P3->c = A_1 * chamber_.piston_wave() + F_0;
    P3->Zc = A_1 * A_1 * chamber_.Z() + B_p;
  }

  Hydraulic P1{this, "P1"};
  Mechanic P3{this, "P3"};
  In A_1{this, "A_1", 1e-3, "m2"}, s_l{this, "s_l", 1, "m"}, V_1{this, "V_1", 3e-4, "m3"};
  In B_p{this, "B_p", 1000, "N.s/m"}, Beta_e{this, "Beta_e", 1e9, "Pa"};
  In c_leak{this, "c_leak", 1e-11, "m3/s/Pa"}, F_0{this, "F_0", 1000, "N"};
  Chamber chamber_;
};

}  // namespace davit::hopsan
