#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "hopsan/types/signal_type.h"

namespace davit::hopsan {

/// A name and a function of one input.
template <class Law>
class SignalFunction final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo = Law::kInfo;
  void SimulateOneTimestep(double /*t*/) override { out = Law::Of(in); }

 private:
  In in{this, "in"};
};

/// The same of two inputs, with the value of those that are not connected.
template <class Law>
class SignalFunction2 final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo = Law::kInfo;
  void SimulateOneTimestep(double /*t*/) override { out = Law::Of(in1, in2); }

 private:
  In in1{this, "in1", Law::kDefault}, in2{this, "in2", Law::kDefault};
};

/// Signals above 0.5 are true.
inline bool IsTrue(double signal) { return signal > 0.5; }
inline double TruthOf(bool is_true) { return is_true ? 1 : 0; }

// clang-format off
struct AbsoluteLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalAbsoluteValue", .text = "|in|"}; static double Of(double x) { return std::abs(x); } };
struct AtanLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalAtan", .text = "atan(in)"}; static double Of(double x) { return std::atan(x); } };
struct CeilLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalCeil", .text = "The next whole number above in"}; static double Of(double x) { return std::ceil(x); } };
struct CosLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalCos", .text = "cos(in)"}; static double Of(double x) { return std::cos(x); } };
struct CoshLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalCosh", .text = "cosh(in)"}; static double Of(double x) { return std::cosh(x); } };
struct DummyLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalDummy", .text = "Load of Hopsan's benchmarks; its output is not used"}; static double Of(double /*x*/) { return 0; } };
struct ExpLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalExp", .text = "exp(in)"}; static double Of(double x) { return std::exp(x); } };
struct FloorLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalFloor", .text = "The next whole number below in"}; static double Of(double x) { return std::floor(x); } };
struct NotLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalNot", .text = "1 where in is at most 0.5"}; static double Of(double x) { return TruthOf(!IsTrue(x)); } };
struct RoundLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalRound", .text = "The nearest whole number"}; static double Of(double x) { return std::round(x); } };
struct SinLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalSin", .text = "sin(in)"}; static double Of(double x) { return std::sin(x); } };
struct SinhLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalSinh", .text = "sinh(in)"}; static double Of(double x) { return std::sinh(x); } };
struct SquareLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalSquare", .text = "in^2"}; static double Of(double x) { return x * x; } };
struct TanLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalTan", .text = "tan(in)"}; static double Of(double x) { return std::tan(x); } };
struct TanhLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalTanh", .text = "tanh(in)"}; static double Of(double x) { return std::tanh(x); } };

struct AddLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalAdd", .text = "in1 + in2"}; static constexpr double kDefault = 0; static double Of(double a, double b) { return a + b; } };
struct SubtractLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalSubtract", .text = "in1 - in2"}; static constexpr double kDefault = 0; static double Of(double a, double b) { return a - b; } };
struct MultiplyLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalMultiply", .text = "in1*in2"}; static constexpr double kDefault = 1; static double Of(double a, double b) { return a * b; } };
struct AndLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalAnd", .text = "1 if both inputs are above 0.5"}; static constexpr double kDefault = 0; static double Of(double a, double b) { return TruthOf(IsTrue(a) && IsTrue(b)); } };
struct OrLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalOr", .text = "1 if an input is above 0.5"}; static constexpr double kDefault = 0; static double Of(double a, double b) { return TruthOf(IsTrue(a) || IsTrue(b)); } };
struct XorLaw { static constexpr ModelInfo kInfo{.name = "hopsan.SignalXor", .text = "1 if one input is above 0.5"}; static constexpr double kDefault = 0; static double Of(double a, double b) { return TruthOf(IsTrue(a) != IsTrue(b)); } };
// clang-format on

using SignalAdd = SignalFunction2<AddLaw>;
using SignalSubtract = SignalFunction2<SubtractLaw>;
using SignalMultiply = SignalFunction2<MultiplyLaw>;

class SignalGain final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalGain", .text = "k*in"};
  void SimulateOneTimestep(double /*t*/) override { out = k * in; }

 private:
  In in{this, "in"}, k{this, "k", 1};
};

class SignalDivide final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalDivide",
                                   .text = "in1/in2; the run stops where in2 is 0, but for its start"};
  void Initialize() override { out = in2 == 0 ? 0 : in1 / in2; }
  void SimulateOneTimestep(double /*t*/) override {
    if (in2 == 0) FailEvaluation(t(), "in2 is 0: no quotient");
    out = in1 / in2;
  }

 private:
  In in1{this, "in1"}, in2{this, "in2"};
};

class SignalSum final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalSum", .text = "Sum of all that is connected"};
  void SimulateOneTimestep(double /*t*/) override {
    double sum = 0;
    for (std::size_t i = 0; i < in.size(); ++i) sum += in[i];
    out = sum;
  }

 private:
  Ins in{this, "in"};
};

class SignalSaturation final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalSaturation",
                                   .text = "in between y_lower and y_upper"};
  void SimulateOneTimestep(double /*t*/) override {
    out = in > y_upper ? y_upper : in < y_lower ? y_lower : in;
  }

 private:
  In in{this, "in"}, y_upper{this, "y_upper", 1}, y_lower{this, "y_lower", -1};
};

template <class Compare, const ModelInfo& info>
class SignalComparison final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo = info;
  void SimulateOneTimestep(double /*t*/) override { out = TruthOf(Compare()(in, x_limit)); }

 private:
  In in{this, "in"}, x_limit{this, "x_limit"};
};
inline constexpr ModelInfo kGreater{.name = "hopsan.SignalGreaterThan", .text = "1 where in > x_limit"};
inline constexpr ModelInfo kSmaller{.name = "hopsan.SignalSmallerThan", .text = "1 where in < x_limit"};
using SignalGreaterThan = SignalComparison<std::greater<double>, kGreater>;
using SignalSmallerThan = SignalComparison<std::less<double>, kSmaller>;

class SignalTripleRoute final : public OutSignal {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalTripleRoute",
                                   .text = "in1 where route < limit12, in2 where < limit23, else in3"};
  void SimulateOneTimestep(double /*t*/) override {
    out = route < limit12 ? in1 : route < limit23 ? in2 : in3;
  }

 private:
  Const limit12{this, "limit12", 0.5}, limit23{this, "limit23", 1.5};
  In in1{this, "in1"}, in2{this, "in2"}, in3{this, "in3"}, route{this, "route"};
};

/// S, R within 0..1: Q = S (1 - R) - R (1 - S) + Q' (1 - S) (1 - R), within 0..1.
class SignalSRlatch final : public SignalType {
 public:
  static constexpr ModelInfo kInfo{.name = "hopsan.SignalSRlatch", .text = "Latch with set and reset"};
  void Initialize() override {}
  void SimulateOneTimestep(double /*t*/) override {
    const double S = std::clamp<double>(setCond, 0, 1), R = std::clamp<double>(resetCond, 0, 1);
    Qstate = std::clamp(S * (1 - R) - R * (1 - S) + Qstate * (1 - S) * (1 - R), 0.0, 1.0);
    notQstate = 1 - Qstate;
  }

 private:
  In setCond{this, "setCond"}, resetCond{this, "resetCond"};
  Out Qstate{this, "Qstate"}, notQstate{this, "notQstate", 1};
};

}  // namespace davit::hopsan
