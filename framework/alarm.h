#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/archive.h"
#include "framework/component.h"

namespace davit {

enum class AlarmLevel : std::uint8_t { kNotify, kWarning, kError, kEmergency };

std::string_view ToText(AlarmLevel level);

/// A condition that calls for attention. Each change is written to the run log of the owner.
///
/// Set -> Acknowledge -> Clear in any order; setting a set alarm again changes nothing but the count.
class Alarm {
 public:
  Alarm(Component* owner, Text name, AlarmLevel level, Text text);
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  const Label& label() const { return label_; }
  AlarmLevel level() const { return level_; }
  bool is_set() const { return is_set_; }
  bool is_acknowledged() const { return is_acknowledged_; }
  /// How often Set was called since the last Reset.
  std::uint64_t count() const { return count_; }

  /// `detail` is added to the text of the alarm in the log.
  void Set(std::string_view detail = {});
  void Acknowledge();
  void Clear();
  void Reset();
  void ArchiveMemory(Archive& archive) { archive(is_set_, is_acknowledged_, count_); }

 private:
  void Log(std::string_view change, std::string_view detail) const;

  Component* owner_;
  Label label_;
  AlarmLevel level_;
  bool is_set_ = false;
  bool is_acknowledged_ = true;
  std::uint64_t count_ = 0;
};

}  // namespace davit
