#pragma once

#include <string_view>

#include "framework/archive.h"

namespace davit {

/// Something that takes part in a run and is no component, such as the statecharts of a system: it hears
/// events and belongs to snapshots.
class RunPart {
 public:
  virtual ~RunPart() = default;
  /// Under which its memory stands in a snapshot; no two parts of a run have the same.
  virtual std::string_view name() const = 0;
  /// An event for everybody, such as `operator.lift` or `budget.overrun`; between two steps.
  virtual void OnEvent(std::string_view /*event*/) {}
  /// Lists all that it remembers from step to step. When loading, components and solvers have theirs already.
  virtual void ArchiveMemory(Archive& archive) = 0;
};

}  // namespace davit
