#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace davit {

class Input;
class InputArray;
class PortBase;

/// Some elements of an array, or all of them.
enum class Elements : std::uint8_t { kAll, kFirst, kLast };

/// What an equation can read of its component: a state, an array of states or some elements of it
/// (`u.last()`), an input, a port.
class Readable {
 public:
  Readable(const Input& input);       // NOLINT(google-explicit-constructor)
  Readable(const InputArray& input);  // NOLINT(google-explicit-constructor)
  Readable(const PortBase& port);     // NOLINT(google-explicit-constructor)
  /// `id` is that of the declaration. Without `elements` of an array: those around the one that reads.
  explicit Readable(const void* id, std::optional<Elements> elements = {}) : id_(id), elements_(elements) {}

  const void* id() const { return id_; }
  std::optional<Elements> elements() const { return elements_; }

 private:
  const void* id_;
  std::optional<Elements> elements_;
};

/// How far into its component an equation reads, by name, as in `{.of = u, .from = -1, .to = 1}`: the
/// equation of element i of an array reads the elements i-1 to i+1 of u, as far as they exist.
///
/// | reader | `.of = u`, an array | `.of = u.first()`, `u.last()`, `u.all()` | of a state, an input, a port |
/// | --- | --- | --- | --- |
/// | an array | u[i+from] ... u[i+to] | these elements, whatever i is | it |
/// | all else | all elements | these elements | it |
struct Reach {
  Readable of;
  std::int32_t from = 0;
  std::int32_t to = 0;
  Elements by = Elements::kAll;  ///< which elements of the array that reads
  bool wraps = false;            ///< beyond an end of `of` it continues at the other: a ring
};

/// All that one equation, or what a component writes at one place, may read.
struct ReachDeclaration {
  const void* reader = nullptr;  ///< the id of a state, an array of states, an output or a port
  std::vector<Reach> reads;
  /// In place of the states in `reads`, where all equations are known: by element of the reader (of all else:
  /// one) where its states begin in the list, and the end; then the list, ascending for each element. States
  /// are numbered as the component declares them, without those that its structure does not have.
  std::vector<std::size_t> begin = {};
  std::vector<std::uint32_t> states = {};
};

}  // namespace davit
