#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/islands/jacobian_check.h"
#include "simulator/network/network.h"
#include "simulator/solvers/difference_quotients.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// What a search for the state of rest has come to.
struct SteadyStateResult {
  bool is_found = false;
  int iterations = 0;
  /// Of a search without result: what does not rest, how fast it changes, and what may help.
  std::string fault;
  /// Motions that change nothing, such as the place of a body that nothing holds: each names the quantities
  /// that move together. The rest found is the one nearest the start values.
  std::vector<std::string> free_directions;
  /// Bodies that held oil lets creep, because it leaks: each with its speed. Their places are those of the
  /// start.
  std::vector<std::string> creeping;
  /// Wave components that cannot compute their waves in steady state: theirs stay those of the start values.
  std::vector<std::string> unsettled;
};

/// Searches for the steady state (equilibrium) near the start values, with time held at its start.
///
/// Unknowns are all states y and the waves c that wave components offer; the equations are y' = 0, and that
/// no wave component would offer other waves if the flows stayed as they are. They are solved by
/// pseudo-transient continuation: linearly implicit Euler steps that grow while the residual falls
/// (C. T. Kelley, D. E. Keyes, Convergence analysis of pseudo-transient continuation, SIAM J. Numer. Anal.
/// 35, 1998) and end as Newton's method. An algebraic island 0 = F(y, y') takes part with -F(y, 0) in place
/// of y', and with dF/dy' in the step: (dF/dy + dF/dy'/step) dy = -F. The Jacobian is made by central
/// differences of the whole network, with the patterns of the islands (IslandJacobian) and their checks, and
/// is factorised as a dense matrix. The blocks of IslandJacobian are no use here: waves and held signals join
/// what it keeps apart, and a search takes few Jacobians. Where it is singular at rest, the solution is moved
/// along its kernel to where it is nearest the start, with each unknown measured in its nominal value and
/// displacements and angles before all others: a body stays where it was put, and the oil that holds it takes
/// the pressure that is needed.
///
/// Where that finds no rest, the equations are followed through time instead, by the implicit Euler method
/// with steps as long as its Newton iteration allows: no oscillation that loses energy lasts, and no valve is
/// missed. Places that oil holds (the pressure in a chamber moves the body, the body moves the pressure) stay
/// where they are meanwhile: the oil takes the pressure that is needed. If the oil then leaks, so that the
/// body creeps, its place is kept and its speed reported. A place that moves faster than kFastestCreep is not
/// held, and released.
///
/// An angle that nothing depends on may keep turning, outside of algebraic islands: a shaft of constant
/// speed is at rest. So may angles of which only the differences count, as those of the ends of an elastic
/// shaft: they turn at one speed. What has not moved and depends on nothing, as the temperature of isothermal
/// gas, stays at its start.
class SteadyState {
 public:
  /// More unknowns are refused: the Jacobian would be too large.
  static constexpr std::size_t kMostUnknowns = 2000;
  /// What is faster does not creep, but move [1/s], in nominal sizes.
  static constexpr double kFastestCreep = 1e-2;

  /// States are at their start values and waves initialised. `h` is the TimeStep [s], the time scale of
  /// waves.
  SteadyState(Network& network, double h);
  /// States, waves, flows and outputs are those of rest afterwards; if there is none, those it came to.
  SteadyStateResult Search(double t);

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  struct Unknown {
    std::string name;
    const Component* owner = nullptr;
    double* value = nullptr;
    const double* rate = nullptr;  ///< y' of a state, a residual of an algebraic island; a wave has none
    /// Of an angle that turns with another one: the rate of that, to which its own is relative.
    const double* turning = nullptr;
    double scale = 1;
    double rate_scale = 1;  ///< of the rate; negative where it is a residual
    std::string_view unit = {};
    bool is_residual = false;
    bool is_held = false;      ///< a place that stays, whatever its rate
    bool is_constant = false;  ///< stays, because its rate is 0 and depends on nothing
  };
  /// The unknowns of an algebraic island, from `begin` on in their order there.
  struct AlgebraicPart {
    Island* island;
    Eigen::Index begin;
  };

