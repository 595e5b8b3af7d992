#include "analysis/study/portable_random.h"

#include "analysis/study/distribution.h"

namespace davit {

std::uint64_t PortableRandom::Next() {
  std::uint64_t z = seed_ + ++taken_ * 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

double PortableRandom::Uniform() {
  constexpr double kStep = 0x1p-53;
  return (static_cast<double>(Next() >> 11) + 0.5) * kStep;
}

std::uint64_t PortableRandom::Below(std::uint64_t n) {
  const std::uint64_t rest = -n % n;  // numbers below would favour the first values
  std::uint64_t number = Next();
  while (number < rest) number = Next();
  return number % n;
}

double PortableRandom::Normal() { return NormalQuantile(Uniform()); }

}  // namespace davit
