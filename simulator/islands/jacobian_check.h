#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "framework/archive.h"
#include "simulator/solvers/integrator.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// Compares Jacobians, now and then, with the equations they belong to: a reach that was declared too small,
/// or a component that reads another one by a way of its own, makes steps small and errors large, and nothing
/// else would tell.
///
/// The product with a vector v is compared with one difference of all equations along v. Kinks make that
/// differ, too; only where some equation then turns out to read an unknown outside of the pattern there is a
/// fault.
class JacobianCheck {
 public:
  /// An equation reads an unknown that the pattern does not have.
  struct Fault {
    std::size_t equation = 0;
    std::size_t unknown = 0;
  };
  /// Writes all equations with the unknowns `y`.
  using Equations = std::function<void(const double* y, double* values)>;

  /// Sizes the work space.
  void Reserve(std::size_t most) {
    for (std::vector<double>* v : {&shifted_, &above_, &below_, &product_, &terms_}) v->reserve(most);
  }
  /// A run begins: it looks when the first one did, and costs the same.
  void Begin() { count_ = 0; }
  /// Whether it is time to look: at the first Jacobian, and then at every kInterval-th.
  bool IsDue() { return count_++ % kInterval == 0; }
  /// When it looks is part of what a run costs, by which method auto chooses.
  void ArchiveMemory(Archive& archive) { archive(count_); }
  /// Adds to `cost` the evaluations it has taken.
  std::optional<Fault> Look(const LinearizationPoint& point, const JacobianPattern& pattern,
                            const double* entries, const Equations& equations, double& cost);

 private:
  static constexpr std::size_t kInterval = 200;

  std::optional<Fault> FindOutside(const LinearizationPoint& point, const JacobianPattern& pattern,
                                   const Equations& equations, double& cost);

  std::size_t count_ = 0;
  std::vector<double> shifted_, above_, below_, product_, terms_;
};

}  // namespace davit
