#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "expressions/expression_states.h"

namespace davit {

/// A set of states as bits. A StateId is the place of a state in document order; the `<scxml>` element itself
/// is state 0. Its memory is taken once by Resize.
class StateSet {
 public:
  StateSet() = default;
  explicit StateSet(std::size_t states) { Resize(states); }

  void Resize(std::size_t states) { words_.assign((states + kBits - 1) / kBits, 0); }
  void Clear() {
    for (std::uint64_t& word : words_) word = 0;
  }
  void Insert(StateId state) { words_[state / kBits] |= Bit(state); }
  void Erase(StateId state) { words_[state / kBits] &= ~Bit(state); }
  bool Contains(StateId state) const { return (words_[state / kBits] & Bit(state)) != 0; }
  bool is_empty() const {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }

  /// Whether a state of [begin, end) is in the set.
  bool ContainsAny(StateId begin, StateId end) const {
    if (begin >= end) return false;
    const std::size_t last = (end - 1) / kBits;
    for (std::size_t i = begin / kBits; i <= last; ++i) {
      if ((words_[i] & Mask(i, begin, end)) != 0) return true;
    }
    return false;
  }

  /// Adds the states of `other` that lie in [begin, end); both sets have the same size.
  void InsertRange(const StateSet& other, StateId begin, StateId end) {
    if (begin >= end) return;
    const std::size_t last = (end - 1) / kBits;
    for (std::size_t i = begin / kBits; i <= last; ++i) words_[i] |= other.words_[i] & Mask(i, begin, end);
  }

  /// Calls `visit(StateId)` in document order. The set may lose states meanwhile; those ahead in the same
  /// word are still visited.
  template <class Visit>
  void ForEach(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(static_cast<StateId>(i * kBits) + static_cast<StateId>(std::countr_zero(word)));
      }
    }
  }
  /// As ForEach, in reverse document order.
  template <class Visit>
  void ForEachReverse(Visit visit) const {
    for (std::size_t i = words_.size(); i-- > 0;) {
      for (std::uint64_t word = words_[i]; word != 0;) {
        const int bit = 63 - std::countl_zero(word);
        word ^= std::uint64_t{1} << bit;
        visit(static_cast<StateId>(i * kBits) + static_cast<StateId>(bit));
      }
    }
  }

  /// 64 states a word, the first state in the lowest bit.
  std::span<const std::uint64_t> words() const { return words_; }
  std::span<std::uint64_t> words() { return words_; }

  bool operator==(const StateSet&) const = default;

 private:
  static constexpr StateId kBits = 64;
  static std::uint64_t Bit(StateId state) { return std::uint64_t{1} << (state % kBits); }
  /// The bits of word `i` that lie in [begin, end).
  static std::uint64_t Mask(std::size_t i, StateId begin, StateId end) {
    std::uint64_t mask = ~std::uint64_t{0};
    if (i == begin / kBits) mask <<= begin % kBits;
    if (i == (end - 1) / kBits) mask &= ~std::uint64_t{0} >> (kBits - 1 - (end - 1) % kBits);
    return mask;
  }

  std::vector<std::uint64_t> words_;
};

}  // namespace davit
