#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

/// The one-actuator lifting system of systems/lifting_cylinder.xml written out by hand: what the components
/// are compared with, in values and in speed. Nothing of the components is used here.
///
/// Pump, pipe, pressure compensator, 4/3 valve, counterbalance valve, cylinder, load of 10 t. Nodes of the
/// volume V0 hold a quantity Q of oil beyond that at p = 0: Q' = net flow, p = max(0, beta Q/V0). All SI,
/// gauge pressures, x = 0 retracted, v positive in extension (hoisting).
///
/// The command is u = 0 for t < 5 s, then sin(t). Between two switching times the side of the valve stays
/// what it is in the middle, so that the right-hand side has no jump; integrators restart at each.
namespace davit::lifting {

enum class Side { kNeutral, kHoist, kLower };

inline constexpr double kStopTime = 50;          // [s]
inline constexpr double kBeta = 1.6e9;           // [Pa]
inline constexpr double kDensity = 861.8;        // [kg/m3]
inline constexpr double kViscosity = 32e-6;      // kinematic [m2/s]
inline constexpr double kNodeVolume = 0.01;      // V0 [m3]
inline constexpr double kDeadVolume = 1e-3;      // [m3]
inline constexpr double kStroke = 2;             // [m]
inline constexpr double kMass = 10500;           // load and rod [kg]
inline constexpr double kWeight = 98100;         // [N]
inline constexpr double kDeadband = 0.05;        // of |u|, from Standard on
inline constexpr double kNeutralOpening = 0.01;  // of the edges AT and BT

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kPistonArea = kPi / 4 * 0.283 * 0.283;                // Ap [m2]
inline constexpr double kRingArea = kPistonArea - kPi / 4 * 0.141 * 0.141;    // Ar [m2]
inline constexpr double kPumpDisplacement = 0.000675 * 8 * 0.05 / (2 * kPi);  // Vp [m3/rad]
inline constexpr double kPumpSpeed = 1776 * 2 * kPi / 60;                     // [rad/s]
inline constexpr double kHoldingPressure = kWeight / kPistonArea;             // [Pa]

inline double Clip(double s) { return std::min(1.0, std::max(0.0, s)); }

/// Turbulent orifice with the slope K/sqrt(d) at dp = 0, d = 1e4 Pa.
inline double Orifice(double K, double dp) { return K * dp / std::sqrt(std::sqrt(dp * dp + 1e8)); }

inline double NodePressure(double Q) { return std::max(0.0, kBeta * Q / kNodeVolume); }
inline double NodeQuantity(double p) { return p * kNodeVolume / kBeta; }

inline double Command(double t) { return t < 5 ? 0.0 : std::sin(t); }

/// Force of the end stops, against extension.
inline double StopForce(double x, double v) {
  const double k = 350e5 * kPistonArea / 1e-3;
  const double c = 0.2 * std::sqrt(350e5 * kPistonArea / 9.81 * k);
  if (x > kStroke) return k * (x - kStroke) + c * std::max(0.0, v);
  if (x < 0) return k * x + c * std::min(0.0, v);
  return 0;
}

/// Coefficients K [m3/s/sqrt(Pa)] of the four edges of the valve that are used.
struct Edges {
  double pa = 0, pb = 0, at = 0, bt = 0;
};

/// `opening` of the valve to its side, 0 .. 1.
inline Edges ValveEdges(Side side, double opening) {
  const double K = 500 / 6e4 / std::sqrt(5e5);
  switch (side) {
    case Side::kHoist: return {.pa = opening * K, .bt = opening * K};
    case Side::kLower: return {.pb = opening * K, .at = opening * K};
    case Side::kNeutral: break;
  }
  return {.at = kNeutralOpening * K, .bt = kNeutralOpening * K};
}

/// Coefficient of the fully open counterbalance valve.
inline double CounterbalanceCoefficient() { return 140 / 6e4 / std::sqrt(5e5); }

/// What is compared. Flows [m3/s], pressures [Pa].
struct Values {
  double x, v, p_a, p_b, p_pump, q_pump, q_a, q_b;
};

/// Pump with fixed displacement, relief valve, no pipe, no ports.
struct Ideal {
  enum State : std::size_t { kQP, kQA, kQB, kQC, kX, kV, kSize };
  using Vector = std::array<double, kSize>;
  static constexpr double kLargestNeutral = 0;  ///< |u| up to which the valve is in neutral
  static constexpr Vector kNominal{1e-5, 1e-5, 1e-5, 1e-5, 1, 1};

