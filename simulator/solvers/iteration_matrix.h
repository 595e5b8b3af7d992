#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/jacobian_pattern.h"
#include "simulator/solvers/masked_lu.h"

namespace davit {

/// shift*I - J, factorised: by MaskedLu up to a number of unknowns, else by KLU (T. A. Davis, E. Palamadai
/// Natarajan, Algorithm 907: KLU, ACM Trans. Math. Softw. 37, 2010), which looks for an order of elimination
/// once for each pattern.
///
/// Call sequence: Resize, then Factor, then Solve. The first Resize allocates; patterns after it
/// are parts of its pattern.
class IterationMatrix {
 public:
  /// The number of unknowns from which KLU takes over.
  static constexpr std::size_t kSparseFrom = MaskedLu::kMost + 1;

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
  struct Sparse;

  const JacobianPattern* pattern_ = nullptr;
  MaskedLu small_;
  bool is_small_ = true;
  std::unique_ptr<Sparse> sparse_;
};

}  // namespace davit
