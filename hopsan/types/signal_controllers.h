#pragma once

#include <algorithm>

#include "hopsan/laws/filters.h"
#include "hopsan/laws/implicit_step.h"
#include "hopsan/types/signal_type.h"

namespace davit::hopsan {

/// u = uI + Kp e - Kd dy within umin..umax, e = yref - y; uI' = KI Ierr, Ierr = e while u is free.
class SignalPID final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalPID",
                                   .text = "PID controller whose integral waits while u is at a limit"};
  void Initialize() override {}
  void SimulateOneTimestep(double /*t*/) override {
    const double e = yref - y, outside = Kp * e - Kd * dy, history = uI + T() / 2 * KI * Ierr;
    std::array<double, 3> unknowns{u, Ierr, uI};
    SolveImplicitStep(unknowns, [&](const auto& x) {
      const auto free = x[2] + outside;
      return std::array{x[0] - Limited(free, umin, umax), x[1] - e * FreeFactor(free.value, umin, umax),
                        x[2] - history - T() / 2 * KI * x[1]};
    });
    u = unknowns[0];
    Ierr = unknowns[1];
    uI = unknowns[2];
  }

 private:
  In yref{this, "yref"}, y{this, "y"}, dy{this, "dy"}, Kp{this, "Kp", 1}, KI{this, "KI", 1};
  In Kd{this, "Kd", 1}, umin{this, "umin", -1}, umax{this, "umax", 1};
  Out u{this, "u"}, Ierr{this, "Ierr"}, uI{this, "uI"};
};

/// err = yref - y (1 + 2 da s/wa)/(1 + s/wa); u = k1 err + uI within umin..umax, k1 = wa/kx;
/// uI' = k1 wa Ierr, Ierr = err while u is free.
class SignalPIlead final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalPIlead",
                                   .text = "PI controller with a lead filter; its integral waits at a limit"};
  void Initialize() override { lead_.Start(y, yref - err); }
  void SimulateOneTimestep(double /*t*/) override {
    const double k1 = wa / kx, history = uI + T() / 2 * k1 * wa * Ierr;
    const double filtered = lead_.Step(y, T(), {.n0 = 1, .n1 = 2 * da / wa, .d0 = 1, .d1 = 1 / wa});
    std::array<double, 4> unknowns{u, err, Ierr, uI};
    SolveImplicitStep(unknowns, [&](const auto& x) {
      const auto free = k1 * x[1] + x[3];
      return std::array{x[0] - Limited(free, umin, umax), x[1] - (yref - filtered),
                        x[2] - x[1] * FreeFactor(free.value, umin, umax),
                        x[3] - history - T() / 2 * k1 * wa * x[2]};
    });
    u = unknowns[0];
    err = unknowns[1];
    Ierr = unknowns[2];
    uI = unknowns[3];
  }
  void ArchiveMemory(Archive& archive) override { archive(lead_); }

 private:
  In yref{this, "yref"}, kx{this, "kx", 1, "rad/s"}, y{this, "y"}, wa{this, "wa", 1, "rad/s"};
  In da{this, "da", 1}, umin{this, "umin", -1}, umax{this, "umax", 1};
  Out u{this, "u"}, err{this, "err"}, Ierr{this, "Ierr"}, uI{this, "uI"};
  FirstOrderFilter lead_;
};

/// v = K e + I + K Td d, I' = K/Ti e and 1/Tt of what v is beyond Umin..Umax; u = v within Uoutmin..Uoutmax.
class SignalPID2 final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalPID2",
                                   .text = "PID controller with tracking of its limits (back-calculation)"};
  void Initialize() override {
    I_ = 0;
    e_ = e;
  }
  void SimulateOneTimestep(double /*t*/) override {
    const double d = IsConnected(de) ? de : (e - e_) / T();
    e_ = e;
    I_ += K * T() / Ti * e;
    const double v = K * e + I_ + K * Td * d;
    if (v > Umax) I_ += T() / Tt * (Umax - v);
    if (v < Umin) I_ += T() / Tt * (Umin - v);
    u = std::clamp<double>(v, Uoutmin, Uoutmax);
  }
  void ArchiveMemory(Archive& archive) override { archive(I_, e_); }

 private:
  Const K{this, "K", 1}, Ti{this, "Ti", 1, "s"}, Tt{this, "Tt", 1, "s"}, Td{this, "Td", 0, "s"};
  Const Umin{this, "Umin", -1e100}, Umax{this, "Umax", 1e100}, Uoutmin{this, "Uoutmin", -1e100};
  Const Uoutmax{this, "Uoutmax", 1e100};
  In e{this, "e"}, de{this, "de"};
  Out u{this, "u"};
  double I_ = 0, e_ = 0;
};

}  // namespace davit::hopsan
