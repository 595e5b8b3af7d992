#pragma once

#include <cstdint>

namespace davit {

/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), of
/// whose numbers the upper 53 bits are taken. No distribution of a standard library is used.
class PortableRandom {
 public:
  explicit PortableRandom(std::uint64_t seed) : seed_(seed) {}

  /// In (0, 1).
  double Uniform();
  /// 0 ... n - 1. Pre: n > 0.
  std::uint64_t Below(std::uint64_t n);
  /// Of the standard normal distribution.
  double Normal();

  /// How many numbers were taken: another one of the same seed continues from there.
  std::uint64_t taken() const { return taken_; }
  void set_taken(std::uint64_t taken) { taken_ = taken; }

 private:
  std::uint64_t Next();

  std::uint64_t seed_;
  std::uint64_t taken_ = 0;
};

}  // namespace davit
