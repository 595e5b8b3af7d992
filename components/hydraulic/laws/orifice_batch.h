#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "framework/component.h"

namespace davit {

/// Orifices between waves that do not depend on each other, solved several at a time.
///
/// A processor divides two pairs of numbers in the time of one, and the iterations of one orifice wait for
/// each other: four orifices together take little longer than one. Each flow has the bits of OrificeFlow(K,
/// dc, Zs), whatever else is in the batch. Fixed memory. Call sequence: Add or Set for each number below
/// kMost, then Solve once, then flow.
class OrificeBatch {
 public:
  static constexpr std::size_t kMost = 32;

  /// The orifice with this number, K >= 0; units as for OrificeFlow.
  void Add(std::size_t number, double K, double dc, double Zs) {
    if (!(Zs > 0)) return Set(number, OrificeFlow(K, dc));
    numbers_[size_] = static_cast<std::uint8_t>(number);
    K_[size_] = K;
    dc_[size_] = dc;
    Zs_[size_] = Zs;
    ++size_;
  }
  /// The flow with this number is known.
  void Set(std::size_t number, double q) { q_[number] = q; }
  void Solve();
  /// [m3/s]
  double flow(std::size_t number) const { return q_[number]; }

 private:
  // Unused places stay as they are: Solve fills up the last group.
  std::size_t size_ = 0;
  std::array<std::uint8_t, kMost> numbers_;
  alignas(16) std::array<double, kMost> K_, dc_, Zs_;
  std::array<double, kMost> q_;
};

/// EvaluateIndependentFlows of a model with one restriction. It has
///
///     void AddFlow(OrificeBatch& batch, std::size_t number) const;  // the flow between the waves at its
///     ports void TakeFlow(double q);  // writes what follows from that flow
template <class Model>
void EvaluateOrifices(Component* const* components, std::size_t count) {
  while (count > 0) {
    const std::size_t size = count < OrificeBatch::kMost ? count : OrificeBatch::kMost;
    OrificeBatch batch;
    for (std::size_t i = 0; i < size; ++i) static_cast<const Model*>(components[i])->AddFlow(batch, i);
    batch.Solve();
    for (std::size_t i = 0; i < size; ++i) static_cast<Model*>(components[i])->TakeFlow(batch.flow(i));
    components += size;
    count -= size;
  }
}

}  // namespace davit
