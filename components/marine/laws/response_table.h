#pragma once

#include <array>
#include <complex>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/units/unit_system.h"

namespace davit {

inline constexpr std::array<std::string_view, 6> kVesselDegrees{"surge", "sway",  "heave",
                                                                "roll",  "pitch", "yaw"};
inline constexpr std::array<std::string_view, 6> kVesselPhases{"surge_phase", "sway_phase",  "heave_phase",
                                                               "roll_phase",  "pitch_phase", "yaw_phase"};

/// Response amplitude operators of a vessel (RAO): motion per wave amplitude, as complex numbers.
///
/// Heading is the direction towards which the waves travel, from the bow towards port: 0 is a following
/// sea, 180 degrees a head sea. A response with the phase p is |H| cos(w t + p) in a wave cos(w t) at the
/// origin of the vessel. x forward, y to port, z upwards; turns positive about these axes.
class ResponseTable {
 public:
  using Responses = std::array<std::complex<double>, 6>;  ///< m/m and rad/m, in the order of kVesselDegrees

  /// What Read finds, or what is wrong with the text.
  struct Result;
  /// Text of a CSV file. The first line names the columns, with units: `heading [deg]`, `frequency [rad/s]`
  /// or `period [s]`, then `heave [m/m]`, `heave_phase [deg]` and so on; motions that are missing are 0. Each
  /// heading has the same frequencies. See ReadNamedColumns.
  static Result Read(std::string_view text, const UnitSystem& units);
  /// One heading and frequency.
  struct Row {
    double heading = 0;    ///< [rad]
    double frequency = 0;  ///< [rad/s]
    Responses responses{};
    int line = 0;  ///< for the message
  };
  static Result Make(const std::vector<Row>& rows);

  /// Linear in real and imaginary part between frequencies and headings. Below the lowest frequency that of
  /// the lowest, above the highest one 0. Pre: Covers(heading).
  Responses At(double frequency, double heading) const;
  /// Whether the headings around this one [rad] are there. If all are between 0 and 180 degrees, the vessel
  /// is symmetric.
  bool Covers(double heading) const;
  double lowest() const { return frequencies_.front(); }
  double highest() const { return frequencies_.back(); }
  /// Of each degree the largest |H| of all headings and frequencies.
  std::array<double, 6> Largest() const;

 private:
  /// From rows by heading and frequency; gives what is wrong with them, empty if nothing is.
  std::string Fill(const std::map<std::pair<double, double>, Responses>& rows);
  /// The index of the heading at or below, and how far the given one is towards the next; the index is
  /// beyond all where there is none.
  struct Between {
    std::size_t index;
    double share;
  };
  Between FindHeading(double heading) const;
  Responses AtFrequency(std::size_t heading, double frequency) const;

  bool is_symmetric_ = false;
  bool is_closed_ = false;           ///< the first heading follows the last
  std::vector<double> headings_;     ///< increasing [rad]
  std::vector<double> frequencies_;  ///< increasing [rad/s]
  std::vector<Responses> values_;    ///< of heading h and frequency f at h*frequencies + f
};

struct ResponseTable::Result {
  ResponseTable table;
  std::string fault;  ///< empty if the table is good
  int line = 0;       ///< where the fault is
};

}  // namespace davit