  Side side = Side::kNeutral;

  static Vector Start() {
    Vector y{};
    y[kQP] = NodeQuantity(1e5);
    y[kQC] = NodeQuantity(kHoldingPressure);
    y[kX] = 1;
    return y;
  }

  static double PumpFlow() { return kPumpDisplacement * kPumpSpeed * std::tan(kPi / 4); }

  void Evaluate(double /*t*/, const double* y, double* ddt) const {
    const double pP = NodePressure(y[kQP]), pA = NodePressure(y[kQA]);
    const double pB = NodePressure(y[kQB]), pC = NodePressure(y[kQC]);
    const double v = y[kV];
    const double K_relief = kPi / 4 * 0.03 * 0.03 * std::sqrt(2 / kDensity);
    const double q_relief = Orifice(K_relief * Clip((pP - 350e5) / 5e5), pP);
    const Edges K = ValveEdges(side, 1);
    const double q_pa = Orifice(K.pa, pP - pA), q_pb = Orifice(K.pb, pP - pB);
    const double q_at = Orifice(K.at, pA), q_bt = Orifice(K.bt, pB);
    const double dp = pA - pC;
    const double r = dp > 0 ? 1 : Clip((pB - 25e5) / 5e5);
    const double q_cbv = Orifice(CounterbalanceCoefficient() * r, dp);
    ddt[kQP] = PumpFlow() - q_relief - q_pa - q_pb;
    ddt[kQA] = q_pa - q_at - q_cbv;
    ddt[kQB] = q_pb - q_bt + kRingArea * v;
    ddt[kQC] = q_cbv - kPistonArea * v;
    ddt[kX] = v;
    ddt[kV] = (pC * kPistonArea - pB * kRingArea - kWeight - StopForce(y[kX], v)) / kMass;
  }

  Values Read(const double* y) const {
    const double v = y[kV];
    return {y[kX],
            v,
            NodePressure(y[kQC]),
            NodePressure(y[kQB]),
            NodePressure(y[kQP]),
            PumpFlow(),
            kPistonArea * v,
            kRingArea * v};
  }
};

inline constexpr double kPipeDiameter = 0.049;
inline constexpr double kPipeLength = 15;
inline constexpr double kPipeArea = kPi / 4 * kPipeDiameter * kPipeDiameter;

/// Loss of pressure over the length l at the flow q: laminar, linear in Re from 2000 to 4000, Blasius,
/// Hermann.
inline double PipeLoss(double q, double l) {
  const double Re = std::abs(q) / kPipeArea * kPipeDiameter / kViscosity;
  if (Re < 2000) return 128 * kDensity * kViscosity * l * q / (kPi * std::pow(kPipeDiameter, 4));
  double f;
  if (Re < 4000) {
    const double f_4000 = 0.3164 / std::pow(4000.0, 0.25);
    f = 0.032 + (f_4000 - 0.032) * (Re - 2000) / 2000;
  } else if (Re <= 1e5) {
    f = 0.3164 / std::pow(Re, 0.25);
  } else {
    f = 0.0054 + 0.396 * std::pow(Re, -0.3);
  }
  return f * l / kPipeDiameter * kDensity * q * std::abs(q) / (2 * kPipeArea * kPipeArea);
}

/// Pump with pressure compensator and leakage G to the tank.
struct PumpFlows {
  double pumped, leakage;
};
inline PumpFlows CompensatedPump(double p_0) {
  const double alpha = kPi / 4 * Clip((300e5 - p_0) / 10e5);
  const double G = 8e-8 * 2 * kPi * kPumpDisplacement - 1.2e-12;
  return {kPumpDisplacement * kPumpSpeed * std::tan(alpha), G * p_0};
}

/// Flow through the pressure compensator of the valve; p_1 behind it, p_LS of the load.
inline double CompensatorFlow(double p_P, double p_1, double p_LS) {
  const double K = 1000 / 6e4 / std::sqrt(5e5);
  return std::max(0.0, Orifice(K * Clip((5e5 - std::max(p_1 - p_LS, 0.0)) / 5e5), p_P - p_1));
}

inline double SpoolOpening(double t) {
  return std::max(0.0, std::abs(Command(t)) - kDeadband) / (1 - kDeadband);
}
inline double PilotFilter(double p_pilot, double xf) { return 2 * kPi * 0.4 * (p_pilot - xf); }
inline double PilotOpening(double xf) { return Clip((xf - 25e5) / 225e5); }

inline double PortCoefficient() { return kPi / 4 * 0.01 * 0.01 * std::sqrt(2 / kDensity); }

/// Compensated pump, pipe of one cell, compensated valve with deadband, piloted counterbalance valve,
/// cylinder with ports, chambers and viscous friction.
struct Standard {
  enum State : std::size_t { kQ0, kqL, kQP, kQ1, kQA, kQB, kQC, kXf, kQa, kQb, kX, kV, kSize };
  using Vector = std::array<double, kSize>;
  static constexpr double kLargestNeutral = kDeadband;
  static constexpr Vector kNominal{1e-5, 1e-2, 1e-5, 1e-5, 1e-5, 1e-5, 1e-5, 1e5, 1e-5, 1e-5, 1, 1};
  static constexpr double kPipeVolume = kPipeArea * kPipeLength;

