#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "server/live_values.h"

namespace davit {

/// What one client wants of one node: how often, and what it has got already.
struct ValueSubscription {
  using Clock = std::chrono::steady_clock;
  static constexpr double kLeastFs = 1;
  static constexpr double kMostFs = 1000;
  static constexpr double kLeastSampleRate = 1e-6;

  double fs = 5;           ///< packets a second at most
  double sample_rate = 0;  ///< samples a second at most; 0: all
  bool is_once = false;    ///< ends with the first value
  bool has_sent = false;   ///< the client has a value
  bool is_text = false;
  Clock::time_point next = {};    ///< earliest time of the next packet
  std::uint64_t next_row = 0;     ///< the first that was not looked at
  std::uint64_t next_sample = 0;  ///< of wall time [ns]
  /// A sample that came too early for sample_rate. It is sent later, where no newer one takes its place.
  struct Held {
    std::uint64_t wall = 0;  ///< UTC [ns]
    double value = 0;
    Clock::time_point due;
  };
  std::optional<Held> held = {};
  std::uint64_t sent_bits = 0;              ///< the number that was sent last
  std::uint64_t sent_version = 0;           ///< of a text
  std::shared_ptr<const RowLayout> layout;  ///< for which `column` holds
  int column = -1;

  /// Where the value is in a row; -1 where it is not.
  int ColumnIn(const LiveRow& row, std::uint32_t node) {
    if (row.layout != layout) {
      layout = row.layout;
      column = layout->ColumnOf(node);
    }
    return column;
  }
  /// Whether a sample of this time and value is to be sent; it then counts as sent. One that comes too early
  /// is held.
  bool Takes(std::uint64_t wall, double value, Clock::time_point now) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (!has_sent || bits == sent_bits) held.reset();
    if (has_sent && bits == sent_bits) return false;
    if (has_sent && sample_rate > 0) {
      if (wall < next_sample) {
        const std::chrono::nanoseconds early(next_sample - wall);
        held = {wall, value, now + std::chrono::duration_cast<Clock::duration>(early)};
        return false;
      }
      const auto step = static_cast<std::uint64_t>(1e9 / sample_rate);
      next_sample = wall - next_sample < step ? next_sample + step : wall + step;
    } else if (sample_rate > 0) {
      next_sample = wall + static_cast<std::uint64_t>(1e9 / sample_rate);
    }
    held.reset();
    has_sent = true;
    sent_bits = bits;
    return true;
  }
  /// The sample that was held, when its time has come; it then counts as sent.
  std::optional<Held> TakeHeld(Clock::time_point now) {
    if (!held || now < held->due) return std::nullopt;
    sent_bits = std::bit_cast<std::uint64_t>(held->value);
    next_sample += static_cast<std::uint64_t>(1e9 / sample_rate);
    return std::exchange(held, std::nullopt);
  }
  /// A packet goes out now.
  void CountPacket(Clock::time_point now) {
    const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1 / fs));
    next = now - next < period ? next + period : now + period;
  }
};

}  // namespace davit
