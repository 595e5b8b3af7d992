#pragma once

#include <cstdint>

#include "framework/alarm.h"
#include "framework/item.h"
#include "simulator/simulator_manager.h"

namespace davit {

/// A number of the running system that may be published: an item, whether an alarm is set, the time.
class ValueSource {
 public:
  explicit ValueSource(const Item& item) : item_(&item) {}
  enum class OfAlarm : std::uint8_t { kIsSet, kIsAcknowledged };
  ValueSource(const Alarm& alarm, OfAlarm what) : alarm_(&alarm), what_(what) {}
  /// The simulated time [s].
  explicit ValueSource(const SimulatorManager& manager) : manager_(&manager) {}

  /// In the thread that drives. Allocates nothing.
  double Read() const {
    if (item_ != nullptr) return item_->Read();
    if (manager_ != nullptr) return manager_->time();
    return (what_ == OfAlarm::kIsSet ? alarm_->is_set() : alarm_->is_acknowledged()) ? 1 : 0;
  }

 private:
  const Item* item_ = nullptr;
  const Alarm* alarm_ = nullptr;
  OfAlarm what_ = OfAlarm::kIsSet;
  const SimulatorManager* manager_ = nullptr;
};

}  // namespace davit
