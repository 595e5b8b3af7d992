#include "simulator/declared_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace davit {
namespace {

const StateDeclaration* FindState(const Declarations& all, const void* id) {
  const auto it = std::ranges::find(all.states, id, &StateDeclaration::id);
  return it == all.states.end() ? nullptr : &*it;
}

bool IsPort(const Declarations& all, const void* id) {
  return std::ranges::find(all.ports, id, &PortDeclaration::port) != all.ports.end();
}

bool IsInput(const Declarations& all, const void* id) {
  return std::ranges::any_of(all.inputs, [&](const InputDeclaration& input) {
    return id == (input.is_array ? static_cast<const void*>(input.sources) : input.source);
  });
}

/// The name of whatever reads; throws where it is nothing of the component that can.
std::string_view NameOfReader(const Declarations& all, const void* id) {
  if (const StateDeclaration* state = FindState(all, id)) return state->label.name;
  for (const PortDeclaration& port : all.ports) {
    if (id == port.port) return port.label.name;
  }
  for (const OutputDeclaration& output : all.outputs) {
    if (id == output.value) return output.label.name;
  }
  throw std::logic_error("Reads of something that is not a state, output or port of this component");
}

void CheckReach(const Declarations& all, const ReachDeclaration& reach) {
  const std::string_view name = NameOfReader(all, reach.reader);
  const StateDeclaration* reader = FindState(all, reach.reader);
  for (const Reach& read : reach.reads) {
    const StateDeclaration* state = FindState(all, read.of.id());
    if (state == nullptr && !IsPort(all, read.of.id()) && !IsInput(all, read.of.id())) {
      throw std::logic_error(fmt::format(
          "Reads of {}: it reads something that is not a state, input or port of this component", name));
    }
    const bool reads_around =
        reader != nullptr && reader->is_array && state != nullptr && state->is_array && !read.of.elements();
    const bool has_offsets = read.from != 0 || read.to != 0 || read.wraps;
    if (has_offsets && !reads_around) {
      throw std::logic_error(
          fmt::format("Reads of {}: offsets are for an array that reads elements of an array", name));
    }
    if (read.from > read.to) {
      throw std::logic_error(
          fmt::format("Reads of {}: from = {} is above to = {}", name, read.from, read.to));
    }
    if (read.by != Elements::kAll && (reader == nullptr || !reader->is_array)) {
      throw std::logic_error(
          fmt::format("Reads of {}: it is not an array and has no first or last element", name));
    }
  }
}

}  // namespace

void DeclareReach(Declarations& all, ReachDeclaration reach) {
  CheckReach(all, reach);
  std::erase_if(all.reaches, [&](const ReachDeclaration& old) { return old.reader == reach.reader; });
  all.reaches.push_back(std::move(reach));
}

}  // namespace davit
