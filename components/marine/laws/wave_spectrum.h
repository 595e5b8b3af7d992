#pragma once

#include <cstdint>
#include <vector>

namespace davit {

/// How the energy of a sea is distributed over frequencies.
enum class SpectrumKind : std::uint8_t { kJonswap, kPiersonMoskowitz, kTorsethaugen, kTable };

/// A point of a spectrum given as a table.
struct SpectrumPoint {
  double frequency = 0;  ///< [rad/s]
  double density = 0;    ///< [m2.s/rad]
};

/// Spectrum of the elevation of the sea, a sum of peaks
/// S(w) = A w^-n exp(-n/4 (wp/w)^4) gamma^exp(-(w/wp - 1)^2/(2 sigma^2)), sigma = 0.07 below wp = 2
/// pi/Tp and 0.09 above. A is such that the integral of S is Hs^2/16.
///
/// Jonswap [Hasselmann 1973] has one with n = 5, PiersonMoskowitz with gamma = 1. Torsethaugen has a wind sea
/// and a swell with n = 4, whose heights, periods and peakedness follow from Hs and Tp
/// [Torsethaugen 2004, the simplified form].
class WaveSpectrum {
 public:
  struct Given {
    SpectrumKind kind = SpectrumKind::kJonswap;
    double height = 0;                    ///< Hs [m]
    double peak_period = 1;               ///< Tp [s]
    double peakedness = 1;                ///< gamma, of Jonswap
    std::vector<SpectrumPoint> points{};  ///< of kTable, with increasing frequencies
  };

  explicit WaveSpectrum(const Given& given);

  /// S(w) [m2.s/rad], w > 0 [rad/s].
  double Density(double w) const;
  /// Below and above these frequencies there is less than 1 % of the energy.
  double lowest() const { return lowest_; }
  double highest() const { return highest_; }
  /// The integral of w^n S(w) between the two [m2 (rad/s)^n].
  double Moment(int n) const;

 private:
  struct Peak {
    double w = 1;  ///< [rad/s]
    double peakedness = 1;
    double tail = 5;   ///< n
    double scale = 0;  ///< A
  };
  /// With the energy of a sea of this height.
  static Peak MakePeak(double height, double period, double peakedness, double tail);
  void AddWindSeaAndSwell(double height, double period);

  std::vector<Peak> peaks_;
  std::vector<SpectrumPoint> points_;
  double lowest_ = 0, highest_ = 0;
};

}  // namespace davit
