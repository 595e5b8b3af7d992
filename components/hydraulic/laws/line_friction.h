#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "components/hydraulic/laws/pipe_friction.h"
#include "components/hydraulic/laws/unsteady_friction.h"
#include "framework/archive.h"

namespace davit {

/// How the oil in a line loses pressure.
enum class LineFrictionModel { kNone, kSteady, kFrequencyDependent };

inline constexpr std::array<std::string_view, 3> kLineFrictionModelNames{"none", "steady",
                                                                         "frequency_dependent"};

/// What friction in a line depends on, all SI.
struct LineFrictionData {
  LineFrictionModel model = LineFrictionModel::kSteady;
  double diameter = 0;             ///< inner [m]
  double length = 0;               ///< [m]
  double density = 0;              ///< [kg/m3]
  double kinematic_viscosity = 0;  ///< [m2/s]
};

/// The impedance that friction puts in series with one end of a lossless line: half the friction of the line.
///
/// Unsteady laminar friction (W. Zielke, J. Basic Engineering 90 (1968) 109-115), for the whole line:
///   Zf(s) q = R q + R0/2 (sum_i m_i s/(s + n_i nu/r^2)) q,   r = D/2,
/// by the ten terms of unsteady_friction.h. What the sum lacks of the integral of Zielke's weighting
/// function, 1/12 - sum m_i/n_i, is added as an inertance.
///
/// Half of Zf at each end gives the gain 1/cosh(Gamma) of a closed line to first order in d = Zf/(s I),
/// I = rho L/A. The second order, -d/4 of the unsteady part, is made by an inertance 2 I parallel to that
/// part. In slow flow the line then has the inertia 1.31 I (exact: 4/3 I).
///
/// Discrete: branches with n_i nu/r^2 h <= 2 by the trapezoidal rule; the faster ones are joined into the
/// inertance, which takes the implicit Euler rule. Both keep a passive network passive, neither rings.
///
/// R is the resistance of steady flow in a pipe with a smooth wall (PipeFriction), taken at the last flow: a
/// turbulent drop settles on its law within a few steps. R0 is its laminar value.
class LineFriction {
 public:
  void SetData(const LineFrictionData& data);
  /// Pre: h > 0.
  void SetStep(double h);
  /// Steady at the flow q [m3/s] into the end.
  void Start(double q);
  /// The flow into the end at the end of the step [m3/s].
  void Advance(double q);

  /// The drop at the next step point is impedance()*q + offset().
  double impedance() const { return impedance_; }
  double offset() const { return offset_; }
  /// d(drop)/dq of steady flow at the last flow [Pa s/m3].
  double SteadySlope() const { return model_ == LineFrictionModel::kNone ? 0 : steady_.DropSlope(q_) / 2; }
  void ArchiveMemory(Archive& archive) {
    archive(branches_, unsteady_, admittance_, share_, q_, q_branches_, q_parallel_, u_, impedance_, offset_);
  }

 private:
  static constexpr std::size_t kTerms = kUnsteadyFrictionTerms;
  struct Branch {
    double decay = 0;  ///< of u over a step
    double gain = 0;   ///< [Pa s/m3]
    double u = 0;      ///< drop [Pa]

    void ArchiveMemory(Archive& archive) { archive(decay, gain, u); }
  };

  void MakeOffer();

  LineFrictionModel model_ = LineFrictionModel::kNone;
  PipeFriction steady_;  ///< of the whole line
  double I_ = 0;         ///< rho L/A [kg/m4]
  double rate_ = 0;      ///< nu/r^2 [1/s]
  std::array<Branch, kTerms> branches_;
  std::size_t branch_count_ = 0;
  double unsteady_ = 0;    ///< impedance of all branches and the inertance [Pa s/m3]
  double admittance_ = 0;  ///< of the parallel inertance, h/(4 I) [m3/(Pa s)]
  double share_ = 1;       ///< of a flow that goes through the branches

  double q_ = 0;
  double q_branches_ = 0;  ///< flow through the branches
  double q_parallel_ = 0;  ///< flow through the parallel inertance
  double u_ = 0;           ///< unsteady drop [Pa]
  double impedance_ = 0;
  double offset_ = 0;
};

}  // namespace davit
