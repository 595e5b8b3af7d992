#pragma once

#include <functional>

namespace davit {

/// Sees the solution of an island, piece by piece.
class SolutionWatch {
 public:
  virtual ~SolutionWatch() = default;
  /// The solution from `begin` to `end` [s], the end of the last piece and a later time. Inside it is smooth:
  /// pieces end at steps of the solver, at step points and at events. `starts_anew`: states may have jumped
  /// at the beginning. `show` makes all values of the members those of a time within the piece, at its ends
  /// those of the inside.
  virtual void OnPiece(double begin, double end, bool starts_anew,
                       const std::function<void(double)>& show) = 0;
};

}  // namespace davit
