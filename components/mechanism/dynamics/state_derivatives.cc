#include "components/mechanism/dynamics/state_derivatives.h"

namespace davit::multibody {
namespace {

/// Of the rates of a quaternion (w, x, y, z) over the angular velocity in the frame of the body.
Eigen::Matrix<double, 4, 3> RatesOfQuaternion(const double* q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  Eigen::Matrix<double, 4, 3> rates;
  rates << -x, -y, -z, w, -z, y, z, w, -x, -y, x, w;
  return rates / 2;
}

/// Of these rates over the quaternion, at the angular velocity u.
Eigen::Matrix4d RatesByQuaternion(const double* u) {
  const double a = u[0], b = u[1], c = u[2];
  Eigen::Matrix4d rates;
  rates << 0, -a, -b, -c, a, 0, c, -b, b, -c, 0, a, c, b, -a, 0;
  return rates / 2;
}

/// Calls use(place of the quaternion in q, place of its angular velocity in u).
template <class Use>
void ForEachQuaternion(const BodyTree& tree, const Use& use) {
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const BodyTree::Link& link = tree[i];
    if (!link.joint.has_quaternion()) continue;
    const std::size_t begin = link.joint.quaternion_begin();
    use(static_cast<Eigen::Index>(link.position_begin + begin),
        static_cast<Eigen::Index>(link.speed_begin + begin));
  }
}

}  // namespace

StateDerivatives::StateDerivatives(const BodyTree& tree, bool has_loops)
    : tree_(tree), has_quaternions_(tree.positions() != tree.speeds()), has_loops_(has_loops) {
  const auto n = static_cast<Eigen::Index>(tree.speeds()), m = static_cast<Eigen::Index>(tree.positions());
  u_by_place_.setZero(n, n);
  u_by_u_.setZero(n, n);
  q_by_place_.setZero(m, n);
  q_by_u_.setIdentity(m, n);
  if (has_loops) {
    moved_.setZero(n, n);
    shift_.setZero(n, n);
  }
  if (!has_quaternions_) return;
  q_by_q_.setZero(m, m);
  u_by_q_.setZero(n, m);
  place_by_q_.setZero(n, m);
  N_.setZero(m, n);
  rates_by_q_.setZero(m, m);
  if (has_loops) {
    closed_by_q_.setZero(m, m);
    shift_by_q_.setZero(n, m);
  }
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const BodyTree::Link& link = tree[i];
    const std::size_t plain =
        link.joint.has_quaternion() ? link.joint.quaternion_begin() : link.joint.speeds();
    for (std::size_t k = 0; k < plain; ++k) {
      const auto q = static_cast<Eigen::Index>(link.position_begin + k);
      const auto u = static_cast<Eigen::Index>(link.speed_begin + k);
      N_(q, u) = place_by_q_(u, q) = 1;
    }
  }
}

void StateDerivatives::Begin(const LoopDerivatives& known, std::span<const double> q_closed,
                             std::span<const double> u_closed, double decay) {
  if (has_quaternions_) {
    ForEachQuaternion(tree_, [&](Eigen::Index q, Eigen::Index u) {
      N_.block<4, 3>(q, u) = RatesOfQuaternion(&q_closed[static_cast<std::size_t>(q)]);
      rates_by_q_.block<4, 4>(q, q) = RatesByQuaternion(&u_closed[static_cast<std::size_t>(u)]);
    });
  }
  if (!has_loops_) {
    u_by_place_ = known.by_place();
    u_by_u_ = known.by_speed();
    if (has_quaternions_) q_by_u_ = N_;
    return;
  }
  shift_ = known.projector();
  shift_.diagonal().array() -= 1;
  u_by_place_.noalias() = known.by_place() * known.projector();
  u_by_place_.noalias() += known.by_speed() * known.speed_by_place();
  u_by_place_ += decay * known.speed_by_place();
  u_by_u_.noalias() = known.by_speed() * known.projector();
  u_by_u_ += decay * shift_;
  moved_ = known.speed_by_place() + decay * shift_;
  if (!has_quaternions_) {
    q_by_place_ = moved_;
    q_by_u_ = known.projector();
    return;
  }
  q_by_place_.noalias() = N_ * moved_;
  q_by_u_.noalias() = N_ * known.projector();
}

void StateDerivatives::Finish(std::span<const double> q) {
  if (!has_quaternions_) return;
  ForEachQuaternion(tree_, [&](Eigen::Index from, Eigen::Index u) {
    const double* quaternion = &q[static_cast<std::size_t>(from)];
    const double square = Eigen::Map<const Eigen::Vector4d>(quaternion).squaredNorm();
    place_by_q_.block<3, 4>(u, from) = 4 / square * RatesOfQuaternion(quaternion).transpose();
  });
  u_by_q_.noalias() = u_by_place_ * place_by_q_;
  q_by_q_ = rates_by_q_;
  if (!has_loops_) return;
  // Projected positions move on by N times the projected places.
  q_by_q_.noalias() += q_by_place_ * place_by_q_;
  shift_by_q_.noalias() = shift_ * place_by_q_;
  closed_by_q_.noalias() = N_ * shift_by_q_;
  q_by_q_.noalias() += rates_by_q_ * closed_by_q_;
}

}  // namespace davit::multibody
