#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "framework/system.h"
#include "framework/tree/assignment.h"
#include "framework/tree/variable.h"

namespace davit {

/// One number or choice of the tree, found by its path: what can be read of it, and what can be written.
///
/// Used by one thread at a time. The system must outlive it.
class TreeItem {
 public:
  /// Nothing where `path` names nothing that has a value; then `fault` says what is
  /// wrong; what would be right.
  static std::optional<TreeItem> Find(System& system, std::string_view path, std::string* fault);

  /// From below the root, as in results: `load.mass`.
  const std::string& path() const { return path_; }
  /// SI; empty where it is dimensionless or has any unit.
  std::string_view unit() const;
  bool is_writable() const { return write_.has_value(); }

  /// The present value in SI; of a choice its number. NaN for a text.
  double Read() const;
  /// The same as a user would write it, so that it can be read back: `5000 kg`, `Advanced`, `true`.
  std::string ToText() const;

  /// Why `value` (SI, or the number of a choice) cannot be written during a run; what would be right. Empty
  /// if it can.
  std::string FaultOfWrite(double value) const;
  /// The write of `value`. Allocates nothing; holds until the next one. Pre: FaultOfWrite(value) is empty.
  const Assignment& WriteOf(double value);
  /// The same with its text, for a write that comes later. Pre: FaultOfWrite(value) is empty.
  Assignment LaterWriteOf(double value) const;

 private:
  std::string ToText(double value) const;

  std::string path_;
  std::optional<Variable> variable_;        ///< nothing for a property that is not recorded
  const PropertyBase* property_ = nullptr;  ///< of one that is a property, live or structural
  std::optional<Assignment> write_;         ///< nothing: see refusal_
  std::string refusal_;                     ///< why it cannot be written; what would be right
};

/// Writes a value at once, between two steps; before the run is initialised, as a value that the run begins
/// with. What has the value already is left alone, so that no solver restarts.
void WriteNow(System& system, const Assignment& assignment);

}  // namespace davit
