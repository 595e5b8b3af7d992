#include "components/hydraulic/laws/orifice_batch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace davit {
namespace {

// All that calculates with several numbers at once is inlined into functions for one kind of processor.
#define DAVIT_INLINE [[gnu::always_inline]] inline
// So none of these numbers is passed from function to function.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"

/// Numbers with which the processor calculates at once; each is rounded as a single one.
template <std::size_t size>
struct Numbers;

template <>
struct Numbers<2> {
  using Values = double __attribute__((vector_size(16)));
  using Masks = std::int64_t __attribute__((vector_size(16)));

  /// One by one, as Add has written them just before: a load that is wider than the stores would wait until
  /// these have reached the cache.
  DAVIT_INLINE static void Load(const double* from, Values& to) { to = Values{from[0], from[1]}; }
  DAVIT_INLINE static void TakeRoots(Values& of) { of = Values{std::sqrt(of[0]), std::sqrt(of[1])}; }
  DAVIT_INLINE static bool HasAny(const Masks& masks) { return (masks[0] | masks[1]) != 0; }
};

template <>
struct Numbers<4> {
  using Values = double __attribute__((vector_size(32)));
  using Masks = std::int64_t __attribute__((vector_size(32)));

  DAVIT_INLINE static void Load(const double* from, Values& to) {
    to = Values{from[0], from[1], from[2], from[3]};
  }
  DAVIT_INLINE static void TakeRoots(Values& of) {
    of = Values{std::sqrt(of[0]), std::sqrt(of[1]), std::sqrt(of[2]), std::sqrt(of[3])};
  }
  DAVIT_INLINE static bool HasAny(const Masks& masks) {
    return ((masks[0] | masks[1]) | (masks[2] | masks[3])) != 0;
  }
};

/// Newton iterations of `size` orifices. Each ends where OrificeFlow ends it.
template <std::size_t size>
class OrificeGroup {
 public:
  DAVIT_INLINE OrificeGroup(const double* K, const double* dc, const double* Zs) {
    Numbers<size>::Load(K, K_);
    Numbers<size>::Load(dc, dc_);
    Numbers<size>::Load(Zs, Z_);
    Z_ = K_ * Z_;
    Values drive = dc_;
    Keep(Masks{} + kAllButSign, drive);
    Values root = Z_ * Z_ + 4.0 * drive;
    Numbers<size>::TakeRoots(root);
    root = 2.0 * drive / (Z_ + root);
    const Values smallest = Values{} + kOrificeSmallestRoot;
    s_ = smallest < root ? root : smallest;
  }

  DAVIT_INLINE bool is_open() const { return Numbers<size>::HasAny(open_); }
  DAVIT_INLINE void Iterate() {
    Values step;
    OrificeRootStep(s_, Z_, dc_, step);
    Values taken = step;
    Keep(open_, taken);
    s_ -= taken;
    Keep(Masks{} + kAllButSign, step);
    open_ &= ~(step <= kOrificeRootTolerance * s_);
  }
  DAVIT_INLINE void StoreFlow(double* q) const {
    const Values flow = K_ * dc_ / (s_ + Z_);
    std::memcpy(q, &flow, sizeof(flow));
  }

 private:
  using Values = typename Numbers<size>::Values;
  using Masks = typename Numbers<size>::Masks;

  static constexpr std::int64_t kAllButSign = 0x7FFFFFFFFFFFFFFF;

  /// Those bits of the numbers stay that are set in the mask: all of a number, none, all but the sign.
  DAVIT_INLINE static void Keep(const Masks& mask, Values& numbers) {
    numbers = reinterpret_cast<Values>(reinterpret_cast<Masks>(numbers) & mask);
  }

  Values K_, Z_, dc_, s_;
  Masks open_ = Masks{} - 1;
};

/// Solves some groups of orifices beside each other.
template <std::size_t size, std::size_t... groups>
DAVIT_INLINE void SolveBeside(const double* K, const double* dc, const double* Zs, double* q,
                              std::index_sequence<groups...> /*numbers*/) {
  OrificeGroup<size> all[]{OrificeGroup<size>(K + size * groups, dc + size * groups, Zs + size * groups)...};
  for (int n = 0; n < kMostOrificeIterations && (all[groups].is_open() || ...); ++n)
    (all[groups].Iterate(), ...);
  (all[groups].StoreFlow(q + size * groups), ...);
}

/// Solves `count` orifices, a multiple of `size`.
template <std::size_t size>
DAVIT_INLINE void SolveInGroups(std::size_t count, const double* K, const double* dc, const double* Zs,
                                double* q) {
  for (std::size_t i = 0; i < count;) {
    // Four groups are solved faster as two and two than as three and one.
    const std::size_t left = (count - i) / size;
    const std::size_t groups = left == 4 ? 2 : std::min<std::size_t>(left, 3);
    switch (groups) {
      case 1: SolveBeside<size>(K + i, dc + i, Zs + i, q + i, std::make_index_sequence<1>()); break;
      case 2: SolveBeside<size>(K + i, dc + i, Zs + i, q + i, std::make_index_sequence<2>()); break;
      default: SolveBeside<size>(K + i, dc + i, Zs + i, q + i, std::make_index_sequence<3>());
    }
    i += size * groups;
  }
}

void SolveByTwo(std::size_t count, const double* K, const double* dc, const double* Zs, double* q) {
  SolveInGroups<2>(count, K, dc, Zs, q);
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void SolveByFour(std::size_t count, const double* K, const double* dc,
                                         const double* Zs, double* q) {
  SolveInGroups<4>(count, K, dc, Zs, q);
}

/// Whether this processor calculates with four numbers at once.
bool HasFour() {
  static const bool has_four = __builtin_cpu_supports("avx2") != 0;
  return has_four;
}
#else
constexpr auto SolveByFour = SolveByTwo;
constexpr bool HasFour() { return false; }
#endif

#pragma GCC diagnostic pop
#undef DAVIT_INLINE

}  // namespace

void OrificeBatch::Solve() {
  if (size_ == 1) return Set(numbers_[0], OrificeFlow(K_[0], dc_[0], Zs_[0]));
  const bool by_four = size_ > 2 && HasFour();
  // The last group is filled up with orifices that are shut.
  const std::size_t width = by_four ? 4 : 2;
  const std::size_t filled = (size_ + width - 1) / width * width;
  for (std::size_t i = size_; i < filled; ++i) {
    K_[i] = dc_[i] = 0;
    Zs_[i] = 1;
  }
  std::array<double, kMost> q;
  (by_four ? SolveByFour : SolveByTwo)(filled, K_.data(), dc_.data(), Zs_.data(), q.data());
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
