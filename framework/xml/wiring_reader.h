#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "framework/system.h"
#include "framework/xml/element_reader.h"

namespace davit {

/// The pass of loading that joins components: exposed names, connections and routes, and then what is missing
/// of them.
class WiringReader {
 public:
  WiringReader(System& system, ElementReader& reader) : system_(system), reader_(reader) {}

  void ReadExposes(const std::vector<Element>& exposes);
  void ReadConnects(const std::vector<Element>& connects);
  void ReadRoutes(const std::vector<Element>& routes);
  /// Mandatory ports and inputs that have nothing, unless it was refused with an error of its own.
  void CheckMandatory();
  /// Whether something that should lead to the component was refused, so that what it lacks is no fault of
  /// its own.
  bool IsExcused(const Component& component) const {
    return excused_.contains(&component) || IsWhollyExcused(component);
  }

 private:
  void CheckExposed(const Element& expose);
  /// A path leads nowhere and was reported: the components it may have been meant for are excused.
  void Excuse(const Component& scope, std::string_view path);
  bool IsWhollyExcused(const Component& component) const;
  std::optional<PortRef> FindEnd(const Element& connect, const char* attribute);
  void ReadRoute(const Element& element);

  System& system_;
  ElementReader& reader_;
  std::unordered_set<const Component*> excused_;         ///< parts of them
  std::unordered_set<const Component*> wholly_excused_;  ///< and everything inside them
  std::unordered_set<const PortBase*> excused_ports_;
  std::unordered_set<const InputDeclaration*> excused_inputs_;
};

}  // namespace davit
