#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "components/hydraulic/laws/cavitating_ends.h"
#include "components/hydraulic/laws/orifice_law.h"
#include "simulator/dynamic_sim_component.h"

namespace davit {

/// Orifices between waves that do not depend on each other, solved several at a time.
///
/// A processor divides two pairs of numbers in the time of one, and the iterations of one orifice wait for
/// each other: six orifices together take little longer than one. Each flow has the bits of OrificeFlow(K,
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

/// A component with one restriction. Those of all models that follow each other in a fixed-step schedule are
/// solved in one batch.
class OrificeInBatch : public DynamicSimComponent {
 public:
  /// Of components that derive from OrificeInBatch.
  static void EvaluateIndependentFlows(Component* const* components, std::size_t count, double t);

 private:
  template <class Derived>
  friend class BatchedOrifice;

  /// What is done for `count` components of one model; their numbers in the batch begin with `first`.
  struct Model {
    void (*add)(Component* const* components, std::size_t count, std::size_t first, OrificeBatch& batch);
    void (*take)(Component* const* components, std::size_t count, std::size_t first, OrificeBatch& batch);
  };
  explicit OrificeInBatch(const Model& model) : model_(&model) {}

  const Model* model_;
};

/// Base of the model `Derived`, which has
///
///     /// Adds the flow between the waves at its ports.
///     void AddFlow(OrificeBatch& batch, std::size_t number) const;
///     /// Writes what follows from that flow.
///     void TakeFlow(double q);
template <class Derived>
class BatchedOrifice : public OrificeInBatch {
 protected:
  BatchedOrifice() : OrificeInBatch(kModel) {}

 private:
  static void Add(Component* const* components, std::size_t count, std::size_t first, OrificeBatch& batch) {
    for (std::size_t i = 0; i < count; ++i)
      static_cast<const Derived*>(components[i])->AddFlow(batch, first + i);
  }
  static void Take(Component* const* components, std::size_t count, std::size_t first, OrificeBatch& batch) {
    for (std::size_t i = 0; i < count; ++i)
      static_cast<Derived*>(components[i])->TakeFlow(batch.flow(first + i));
  }
  static constexpr Model kModel{&Add, &Take};
};

}  // namespace davit
