#include "components/mechanism/dynamics/assembly.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace davit::multibody {
namespace {

constexpr int kMostSteps = 50;
constexpr double kClosed = 1e-12;      // [m], or sine of an angle: where the search ends
constexpr double kGoodEnough = 1e-10;  // what rounding leaves of places some metres away
constexpr double kRedundant = 1e-8;    // share of the largest pivot
constexpr double kLongestMove = 0.5;   // [m] or [rad] in one step

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The equations of all loops at one state.
struct Equations {
  Eigen::VectorXd phi, rate;
  RowMatrix J;
  std::vector<std::size_t> loop_of;
  std::vector<bool> is_angle;
};

Equations Evaluate(TreeDynamics& dynamics, std::span<const Loop> loops, const MovingBase& base,
                   std::span<const double> q, std::span<const double> u) {
  dynamics.MoveTo(base, q, u);
  Equations all;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    for (const LoopEquation& equation : loops[l].equations()) {
      all.loop_of.push_back(l);
      all.is_angle.push_back(equation.form == LoopEquation::Form::kNormal);
    }
  }
  const auto n = static_cast<Eigen::Index>(all.loop_of.size());
  all.phi.resize(n);
  all.rate.resize(n);
  all.J.setZero(n, static_cast<Eigen::Index>(u.size()));
  Eigen::Index i = 0;
  for (const Loop& loop : loops) {
    for (const LoopEquation& equation : loop.equations()) {
      const LoopValue value(equation, AnchorMotion(dynamics, loop.a()), AnchorMotion(dynamics, loop.b()));
      all.phi[i] = value.phi;
      all.rate[i] = value.rate;
      const std::span<double> row(all.J.data() + i * all.J.cols(), u.size());
      AddBodyRow(dynamics, loop.b().body, value.on_b, 1, row);
      AddBodyRow(dynamics, loop.a().body, value.on_b, -1, row);
      ++i;
    }
  }
  return all;
}

/// x of least norm with J*x closest to `right`, 0 for what is held.
Eigen::VectorXd Solve(RowMatrix J, const std::vector<bool>& is_held, const Eigen::VectorXd& right) {
  if (J.cols() == 0) return Eigen::VectorXd(0);
  for (std::size_t k = 0; k < is_held.size(); ++k) {
    if (is_held[k]) J.col(static_cast<Eigen::Index>(k)).setZero();
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition(J.rows(), J.cols());
  decomposition.setThreshold(kRedundant);
  decomposition.compute(J);
  return decomposition.solve(right);
}

/// q moved by what speeds `move` would do in unit time, quaternions of unit length.
std::vector<double> Moved(const BodyTree& tree, std::span<const double> q, const Eigen::VectorXd& move) {
  std::vector<double> moved(q.begin(), q.end()), rates(q.size());
  tree.FillRates(q, {move.data(), static_cast<std::size_t>(move.size())}, rates);
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += rates[i];
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const Joint& joint = tree[i].joint;
    if (!joint.has_quaternion()) continue;
    Eigen::Map<Eigen::Vector4d>(&moved[tree[i].position_begin + joint.quaternion_begin()]).normalize();
  }
  return moved;
}

double Largest(const Eigen::VectorXd& phi) { return phi.size() == 0 ? 0 : phi.cwiseAbs().maxCoeff(); }

}  // namespace

AssemblyResult Assemble(TreeDynamics& dynamics, std::span<const Loop> loops, const MovingBase& base,
                        const HeldStart& held, std::span<double> q, std::span<double> u) {
  const BodyTree& tree = dynamics.tree();
  Equations all = Evaluate(dynamics, loops, base, q, u);
  if (all.phi.size() == 0) return {};
  for (int step = 0; step < kMostSteps && Largest(all.phi) > kClosed; ++step) {
    Eigen::VectorXd move = Solve(all.J, held.positions, -all.phi);
    const double longest = Largest(move);
    if (!(longest > 0) || !std::isfinite(longest)) break;
    move *= std::min(1.0, kLongestMove / longest);
    bool is_nearer = false;
    for (int half = 0; half < 10 && !is_nearer; ++half, move /= 2) {
      const std::vector<double> tried = Moved(tree, q, move);
      Equations there = Evaluate(dynamics, loops, base, tried, u);
      is_nearer = there.phi.norm() < all.phi.norm();
      if (!is_nearer) continue;
      std::ranges::copy(tried, q.begin());
      all = std::move(there);
    }
    if (!is_nearer) break;
  }
  const auto ended = [&](AssemblyResult::End end, const Eigen::VectorXd& errors) {
    Eigen::Index worst = 0;
    const double error = errors.cwiseAbs().maxCoeff(&worst);
    const auto i = static_cast<std::size_t>(worst);
    return AssemblyResult{
        .end = end, .worst_loop = all.loop_of[i], .error = error, .is_angle = all.is_angle[i]};
  };
  if (!(Largest(all.phi) <= kGoodEnough)) return ended(AssemblyResult::End::kOpen, all.phi);
  const Eigen::VectorXd change = Solve(all.J, held.speeds, -all.rate);
  const Eigen::VectorXd rate = all.rate + all.J * change;
  double fastest = 0;
  for (std::size_t k = 0; k < u.size(); ++k) {
    u[k] += change[static_cast<Eigen::Index>(k)];
    fastest = std::max(fastest, std::abs(u[k]));
  }
  const bool stays = Largest(rate) <= kGoodEnough * (1 + fastest);
  return ended(stays ? AssemblyResult::End::kClosed : AssemblyResult::End::kMoving, stays ? all.phi : rate);
}

}  // namespace davit::multibody
