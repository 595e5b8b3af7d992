#pragma once

#include "hopsan/laws/delay.h"
#include "hopsan/laws/filters.h"
#include "hopsan/types/signal_type.h"

namespace davit::hopsan {

/// A filter with limits; its output starts at its start value.
template <class Filter>
class FilterS : public OutSignal {
 public:
  void Initialize() override {
    filter_.Start(in, out, {y_min, y_max});
    out = filter_.value();
  }
  void ArchiveMemory(Archive& archive) override { archive(filter_); }

 protected:
  In in{this, "in"};
  Const y_min{this, "y_min", -1.5e300}, y_max{this, "y_max", 1.5e300};
  Filter filter_;
};

class SignalLP1Filter final : public FilterS<FirstOrderFilter> {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalLP1Filter", .text = "Low-pass 1/(s/omega + 1)"};
  void SimulateOneTimestep(double /*t*/) override { out = filter_.Step(in, T(), {.d0 = 1, .d1 = 1 / omega}); }

 private:
  Const omega{this, "omega", 1000, "rad/s"};
};

class SignalLP2Filter final : public FilterS<SecondOrderFilter> {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalLP2Filter",
                                   .text = "Low-pass 1/(s^2/omega^2 + 2 delta s/omega + 1)"};
  void SimulateOneTimestep(double /*t*/) override {
    out = filter_.Step(in, T(), SecondOrderRatio::Lag(omega, delta));
  }

 private:
  Const omega{this, "omega", 1000, "rad/s"}, delta{this, "delta", 1};
};

class SignalFirstOrderFilter final : public FilterS<FirstOrderFilter> {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalFirstOrderFilter",
                                   .text = "k (s/omega_num + 1)/(s/omega_den + 1)"};
  void SimulateOneTimestep(double /*t*/) override {
    out = filter_.Step(in, T(), {.n0 = k, .n1 = k / omega_num, .d0 = 1, .d1 = 1 / omega_den});
  }

 private:
  Const k{this, "k", 1}, omega_num{this, "omega_num", 1e10, "rad/s"};
  Const omega_den{this, "omega_den", 1000, "rad/s"};
};

class SignalHP1Filter final : public FilterS<FirstOrderFilter> {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalHP1Filter", .text = "High-pass s/(s + omega)"};
  void SimulateOneTimestep(double /*t*/) override {
    out = filter_.Step(in, T(), {.n0 = 0, .n1 = 1 / omega, .d0 = 1, .d1 = 1 / omega});
  }

 private:
  Const omega{this, "omega", 1000, "rad/s"};
};

class SignalIntegrator2 final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalIntegrator2",
                                   .text = "Integral by the trapezoidal rule"};
  void Initialize() override { integral_.Start(in, out); }
  void SimulateOneTimestep(double /*t*/) override { out = integral_.Step(in, T()); }
  void ArchiveMemory(Archive& archive) override { archive(integral_); }

 private:
  In in{this, "in"};
  Integrator integral_;
};

class SignalRateLimiter final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalRateLimiter",
                                   .text = "in, no faster than c_up, c_down (which is negative)"};
  void Initialize() override { out = in; }
  void SimulateOneTimestep(double /*t*/) override {
    const double d = in - out, c = d >= 0 ? c_up : c_down;
    out = std::abs(d) / T() > std::abs(c) ? out + c * T() : in;
  }

 private:
  In c_up{this, "c_up", 1}, c_down{this, "c_down", -1}, in{this, "in"};
};

class SignalUnitDelay final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{
      .name = "hopsan.SignalUnitDelay",
      .text = "in; delayed by a step if it is computed before its source, or in a loop"};
  void SimulateOneTimestep(double /*t*/) override { out = in; }
  bool RunsAfterInputs() const override { return false; }

 private:
  In in{this, "in"};
};

class SignalTimeDelay final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalTimeDelay",
                                   .text = "in of deltat ago, at least one step"};
  void Initialize() override {
    delay_.Start(deltat, T(), in);
    out = in;
  }
  void SimulateOneTimestep(double /*t*/) override { out = delay_.Step(in); }
  void ArchiveMemory(Archive& archive) override { archive(delay_); }

 private:
  Const deltat{this, "deltat", 1, "s"};
  In in{this, "in"};
  Delay delay_;
};

}  // namespace davit::hopsan
