#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// shift*I - J, factorised: dense below a number of unknowns, else sparse by KLU (T. A. Davis, E. Palamadai
/// Natarajan, Algorithm 907: KLU, ACM Trans. Math. Softw. 37, 2010), which looks for an order of elimination
/// once for each pattern.
///
/// Call sequence: Resize, then Factor, then Solve. Allocates in Resize of a sparse one only.
class IterationMatrix {
 public:
  /// Where sparse factors pay, ...
  static constexpr std::size_t kSparseFrom = 10;
  /// ... and where they do although each Resize allocates, if the number of unknowns can change.
  static constexpr std::size_t kSparseFromIfResized = 25;

  /// For `smallest` to `largest` unknowns.
  IterationMatrix(std::size_t smallest, std::size_t largest);
  ~IterationMatrix();
  IterationMatrix(const IterationMatrix&) = delete;
  IterationMatrix& operator=(const IterationMatrix&) = delete;

  /// Another pattern, which must stay where it is.
  void Resize(const JacobianPattern& pattern);
  /// `entries` are those of J, column by column. A singular matrix gives solutions that are not finite.
  void Factor(double shift, const std::vector<double>& entries);
  /// Writes the solution over the right-hand side, of as many numbers as there are unknowns.
  void Solve(double* b);
  /// About how many operations a Factor and `solves` calls of Solve take. Before the first Factor of a sparse
  /// one: an estimate.
  double Operations(int solves) const;
  /// After Factor: the factors, bit by bit.
  void ArchiveMemory(Archive& archive);

 private:
  struct Dense {
    explicit Dense(Eigen::Index n) : matrix(Eigen::MatrixXd::Zero(n, n)), solution(n), lu(n) {}
    Eigen::MatrixXd matrix;
    Eigen::VectorXd solution;
    Eigen::PartialPivLU<Eigen::MatrixXd> lu;
  };
  struct Sparse;

  const JacobianPattern* pattern_ = nullptr;
  std::size_t smallest_;
  std::size_t sparse_from_;
  std::deque<Dense> dense_;  ///< by number of unknowns
  Dense* in_use_ = nullptr;  ///< null: sparse
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace davit
