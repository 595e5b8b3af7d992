#pragma once

#include "framework/diagnostics.h"

namespace davit {

class Island;

/// Looks whether the equations of a DAE island determine its unknowns, that is the derivatives of its
/// differential states and its algebraic variables; what is wrong goes to `diagnostics`.
///
/// First by structure: which equation contains which unknown is found by probing each unknown at three random
/// points near the start values, along the connections of the order of evaluation. A maximum matching
/// must pair all of them (A. L. Dulmage, N. S. Mendelsohn, Coverings of bipartite graphs, Canad. J. Math. 10,
/// 1958). Then by number, at the start values, up to kMostDense unknowns: with E = dF/dy', A = dF/dy and
/// bases Z, N of the left and right kernel of E, the index is 1 exactly if Z^T A N is regular (R. März,
/// Numerical methods for differential algebraic equations, Acta Numerica 1, 1992).
///
/// Everything is evaluated at `t` with the start values in place.
class DaeCheck {
 public:
  static constexpr int kMostDense = 200;

  DaeCheck(Island& island, double t, Diagnostics& diagnostics)
      : island_(island), t_(t), diagnostics_(diagnostics) {}
  void Run();

 private:
  bool HasAllEquations();
  bool IsStructurallyRegular();
  void CheckNumbers();

  Island& island_;
  double t_;
  Diagnostics& diagnostics_;
};

}  // namespace davit
