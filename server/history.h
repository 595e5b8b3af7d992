#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "server/value_source.h"

namespace davit {

/// What signals have been since the run began: smallest, largest and last value of each of at most kMostBins
/// bins, in memory of fixed size. Where the bins are full, two become one, so peaks stay while times become
/// coarser.
///
/// The thread that drives calls Watch, Clear, Look and Flush; any thread reads. The one that drives never
/// waits for a reader: what cannot be handed over now is with the next Flush.
class History {
 public:
  static constexpr std::size_t kMostBins = 1200;  ///< even
  static constexpr std::size_t kMostSignals = 1000;

  struct Bin {
    double t = 0;  ///< of `last` [s]
    double min = 0;
    double max = 0;
    double last = 0;
  };

  /// Keeps a signal from now on, the time t; one that is kept already is left alone. False where there is no
  /// room.
  bool Watch(const std::string& path, const ValueSource& source, double t);
  /// The run begins again: all bins are emptied, and those that are set aside are dropped.
  void Clear();
  /// The bins so far stay readable under this name.
  void SetAside(const std::string& branch);
  /// The bins that were set aside under this name come back. False where there are none.
  bool BringBack(const std::string& branch);
  /// Drops what is behind t.
  void Cut(double t);
  /// After each step: the values of this step point are part of the next bin. Allocates nothing.
  void Look() {
    for (Signal& signal : signals_) signal.Add(signal.source.Read());
  }
  /// At the end of a period, at the time t: what Look has seen becomes part of the bins. Signals whose bins
  /// reach t already stay as they are: a recorded run has the same values again.
  void Flush(double t);

  /// Whether a signal is kept.
  bool Keeps(const std::string& path) const;
  /// How many more may be kept.
  std::size_t room() const;
  /// The bins of a signal whose time is in [from, to], at most `bins`; false where it is not kept.
  bool Read(const std::string& path, double from, double to, std::size_t bins, std::vector<Bin>& out) const {
    return Read({}, path, from, to, bins, out);
  }
  /// Of those that were set aside under a name; of the others where it is empty.
  bool Read(const std::string& branch, const std::string& path, double from, double to, std::size_t bins,
            std::vector<Bin>& out) const;

 private:
  struct Past {
    std::vector<Bin> bins = {};
    std::uint64_t width = 1;    ///< periods a bin
    std::uint64_t in_last = 0;  ///< periods in the last bin
  };
  struct Signal {
    explicit Signal(const ValueSource& s) : source(s) {}
    void Add(double value) {
      if (!has_value) {
        min = max = value;
        has_value = true;
      } else if (value < min) {
        min = value;
      } else if (value > max) {
        max = value;
      }
      last = value;
    }

    ValueSource source;
    bool has_value = false;
    double min = 0;
    double max = 0;
    double last = 0;

    Past past = {};  ///< under the mutex
  };

  mutable std::mutex mutex_;
  std::vector<Signal> signals_;
  std::map<std::string, std::size_t, std::less<>> places_;  ///< written under the mutex
  /// By name, in the order of signals_. Under the mutex.
  std::map<std::string, std::vector<Past>, std::less<>> set_aside_;
};

}  // namespace davit
