#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "framework/command.h"
#include "simulator/requests/dwell_gate.h"

namespace davit {

/// Somebody in the run who asks for something at step points: a chart. Its requests for levels and aspects
/// wait in its gate for their time.
class Requester {
 public:
  Requester() = default;
  Requester(const Requester&) = delete;
  Requester& operator=(const Requester&) = delete;

  /// For the log: where it is in the tree.
  virtual std::string sender() const = 0;
  /// Whether its switches of one component are kept a time apart.
  virtual bool has_dwell() const = 0;
  /// Whether its requests for levels count where levels="scheduled" drops those of charts.
  virtual bool chooses_levels() const = 0;
  /// What an item of the gate means.
  virtual const Item& GateItem(std::size_t gate_item) const = 0;

  DwellGate& gate() { return gate_; }

 protected:
  ~Requester() = default;

  DwellGate gate_;
};

/// What a Requester asks for: that a number is written (`item` is not null) or a message sent. Small, and
/// without memory of its own: it is made in a step.
struct AskedRequest {
  Requester* sender = nullptr;
  std::uint32_t rank = 0;    ///< of the sender among all: by path
  std::uint32_t number = 0;  ///< in the order of asking
  const Item* item = nullptr;
  std::size_t gate_item = 0;  ///< of `item`, where that is a level or an aspect
  double value = 0;           ///< in SI, or the position of an option
  MessageCall message = {};
};

}  // namespace davit
