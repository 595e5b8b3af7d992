#include "components/hydraulic/laws/orifice_batch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace davit {
namespace {

/// Two numbers with which the processor calculates at once; rounded as single ones.
using Pair = double __attribute__((vector_size(16)));
using PairOfMasks = std::int64_t __attribute__((vector_size(16)));

void Store(Pair pair, double* numbers) { std::memcpy(numbers, &pair, sizeof(pair)); }

/// One by one, as Add has written them just before: a load that is wider than the stores would wait until
/// these have reached the cache.
Pair Load(const double* numbers) { return Pair{numbers[0], numbers[1]}; }

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

/// Solves some pairs of orifices beside each other.
template <std::size_t... pairs>
void SolvePairs(const double* K, const double* dc, const double* Zs, double* q,
                std::index_sequence<pairs...> /*numbers*/) {
  std::array<OrificePair, sizeof...(pairs)> all{
      OrificePair(Load(K + 2 * pairs), Load(dc + 2 * pairs), Load(Zs + 2 * pairs))...};
  for (int n = 0; n < kMostOrificeIterations && (all[pairs].is_open() || ...); ++n)
    (all[pairs].Iterate(), ...);
  (Store(all[pairs].Flow(Load(K + 2 * pairs)), q + 2 * pairs), ...);
}

}  // namespace

void OrificeBatch::Solve() {
  if (size_ == 1) return Set(numbers_[0], OrificeFlow(K_[0], dc_[0], Zs_[0]));
  // The last pair is filled up with an orifice that is shut.
  const std::size_t filled = size_ + size_ % 2;
  if (filled > size_) {
    K_[size_] = dc_[size_] = 0;
    Zs_[size_] = 1;
  }
  std::array<double, kMost> q;
  for (std::size_t i = 0; i < filled;) {
    // Four pairs are solved faster as two and two than as three and one.
    const std::size_t left = (filled - i) / 2;
    const std::size_t pairs = left == 4 ? 2 : std::min<std::size_t>(left, 3);
    const auto solve = [&](auto numbers) { SolvePairs(&K_[i], &dc_[i], &Zs_[i], &q[i], numbers); };
    switch (pairs) {
      case 1: solve(std::make_index_sequence<1>()); break;
      case 2: solve(std::make_index_sequence<2>()); break;
      default: solve(std::make_index_sequence<3>());
    }
    i += 2 * pairs;
  }
  for (std::size_t i = 0; i < size_; ++i) q_[numbers_[i]] = q[i];
}

void OrificeInBatch::EvaluateIndependentFlows(Component* const* components, std::size_t count, double /*t*/) {
  struct Part {
    const Model* model;
    std::size_t begin, count;
  };
  std::array<Part, OrificeBatch::kMost> parts;
  const auto at = [&](std::size_t i) { return static_cast<OrificeInBatch*>(components[i]); };
  while (count > 0) {
    const std::size_t size = std::min(count, OrificeBatch::kMost);
    OrificeBatch batch;
    Part* last = parts.data();
    for (std::size_t begin = 0; begin < size;) {
      const Model* const model = at(begin)->model_;
      std::size_t end = begin + 1;
      while (end < size && at(end)->model_ == model) ++end;
      model->add(components + begin, end - begin, begin, batch);
      *last++ = {model, begin, end - begin};
      begin = end;
    }
    batch.Solve();
    for (const Part* part = parts.data(); part != last; ++part)
      part->model->take(components + part->begin, part->count, part->begin, batch);
    components += size;
    count -= size;
  }
}

}  // namespace davit
