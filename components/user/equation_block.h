#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "components/user/equation_component.h"
#include "expressions/register_code.h"
#include "framework/state_slot.h"

namespace davit {

/// The values of components with equal equations, side by side, and where each of them reads and writes:
/// of one component alone, or of up to RegisterCode::kLanes, each of which has a lane.
///
/// In the order of this text: a step fetches what it reads, runs its code and writes what others read.
class EquationBlock {
 public:
  using Equations = EquationComponent::Equations;
  static constexpr std::size_t kLanes = RegisterCode::kLanes;

  /// Gives the members one block, which takes over the values they have. Pre: they are at most kLanes, and
  /// their equations are equal.
  static void Join(std::span<EquationComponent* const> members);

  double& ValueAt(std::uint32_t place, std::size_t lane) { return values_[stride_ * place + lane]; }
  std::size_t lanes() const { return members_.size(); }
  std::size_t value_count() const { return value_count_; }

  /// Finds again what a member reads and writes, after inputs, ports or states have got their places.
  void Bind(std::size_t lane);

  /// Evaluates a step of all members if `components` begins with them, else of the first one, which has the
  /// lane `lane`. Returns how many it has evaluated.
  std::size_t Evaluate(std::size_t step, std::size_t lane, Component* const* components, std::size_t count,
                       double t);
  /// Whether there is one member only: then EvaluateAlone is quicker.
  bool is_alone() const { return stride_ == 1; }
  void EvaluateAlone(std::size_t step, double t);
  /// A step of one member.
  void EvaluateOne(std::size_t step, std::size_t lane, double t);
  /// What a step of one member reads.
  void Fetch(std::size_t step, std::size_t lane);
  /// Writes what a step of one member has computed.
  void Write(std::size_t step, std::size_t lane);
  /// Runs code of one member.
  void Run(CodeRange range, std::size_t lane);

 private:
  /// Where a step reads and writes: for each item its row in `values_`, and the places outside lane by lane.
  struct Links {
    std::vector<double*> read_rows, state_rows;
    std::vector<const double*> written_rows, derivative_rows;
    std::vector<const double*> reads;
    std::vector<double*> written;
    std::vector<std::uint32_t> states, derivatives;  ///< offsets
    CodeRange code;
  };
  struct alignas(kLanes * sizeof(double)) Row {
    std::array<double, kLanes> values{};
  };

  explicit EquationBlock(std::span<EquationComponent* const> members);

  void BindStates();
  template <class Count>
  void EvaluateLanes(std::size_t step, Count count, double t);
  /// `count` lanes from `lane` on; a number, or a type that acts as one.
  template <std::size_t stride, class Count>
  void FetchLanes(const Links& links, std::size_t lane, Count count);
  template <std::size_t stride, class Count>
  void WriteLanes(const Links& links, std::size_t lane, Count count);

  const Equations* first_;  ///< of the first member; those of the others are equal
  double* values_;          ///< of `rows_`
  std::size_t stride_;      ///< 1 or kLanes
  double* time_;            ///< its row
  std::array<Links, 4> links_;
  const StateSlot* slot_ = nullptr;      ///< of the first state; null: there are no states
  const StateMemory* states_ = nullptr;  ///< where the states were when their offsets were taken
  std::uint32_t arrangement_ = 0;
  std::vector<EquationComponent*> members_;
  std::size_t value_count_;
  std::vector<Row> rows_;
};

}  // namespace davit
