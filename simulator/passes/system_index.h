#pragma once

#include <cstdint>
#include <vector>

#include "framework/system.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// No component, member or evaluation.
inline constexpr std::uint32_t kNoNumber = ~0U;

/// At what a route begins.
enum class RouteSource : std::uint8_t { kOutput, kParameter, kState, kDerivative };
RouteSource SourceOf(const Route& route);

/// The components of a system that are simulated, numbered in the order of the file, with the routes and
/// connections of each. Routes and connections keep the numbers they have in the system.
///
/// What the passes of BuildNetwork read; the system must outlive it and must not change. Components that
/// another one steps (ModelEntry::is_stepped_by_another) are not in it, nor what leads to them.
class SystemIndex {
 public:
  explicit SystemIndex(const System& system);

  std::uint32_t size() const { return static_cast<std::uint32_t>(components_.size()); }
  DynamicSimComponent& component(std::uint32_t i) const { return *components_[i]; }
  bool HasPorts(std::uint32_t i) const { return !components_[i]->declarations().ports.empty(); }

  std::uint32_t route_count() const { return static_cast<std::uint32_t>(from_.size()); }
  const Route& route(std::uint32_t r) const { return *routes_[r]; }
  /// The component at which a route begins; kNoNumber for one that is not simulated, such as a statechart,
  /// whose outputs change at step points only.
  std::uint32_t From(std::uint32_t r) const { return from_[r]; }
  std::uint32_t To(std::uint32_t r) const { return to_[r]; }
  const std::vector<std::uint32_t>& RoutesFrom(std::uint32_t i) const { return routes_from_[i]; }

  std::uint32_t connection_count() const { return static_cast<std::uint32_t>(c_side_.size()); }
  const Connection& connection(std::uint32_t c) const { return *connections_[c]; }
  std::uint32_t CSide(std::uint32_t c) const { return c_side_[c]; }
  std::uint32_t QSide(std::uint32_t c) const { return q_side_[c]; }
  const std::vector<std::uint32_t>& ConnectionsOf(std::uint32_t i) const { return connections_of_[i]; }
  /// The component at the other end of a connection of component `i`.
  std::uint32_t Partner(std::uint32_t c, std::uint32_t i) const {
    return c_side_[c] == i ? q_side_[c] : c_side_[c];
  }

  /// Reports an error at component `i`.
  void Refuse(std::uint32_t i, std::string_view text, Diagnostics& diagnostics) const;

 private:
  std::vector<DynamicSimComponent*> components_;
  std::vector<const Route*> routes_;
  std::vector<const Connection*> connections_;
  std::vector<std::uint32_t> from_, to_;                    ///< by route
  std::vector<std::uint32_t> c_side_, q_side_;              ///< by connection
  std::vector<std::vector<std::uint32_t>> routes_from_;     ///< by component
  std::vector<std::vector<std::uint32_t>> connections_of_;  ///< by component
};

/// The output at which a route begins. Pre: it begins at an output.
const OutputDeclaration& OutputOf(const Route& route);

}  // namespace davit
