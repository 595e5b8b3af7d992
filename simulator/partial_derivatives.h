#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "framework/signal.h"
#include "framework/state_slot.h"
#include "simulator/state_variable.h"

namespace davit {

/// Where a component writes the partial derivatives of its equations, in SI units, as far as it knows them:
/// DynamicSimComponent::WritePartials.
class PartialDerivatives {
 public:
  /// A number that evaluations read or write. A state that is written is its derivative.
  class Variable {
   public:
    // NOLINTBEGIN(google-explicit-constructor)
    Variable(const StateVariable& state) : Variable(state.slot()) {}
    Variable(const StateVariableArray::Element& element) : Variable(element.slot_) {}
    /// A variable of a bond.
    Variable(const double* variable) : at_(variable) {}
    Variable(const Output& output) : at_(output.id()) {}
    Variable(const Input& input) : at_(*static_cast<const double* const*>(input.id())) {}
    // NOLINTEND(google-explicit-constructor)
    explicit Variable(const StateSlot& slot) : at_(slot.memory), offset_(slot.offset) {}

    bool operator==(const Variable&) const = default;

   private:
    const void* at_;
    std::uint32_t offset_ = 0xFFFFFFFF;
  };

  /// d(written)/d(read), all other states and all that comes through ports and inputs held. Overwrites what
  /// was set for this pair. A pair that nobody asks for is ignored.
  void Set(const Variable& written, const Variable& read, double value) {
    if (next_ < calls_.size() && calls_[next_].written == written && calls_[next_].read == read) {
      *calls_[next_++].to = value;
    } else {
      *Find(written, read) = value;
    }
  }

  // For those who ask. Forget, then Want for each pair, then Begin before each WritePartials.

  void Forget();
  /// Where the derivative of a pair is to be written; the place must outlive its use.
  void Want(const Variable& written, const Variable& read, double* to);
  void Begin() { next_ = 0; }

 private:
  struct Pair {
    Variable written, read;
    double* to;
  };

  double* Find(const Variable& written, const Variable& read);

  std::vector<Pair> wanted_;
  /// The calls of Set in their order, as they were last time: it is mostly the same order.
  std::vector<Pair> calls_;
  std::size_t next_ = 0;
  double ignored_ = 0;
};

}  // namespace davit
