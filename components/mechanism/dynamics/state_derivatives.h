#pragma once

#include <Eigen/Core>
#include <span>

#include "components/mechanism/dynamics/loop_derivatives.h"

namespace davit::multibody {

/// Derivatives of the rates of the states q and u of a mechanism over them. With q_p and u_p the states
/// projected onto closed loops, the rates are
///
///     N(q_p)*u_p - decay*(q - q_p),   u'(q_p, u_p) - decay*(u - u_p)
///
/// Call sequence: Begin, AddForce for each force that depends on the states, Finish. Nothing allocates after
/// construction.
class StateDerivatives {
 public:
  using Matrix = LoopDerivatives::Matrix;

  /// `tree` must outlive it.
  explicit StateDerivatives(const BodyTree& tree, bool has_loops);

  void Begin(const LoopDerivatives& known, std::span<const double> q_closed, std::span<const double> u_closed,
             double decay);
  /// Of a force that accelerates by `response`, and changes with the places and speeds of the states
  /// themselves, not with projected ones.
  template <class Response, class Row>
  void AddForce(const Response& response, const Row& by_place, const Row& by_speed) {
    u_by_place_.noalias() += response * by_place;
    u_by_u_.noalias() += response * by_speed;
  }
  void Finish(std::span<const double> q);

  /// Of the rates of q over q, and so on.
  const Matrix& q_by_q() const { return has_quaternions_ ? q_by_q_ : q_by_place_; }
  const Matrix& q_by_u() const { return q_by_u_; }
  const Matrix& u_by_q() const { return has_quaternions_ ? u_by_q_ : u_by_place_; }
  const Matrix& u_by_u() const { return u_by_u_; }
  /// The derivative over q_j of what has `row` over places.
  template <class Row>
  double ByPosition(const Row& row, std::size_t j) const {
    const auto column = static_cast<Eigen::Index>(j);
    return has_quaternions_ ? row.dot(place_by_q_.col(column)) : row[column];
  }

 private:
  const BodyTree& tree_;
  bool has_quaternions_, has_loops_;
  Matrix q_by_place_, q_by_u_, u_by_place_, u_by_u_;
  // With quaternions:
  Matrix q_by_q_, u_by_q_, place_by_q_, N_, rates_by_q_;
  Matrix moved_, shift_, shift_by_q_, closed_by_q_;  ///< of projections
};

}  // namespace davit::multibody
