#include "components/hydraulic/laws/orifice_batch.h"

#include <cmath>
#include <cstring>

namespace davit {
namespace {

/// Two numbers with which the processor calculates at once; rounded as single ones.
using Pair = double __attribute__((vector_size(16)));
using PairOfMasks = std::int64_t __attribute__((vector_size(16)));

Pair Load(const double* numbers) {
  Pair pair;
  std::memcpy(&pair, numbers, sizeof(pair));
  return pair;
}

/// `numbers` where the mask is set, else 0.
Pair Where(PairOfMasks mask, Pair numbers) {
  return reinterpret_cast<Pair>(reinterpret_cast<PairOfMasks>(numbers) & mask);
}

Pair Magnitude(Pair numbers) { return Where(PairOfMasks{} + 0x7FFFFFFFFFFFFFFF, numbers); }

Pair SquareRoot(Pair numbers) { return Pair{std::sqrt(numbers[0]), std::sqrt(numbers[1])}; }

/// Newton iterations of two orifices. Each ends where OrificeFlow ends it.
class OrificePair {
 public:
  OrificePair(Pair K, Pair dc, Pair Zs) : Z_(K * Zs), dc_(dc), s_(OrificeRootEstimate(Z_, dc)) {}

  bool is_open() const { return (open_[0] | open_[1]) != 0; }
  void Iterate() {
    const Pair step = OrificeRootStep(s_, Z_, dc_);
    s_ -= Where(open_, step);
    open_ &= ~(Magnitude(step) <= kOrificeRootTolerance * s_);
  }
  Pair Flow(Pair K) const { return K * dc_ / (s_ + Z_); }

 private:
  static Pair OrificeRootEstimate(Pair Z, Pair dc) {
    const Pair drive = Magnitude(dc);
    const Pair root = 2.0 * drive / (Z + SquareRoot(Z * Z + 4.0 * drive));
    const Pair smallest = Pair{} + kOrificeSmallestRoot;
    return smallest < root ? root : smallest;
  }

  Pair Z_, dc_, s_;
  PairOfMasks open_ = PairOfMasks{} - 1;
};

}  // namespace

void OrificeBatch::Solve() {
  constexpr std::size_t kGroup = 4;
  if (size_ == 1) return Set(numbers_[0], OrificeFlow(K_[0], dc_[0], Zs_[0]));
  // The last group is filled up with orifices that are shut.
  const std::size_t filled = size_ + size_ % 2;
  if (filled > size_) {
    K_[size_] = dc_[size_] = 0;
    Zs_[size_] = 1;
  }
  std::array<double, kMost> q;
  const auto store = [&](std::size_t begin, Pair flows) { std::memcpy(&q[begin], &flows, sizeof(flows)); };
  for (std::size_t i = 0; i < filled; i += kGroup) {
    const Pair K = Load(&K_[i]);
    OrificePair first(K, Load(&dc_[i]), Load(&Zs_[i]));
    if (i + 2 == filled) {
      for (int n = 0; n < kMostOrificeIterations && first.is_open(); ++n) first.Iterate();
      store(i, first.Flow(K));
      break;
    }
    const Pair K_second = Load(&K_[i + 2]);
    OrificePair second(K_second, Load(&dc_[i + 2]), Load(&Zs_[i + 2]));
    for (int n = 0; n < kMostOrificeIterations && (first.is_open() || second.is_open()); ++n) {
      first.Iterate();
      second.Iterate();
    }
    store(i, first.Flow(K));
    store(i + 2, second.Flow(K_second));
  }
  for (std::size_t i = 0; i < size_; ++i) q_[numbers_[i]] = q[i];
}

}  // namespace davit
