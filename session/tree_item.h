#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "framework/system.h"

namespace davit {

/// One number or choice of the tree, found by its path: what can be read there, and what can be written. The
/// two may be different items: the pressure of a volume is read as an output and written as a start value.
///
/// Used by one thread at a time. The system must outlive it.
class TreeItem {
 public:
  /// Nothing where `path` names nothing that has a value; then `fault` says why.
  static std::optional<TreeItem> Find(System& system, std::string_view path, Fault* fault);

  const Item& item() const { return item_; }
  /// From below the root, as in results: `load.mass`.
  const std::string& path() const { return item_.path(); }
  /// SI; empty where it is dimensionless or has any unit.
  std::string unit() const { return item_.unit() == kAnyUnit ? std::string() : item_.unit(); }
  bool is_writable() const { return write_.has_value(); }
  /// Whether equations compute the value, so that a write to something else may change it.
  bool is_computed() const;

  /// The present value in SI; of a choice its number. NaN for a text.
  double Read() const { return item_.Read(); }
  /// The same as a user would write it, so that it can be read back: `5000 kg`, `Advanced`, `true`.
  std::string ToText() const { return item_.ReadText(); }

  /// Why `value` (SI, or the number of a choice) cannot be written during a run; empty if it can.
  Fault FaultOfWrite(double value) const { return write_ ? write_->item.Check(value) : refusal_; }
  /// The write of `value`. Allocates nothing; holds until the next one. Pre: FaultOfWrite(value) is empty.
  const Assignment& WriteOf(double value) {
    write_->number = value;
    return *write_;
  }
  /// The same as a value, for a write that comes later. Pre: FaultOfWrite(value) is empty.
  Assignment LaterWriteOf(double value) const { return {write_->item, value, {}}; }

 private:
  Item item_;
  std::optional<Assignment> write_;  ///< nothing: see refusal_
  Fault refusal_;                    ///< why it cannot be written
};

/// Writes a value at once, between two steps; before the run is initialised, as a value that the run begins
/// with.
void WriteNow(System& system, const Assignment& assignment);

}  // namespace davit