  Side side = Side::kNeutral;

  static double ChamberA(double Q, double x) {
    return std::max(0.0, kBeta * Q / (kDeadVolume + kPistonArea * x));
  }
  static double ChamberB(double Q, double x) {
    return std::max(0.0, kBeta * Q / (kDeadVolume + kRingArea * (kStroke - x)));
  }

  static Vector Start() {
    Vector y{};
    y[kQ0] = y[kQ1] = NodeQuantity(1e5);
    y[kQP] = 1e5 * kPipeVolume / kBeta;
    y[kQC] = NodeQuantity(kHoldingPressure);
    y[kQa] = kHoldingPressure * (kDeadVolume + kPistonArea) / kBeta;
    y[kX] = 1;
    return y;
  }

  void Evaluate(double t, const double* y, double* ddt) const {
    const double p0 = NodePressure(y[kQ0]), pP = std::max(0.0, kBeta * y[kQP] / kPipeVolume);
    const double p1 = NodePressure(y[kQ1]), pA = NodePressure(y[kQA]);
    const double pB = NodePressure(y[kQB]), pC = NodePressure(y[kQC]);
    const double x = y[kX], v = y[kV];
    const double pa = ChamberA(y[kQa], x), pb = ChamberB(y[kQb], x);

    const PumpFlows pump = CompensatedPump(p0);
    const double q_comp = CompensatorFlow(pP, p1, std::max(pA, pB));
    const Edges K = ValveEdges(side, SpoolOpening(t));
    const double q_pa = Orifice(K.pa, p1 - pA), q_pb = Orifice(K.pb, p1 - pB);
    const double q_at = Orifice(K.at, pA), q_bt = Orifice(K.bt, pB);
    const double dp = pA - pC;
    const double r = dp > 0 ? 1 : PilotOpening(y[kXf]);
    const double q_cbv = Orifice(CounterbalanceCoefficient() * r, dp);
    const double q_a = Orifice(PortCoefficient(), pC - pa), q_b = Orifice(PortCoefficient(), pb - pB);

    ddt[kQ0] = pump.pumped - pump.leakage - y[kqL];
    ddt[kqL] = (p0 - pP - PipeLoss(y[kqL], kPipeLength)) / (kDensity * kPipeLength / kPipeArea);
    ddt[kQP] = y[kqL] - q_comp;
    ddt[kQ1] = q_comp - q_pa - q_pb;
    ddt[kQA] = q_pa - q_at - q_cbv;
    ddt[kQB] = q_pb - q_bt + q_b;
    ddt[kQC] = q_cbv - q_a;
    ddt[kXf] = PilotFilter(pB, y[kXf]);
    ddt[kQa] = q_a - kPistonArea * v;
    ddt[kQb] = kRingArea * v - q_b;
    ddt[kX] = v;
    ddt[kV] = (pa * kPistonArea - pb * kRingArea - kWeight - 49050 * v - StopForce(x, v)) / kMass;
  }

