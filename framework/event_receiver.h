#pragma once

#include <string_view>

#include "framework/fault.h"

namespace davit {

/// Something of a component that takes events by name, such as its chart.
class EventReceiver {
 public:
  /// Why the event is not taken; empty where it is.
  virtual Fault CheckEvent(std::string_view event) const = 0;
  /// Hands an event over, to be looked at when the receiver runs next; from any thread. False where it is
  /// unknown or there is no room for it.
  virtual bool PostEvent(std::string_view event) = 0;

 protected:
  ~EventReceiver() = default;
};

}  // namespace davit
