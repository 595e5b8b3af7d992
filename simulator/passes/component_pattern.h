#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace davit {

class Component;
struct ReachDeclaration;

/// What the equations of one component may read of the component itself, from what it has declared
/// (DynamicSimComponent::Reads): the structure of the blocks that its Jacobian is made of.
///
/// States are numbered among all of the component that its structure has (StateDeclaration::is_active), in
/// the order of their declaration, whether they are in use or not. Inputs, outputs and ports are named by
/// their ids. What was not declared reads everything. Time and memory are linear in the states and in what is
/// declared to be read; without a declaration they are linear in the states, too.
class ComponentPattern {
 public:
  /// Pre: the component is configured, its arrays have their sizes; it outlives the pattern.
  explicit ComponentPattern(const Component& component);

  /// How many states there are.
  std::size_t size() const { return rows_.size(); }
  /// The component's own block: the states that the derivative (or residual) of `state` may read while
  /// nothing outside of the component changes, ascending; `state` itself is always among them.
  std::span<const std::uint32_t> StatesReadBy(std::size_t state) const {
    return std::span(columns_).subspan(rows_[state].begin, rows_[state].count);
  }
  /// The sum of the above over all states: their number squared where nothing is declared.
  std::size_t nonzeros() const;

  /// The states whose derivative may read an input or a port, ascending.
  std::vector<std::uint32_t> StatesReading(const void* item) const;
  /// The states that an output or what is written at a port may read, ascending.
  std::vector<std::uint32_t> StatesReadAt(const void* written) const;
  /// Whether an output or what is written at a port may read an input or a port directly: not through states.
  bool Reads(const void* written, const void* item) const;

 private:
  struct Row {
    std::size_t begin = 0;
    std::size_t count = 0;
  };

  const ReachDeclaration* FindReach(const void* reader) const;

  const Component& component_;
  std::vector<std::uint32_t> first_;  ///< by declaration of states: the number of its first, and the end
  std::vector<const ReachDeclaration*> reaches_;  ///< by declaration of states; null: it reads everything
  std::unordered_map<const void*, const ReachDeclaration*> reach_of_;  ///< by reader
  std::vector<Row> rows_;
  std::vector<std::uint32_t> columns_;  ///< of all rows; those that are full share one list
};

}  // namespace davit