  Values Read(const double* y) const {
    const double p0 = NodePressure(y[kQ0]), pB = NodePressure(y[kQB]), pC = NodePressure(y[kQC]);
    const double pa = ChamberA(y[kQa], y[kX]), pb = ChamberB(y[kQb], y[kX]);
    return {y[kX],
            y[kV],
            pa,
            pb,
            p0,
            CompensatedPump(p0).pumped,
            Orifice(PortCoefficient(), pC - pa),
            Orifice(PortCoefficient(), pb - pB)};
  }
};

/// Orifice of the coefficient K with a laminar part, dp = a q + b q|q|: K1 = 32, Cd = 0.611.
inline double LaminarOrifice(double K, double dp) {
  if (K <= 0) return 0;
  const double area = K / (0.611 * std::sqrt(2 / kDensity));
  const double diameter = std::sqrt(4 * area / kPi);
  const double a = 32 * kPi * diameter * kViscosity * kDensity / (8 * area * area);
  const double b = 1 / (K * K);
  return 2 * dp / (a + std::sqrt(a * a + 4 * b * std::abs(dp)));
}

/// What `Advanced` has in place of options of the level Advanced, as `--set`.
inline std::vector<std::string> OptionsByHand() {
  return {"pump.inlet=Schulz",
          "pipe.friction=Smooth",
          "pipe.compressibility=Constant",
          "cbv.opening_law=Seat",
          "cbv.flow_law=Turbulent",
          "cbv.leakage=Constant",
          "cylinder.compressibility=Dilation"};
}

/// As Standard with a pipe of four cells, laminar parts in valve and ports, the disc of the counterbalance
/// valve, an elastic barrel, leakage in the cylinder and LuGre friction.
struct Advanced {
  static constexpr std::size_t kCells = 4;
  enum State : std::size_t {
    kQ0,                 // node of the pump
    kqL,                 // kCells flows
    kQP = kqL + kCells,  // kCells nodes of the pipe
    kQ1 = kQP + kCells,  // behind the compensator
    kQA,
    kQB,
    kQC,
    kXf,
    kQa,
    kQb,
    kX,
    kV,
    kZ,
    kSize
  };
  using Vector = std::array<double, kSize>;
  static constexpr double kLargestNeutral = kDeadband;
  static constexpr Vector kNominal{1e-5, 1e-2, 1e-2, 1e-2, 1e-2, 1e-4, 1e-4, 1e-4, 1e-4, 1e-5,
                                   1e-5, 1e-5, 1e-5, 1e5,  1e-5, 1e-5, 1,    1,    1e-4};
  static constexpr double kCellVolume = kPipeArea * kPipeLength / kCells;

  Side side = Side::kNeutral;

  /// Bulk modulus with the barrel of 283 and 343 mm, E = 180e9 Pa, nu = 0.3 (thick tube).
  static double ChamberModulus() {
    const double d1 = 0.283 * 0.283, d2 = 0.343 * 0.343;
    return 1 / (1 / kBeta + 2 / 180e9 * ((d2 + d1) / (d2 - d1) + 0.3));
  }
  static double ChamberA(double Q, double x) {
    return std::max(0.0, ChamberModulus() * Q / (kDeadVolume + kPistonArea * x));
  }
  static double ChamberB(double Q, double x) {
    return std::max(0.0, ChamberModulus() * Q / (kDeadVolume + kRingArea * (kStroke - x)));
  }
  /// Conductance of a sealing gap of 10 um.
  static double GapConductance(double d, double L) {
    return kPi * d * 1e-15 / (12 * kDensity * kViscosity * L);
  }
  static double DiscFlow(double r, double dp) {
    const double area = kPi / 4 * 0.025 * 0.025;
    return Orifice(area * r * r / std::sqrt(1.3 * r * r + 0.2) * std::sqrt(2 / kDensity), dp);
  }

  static Vector Start() {
    Vector y{};
    y[kQ0] = y[kQ1] = NodeQuantity(1e5);
    for (std::size_t k = 0; k < kCells; ++k) y[kQP + k] = 1e5 * kCellVolume / kBeta;
    y[kQC] = NodeQuantity(kHoldingPressure);
    y[kQa] = kHoldingPressure * (kDeadVolume + kPistonArea) / ChamberModulus();
    y[kX] = 1;
    return y;
  }

