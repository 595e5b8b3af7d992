#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hopsan/types/signal_type.h"

namespace davit::hopsan {

class SignalConstant final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalConstant", .text = "Const: the start value of y"};
  void Initialize() override {}

 private:
  Out y{this, "y", 1};
};

class SignalTime final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalTime", .text = "The time"};
  void SimulateOneTimestep(double /*t*/) override { out = t(); }

 private:
  Out out{this, "out", 0, "s"};
};

class SignalStep final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalStep", .text = "Step from y_0 by y_A at t_step"};
  void SimulateOneTimestep(double /*t*/) override { out = t() >= t_step ? y_0 + y_A : y_0; }

 private:
  In y_0{this, "y_0"}, y_A{this, "y_A", 1}, t_step{this, "t_step", 1, "s"};
};

class SignalStaircase final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalStaircase",
                                   .text = "Steps of the height H_step, W_step apart, from T_start on"};
  void Initialize() override {}
  void SimulateOneTimestep(double /*t*/) override {
    const double since = t() - T_start + 0.5 * std::min<double>(T(), W_step);
    out = H_step * std::floor(std::max(0.0, since) / W_step);
  }

 private:
  In T_start{this, "T_start", 0, "s"}, H_step{this, "H_step", 1}, W_step{this, "W_step", 1, "s"};
};

/// A change by y_A from y_0.
class Change : public OutSignal {
 public:
  void Initialize() override { out = y_0; }

 protected:
  In y_0{this, "y_0"}, y_A{this, "y_A", 1};
};

/// A change between t_start and t_end.
class Transition : public Change {
 protected:
  /// What is gone of the time between t_start and t_end.
  double Progress() const { return (t() - t_start) / (t_end - t_start); }
  In t_start{this, "t_start", 1, "s"}, t_end{this, "t_end", 2, "s"};
};

class SignalRamp final : public Transition {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalRamp",
                                   .text = "Ramp from y_0 by y_A between t_start and t_end"};
  void SimulateOneTimestep(double /*t*/) override {
    out = t() < t_start ? y_0 : y_0 + y_A * (t() < t_end ? Progress() : 1);
  }
};

class SignalSoftStep final : public Transition {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalSoftStep",
                                   .text = "Half a cosine from y_0 by y_A between t_start and t_end"};
  void SimulateOneTimestep(double /*t*/) override {
    constexpr double pi = std::numbers::pi;
    out = t() < t_start ? y_0 : y_0 + y_A * (t() < t_end ? (1 + std::sin(pi * Progress() - pi / 2)) / 2 : 1);
  }
};

class SignalPulse final : public Transition {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalPulse",
                                   .text = "y_0 + y_A from half a step before t_start to t_end"};
  void SimulateOneTimestep(double /*t*/) override {
    const double middle = t() + T() / 2;
    out = middle >= t_start && middle < t_end ? y_0 + y_A : y_0;
  }
};

class SignalPulseWave final : public Change {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalPulseWave",
                                   .text = "Pulses by y_A of the period dT, on for the share D"};
  void SimulateOneTimestep(double /*t*/) override {
    const double s = t() - t_start + T() / 2;
    out = s > 0 && s - std::floor(s / dT) * dT < D * dT ? y_0 + y_A : y_0;
  }

 private:
  In t_start{this, "t_start", 0, "s"}, dT{this, "dT", 1, "s"};
  In D{this, "D", 0.5};
};

class SignalSquareWave final : public Change {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalSquareWave",
                                   .text = "Square wave y_0 + y_A, y_0 - y_A of the frequency f"};
  void SimulateOneTimestep(double /*t*/) override {
    const double phase = 2 * std::numbers::pi * f * (t() - t_start);
    out = t() < t_start ? y_0 : std::sin(phase) >= 0 ? y_0 + y_A : y_0 - y_A;
  }

 private:
  In f{this, "f", 1, "Hz"}, t_start{this, "t_start", 0, "s"};
};

class SignalSineWave final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalSineWave",
                                   .text = "Sine of the amplitude y_A from t_start on; y_offset is a time"};
  void SimulateOneTimestep(double /*t*/) override {
    const double phase = 2 * std::numbers::pi * f * (t() - t_start - y_offset);
    out = t() < t_start ? 0 : y_A * std::sin(phase);
  }

 private:
  In f{this, "f", 1, "Hz"}, y_A{this, "y_A", 1}, y_offset{this, "y_offset", 0, "s"};
  In t_start{this, "t_start", 0, "s"};
};

class SignalStepExponentialDelay final : public Change {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalStepExponentialDelay",
                                   .text = "Step by y_A at t_step that decays with the time constant tao"};
  void SimulateOneTimestep(double /*t*/) override {
    out = t() < t_step ? y_0 : y_0 + y_A * std::exp(-(t() - t_step) / tao);
  }

 private:
  In tao{this, "tao", 1, "s"}, t_step{this, "t_step", 1, "s"};
};

/// A value set by hand or from outside: its output keeps its start value.
template <const ModelInfo& info>
class SignalFixed final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo = info;
  void Initialize() override {}
};
inline constexpr ModelInfo kAnimationSwitch{.name = "hopsan.SignalAnimationSwitch",
                                            .text = "Switch for the user: keeps its start value"};
inline constexpr ModelInfo kInputInterface{.name = "hopsan.SignalInputInterface",
                                           .text = "Signal from outside: keeps its start value"};
using SignalAnimationSwitch = SignalFixed<kAnimationSwitch>;
using SignalInputInterface = SignalFixed<kInputInterface>;

class SignalAnimationSlider final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalAnimationSlider",
                                   .text = "Slider for the user: min + (max - min)*in"};
  void SimulateOneTimestep(double /*t*/) override { out = min + (max - min) * in; }

 private:
  Const min{this, "min", 0}, max{this, "max", 1};
  In in{this, "in"};
};

}  // namespace davit::hopsan
