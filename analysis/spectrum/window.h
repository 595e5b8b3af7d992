#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace davit {

/// The weights of a stretch of a signal before it is transformed (F. J. Harris, On the use of windows for
/// harmonic analysis with the discrete Fourier transform, Proc. IEEE 66, 1978).
enum class SpectrumWindow { kRectangular, kHann, kHamming, kBlackman, kFlatTop };

inline constexpr std::array<std::string_view, 5> kSpectrumWindowNames{"rectangular", "hann", "hamming",
                                                                      "blackman", "flattop"};

/// Of a period of `size` points, w_0 .. w_{size-1}.
std::vector<double> WindowWeights(SpectrumWindow window, std::size_t size);

/// mean(w): by how much a sine becomes smaller.
double CoherentGain(const std::vector<double>& weights);

/// mean(w^2)/mean(w)^2: how many lines of noise one line takes in. 1.5 of Hann.
double NoiseBandwidth(const std::vector<double>& weights);

}  // namespace davit