  void Evaluate(double t, const double* y, double* ddt) const {
    const double p0 = NodePressure(y[kQ0]), p1 = NodePressure(y[kQ1]), pA = NodePressure(y[kQA]);
    const double pB = NodePressure(y[kQB]), pC = NodePressure(y[kQC]);
    const double x = y[kX], v = y[kV], z = y[kZ];
    const double pa = ChamberA(y[kQa], x), pb = ChamberB(y[kQb], x);

    double p_before = p0;
    for (std::size_t k = 0; k < kCells; ++k) {
      const double q = y[kqL + k];
      const double p_behind = std::max(0.0, kBeta * y[kQP + k] / kCellVolume);
      ddt[kqL + k] = (p_before - p_behind - PipeLoss(q, kPipeLength / kCells)) /
                     (kDensity * kPipeLength / kPipeArea / kCells);
      p_before = p_behind;
    }
    const double pP = p_before;

    const PumpFlows pump = CompensatedPump(p0);
    const double q_comp = CompensatorFlow(pP, p1, std::max(pA, pB));
    const Edges K = ValveEdges(side, SpoolOpening(t));
    const double q_pa = LaminarOrifice(K.pa, p1 - pA), q_pb = LaminarOrifice(K.pb, p1 - pB);
    const double q_at = LaminarOrifice(K.at, pA), q_bt = LaminarOrifice(K.bt, pB);
    const double dp = pA - pC;
    const double q_cbv = DiscFlow(dp > 0 ? Clip(dp / 5e5) : PilotOpening(y[kXf]), dp);
    const double q_a = LaminarOrifice(PortCoefficient(), pC - pa);
    const double q_b = LaminarOrifice(PortCoefficient(), pb - pB);
    const double q_li = GapConductance(0.283, 0.2) * (pa - pb);
    const double q_le = GapConductance(0.141, 0.1) * pb;

    const double s0 = 1e7, s1 = 1e5, s2 = 2e4;
    const double g = (3000 + (4500 - 3000) * std::exp(-(v / 0.01) * (v / 0.01))) / s0;
    const double z_ddt = v - std::abs(v) / g * z;
    const double friction = s0 * z + s1 * z_ddt + s2 * v;

    ddt[kQ0] = pump.pumped - pump.leakage - y[kqL];
    for (std::size_t k = 0; k < kCells; ++k) {
      ddt[kQP + k] = y[kqL + k] - (k + 1 < kCells ? y[kqL + k + 1] : q_comp);
    }
    ddt[kQ1] = q_comp - q_pa - q_pb;
    ddt[kQA] = q_pa - q_at - q_cbv;
    ddt[kQB] = q_pb - q_bt + q_b;
    ddt[kQC] = q_cbv - q_a;
    ddt[kXf] = PilotFilter(pB, y[kXf]);
    ddt[kQa] = q_a - kPistonArea * v - q_li;
    ddt[kQb] = kRingArea * v - q_b + q_li - q_le;
    ddt[kX] = v;
    ddt[kV] = (pa * kPistonArea - pb * kRingArea - kWeight - friction - StopForce(x, v)) / kMass;
    ddt[kZ] = z_ddt;
  }

  Values Read(const double* y) const {
    const double p0 = NodePressure(y[kQ0]), pB = NodePressure(y[kQB]), pC = NodePressure(y[kQC]);
    const double pa = ChamberA(y[kQa], y[kX]), pb = ChamberB(y[kQb], y[kX]);
    return {y[kX],
            y[kV],
            pa,
            pb,
            p0,
            CompensatedPump(p0).pumped,
            LaminarOrifice(PortCoefficient(), pC - pa),
            LaminarOrifice(PortCoefficient(), pb - pB)};
  }
};

/// A time during which the valve keeps its side.
struct Interval {
  double begin, end;
  Side side;
};

/// The whole run cut at t = 5 s and wherever |sin(t)| passes `largest_neutral`.
inline std::vector<Interval> Intervals(double largest_neutral) {
  std::vector<double> cuts{0, 5};
  const double half = std::asin(largest_neutral);
  for (int k = 2; k <= 15; ++k) {
    cuts.push_back(k * kPi - half);
    if (half > 0) cuts.push_back(k * kPi + half);
  }
  cuts.push_back(kStopTime);
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const double u = Command((cuts[i] + cuts[i + 1]) / 2);
    const Side side = std::abs(u) <= largest_neutral ? Side::kNeutral : u > 0 ? Side::kHoist : Side::kLower;
    intervals.push_back({cuts[i], cuts[i + 1], side});
  }
  return intervals;
}

}  // namespace davit::lifting
