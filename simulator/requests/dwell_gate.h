#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "framework/archive.h"

namespace davit {

class Component;

/// Keeps the switches that one chart asks for at least a time apart, for each component: what comes too early
/// waits, and of several requests for the same item the last one counts.
///
/// Call sequence: AddItem for each item that can be asked for, then, once a step, Ask as often as wanted and
/// TakeDue until it finds nothing.
class DwellGate {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// Returns the number of the item. `owner` is the component that it belongs to.
  std::size_t AddItem(const Component& owner);
  void set_time(double seconds) { dwell_ = seconds; }
  void Reset();
  void Ask(std::size_t item, double value);
  /// The next item, in the order of asking, whose component may switch at t, with the value asked for;
  /// kNone where there is none. Nothing else of this chart may switch the component before t plus the time.
  std::size_t TakeDue(double t, double* value);
  bool is_empty() const { return waiting_ == 0; }
  void ArchiveMemory(Archive& archive) { archive(last_, items_, waiting_, number_); }

 private:
  struct Item {
    std::uint64_t owner = 0;   ///< into last_
    std::uint64_t number = 0;  ///< in the order of asking; 0: nothing waits
    double value = 0;

    void ArchiveMemory(Archive& archive) { archive(owner, number, value); }
  };

  double dwell_ = 0;
  std::vector<const Component*> owners_;
  std::vector<double> last_;  ///< when each owner was last switched [s]
  std::vector<Item> items_;
  std::uint64_t waiting_ = 0;
  std::uint64_t number_ = 0;
};

}  // namespace davit
