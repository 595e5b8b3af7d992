#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace davit {

/// Finds out from the periods of 1/fs whether a run keeps pace with real time. One period that is late means
/// little, so it has hold times: the run falls behind where kManyMissed periods of a simulated second were
/// missed (all of them, where a second has fewer), and keeps pace where none was missed for kCalmTime.
class RealTimeWatch {
 public:
  static constexpr std::size_t kManyMissed = 5;
  static constexpr double kCalmTime = 5;  ///< simulated [s]

  enum class Finding : std::uint8_t {
    kOpen,  ///< neither; what was found before holds
    kFallsBehind,
    kKeepsPace,
  };

  void Reset() { *this = {}; }
  /// A period has ended, in time or not; `fs` is the number of periods in a simulated second, > 0.
  Finding Report(bool is_missed, double fs);

 private:
  std::uint64_t periods_ = 0;
  std::uint64_t missed_ = 0;
  std::array<std::uint64_t, kManyMissed> last_missed_{};  ///< numbers of periods; a ring
};

}  // namespace davit