  void ListStates(StateVectors& states, bool is_without_idle);
  void ListUnknowns(Island& island);
  /// Measures residuals in what they change with: differential equations in y', others in y.
  void ScaleResiduals();
  /// What the linearly implicit step divides by its length: dF/dy', in the scales of rates and unknowns.
  Matrix MassMatrix();
  Vector Values() const;
  /// How fast the unknowns change [1/s] in units of their scales, where they are z of their scales.
  Vector Rates(const Vector& z);
  Matrix Jacobian(const Vector& z);
  /// That of the islands, where nothing is exchanged between or beside them; else a full one.
  void FindPattern();
  /// Leaves out angles that change nothing.
  void DropTurningAngles();
  /// Of angles that change nothing when all of them turn, leaves out the first one.
  void JoinTurningAngles();
  void Drop(std::vector<std::size_t> unknowns);
  /// Marks what stays at its start, where the others have come to rest at z.
  void KeepConstants(const Vector& start, const Vector& z);
  /// What rounding of the unknowns makes of the rates; from then on that much counts as rest.
  void MeasureRounding(const Matrix& jacobian, const Vector& z);
  /// What counts as rest of an unknown [1/s].
  double LeastRate(Eigen::Index i) const;
  /// What changes most, in units of what counts as rest.
  double Unrest(const Vector& rates, Eigen::Index* worst = nullptr) const;
  /// Steps until rest; false if it does not come.
  bool Continue(Vector& z, int* iterations);
  /// Marks the places that oil holds.
  void HoldPlaces(const Vector& z);
  /// The rate of an unknown [1/s], of a held place, too.
  double RateOf(const Unknown& u, double z) const;
  /// Releases held places that do more than creep, and names them; false if there are none.
  bool ReleaseMoving(std::string& released);
  /// Through time until rest, with held places where they are; false, and z where least moved, if it does not
  /// come.
  bool Follow(Vector& z, int* iterations);
  /// One step of the implicit Euler method; false if its iteration does not converge.
  bool StepImplicitly(double step, Vector& z, int* iterations);
  /// Of each unknown 1, or 0 for a held place or a constant.
  Vector Released() const;
  /// Where places that oil could hold have moved, the rest in which they stay is taken, if there is one.
  void PreferStart(const Vector& start, Vector& z, SteadyStateResult& result);
  /// From the start values; names what creeps, or why there is no rest.
  bool SearchWithHeldPlaces(Vector& z, SteadyStateResult& result);
  /// Newton steps of least norm of the unknowns whose share in `wanted` is 1, not 0; false if they do not
  /// come to rest.
  bool Polish(Vector& z, const Vector& wanted);
  /// Whether the unknown is a displacement or an angle.
  bool IsPlace(Eigen::Index i) const;
  /// Puts displacements and angles back to the start that are within `reach` of it, and lets the others find
  /// their rest with that; false, and z as it was, if they do not.
  bool KeepPlaces(const Vector& start, double reach, Vector& z);
  /// Puts back to the start what else is within `reach` of it, one unknown after the other, where the places
  /// stay and the others find their rest with that.
  void KeepOthers(const Vector& start, double reach, Vector& z);
  /// What a move away from the start counts, of each unknown in units of its scale.
  Vector Weights() const;
  void MoveToNearest(const Vector& start, Vector& z, SteadyStateResult& result);
  std::vector<std::string> NameDirections(Matrix kernel) const;
  /// What changes most, with what is said of it.
  std::string DescribeUnrest(const Vector& z, const std::string& released);

  Network& network_;
  double h_;
  double t_ = 0;
  double increment_ = 1;  ///< of the Jacobian, in units of those of solvers
  std::vector<Unknown> unknowns_;
  JacobianPattern pattern_;
  DifferenceQuotients quotients_{0};
  JacobianCheck check_;
  Vector rounding_;  ///< [1/s]
  std::vector<AlgebraicPart> algebraic_;
  std::vector<TlmComponent*> settling_;
  std::vector<std::string> unsettled_;
};

}  // namespace davit
