#pragma once

#include <cstdint>

#include "framework/archive.h"
#include "framework/port.h"

namespace davit {

/// A TlmComponent with two ends that may take their steps in two processes: a line. A wave that leaves one
/// end is needed at the other one some steps later, so it can be sent ahead.
///
/// Call sequence: KeepEnd once, between two steps; then in each step TakeWave if a wave has come, the step of
/// the component, and leaving_wave.
class SplitLine {
 public:
  enum class End : std::uint8_t { kA, kB };

  virtual ~SplitLine() = default;
  virtual const PortBase& PortOf(End end) const = 0;
  /// How many steps later than it leaves one end a wave is taken at the other; after Reset. With 0 the line
  /// is too short to be split.
  virtual std::uint64_t steps_ahead() const = 0;
  /// From here on the component is this end alone. The waves that are on their way are known.
  virtual void KeepEnd(End end) = 0;
  /// The wave that has left the own end in the last step.
  virtual double leaving_wave() const = 0;
  /// Before a step: the wave that has left the other end steps_ahead() steps before it. Not called in the
  /// first steps_ahead() steps after KeepEnd.
  virtual void TakeWave(double wave) = 0;
  /// The memory of one end.
  virtual void ArchiveEnd(Archive& archive, End end) = 0;
  /// The memory of both ends is known: outputs are those of the whole line.
  virtual void ShowBothEnds() = 0;
};

}  // namespace davit
