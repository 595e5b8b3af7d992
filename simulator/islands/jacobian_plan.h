#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulator/islands/state_vectors.h"
#include "simulator/passes/couplings.h"
#include "simulator/solvers/jacobian_pattern.h"

namespace davit {

/// What of an island its Jacobian is planned from.
struct JacobianSource {
  Couplings couplings;
  bool is_implicit = false;                    ///< equations 0 = F(t, y, y')
  std::vector<std::uint32_t> owners;           ///< by place of a state: the member
  std::vector<std::uint32_t> explicit_states;  ///< places, of implicit equations
  std::vector<std::uint32_t> solved;           ///< by solved output: its place
  std::vector<double*> state_places;           ///< by published state: where readers find it,
  std::vector<std::uint32_t> state_of;         ///< and its place in y
  std::vector<double*> derivative_places;      ///< by published derivative, in the same way
  std::vector<std::uint32_t> derivative_of;
};

/// The structure of the Jacobian of an island, with all states in use: which numbers depend on which places
/// of y (StateLayout), and in what order members are visited to find the derivatives.
///
/// Only offsets and addresses (`offset`, `at`, `from`) change during a run, when states get other places.
struct JacobianPlan {
  static constexpr std::uint32_t kAbsent = StateVectors::kAbsent;

  /// Derivatives of one number over places of y: elements from `begin` of `places`.
  struct Row {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };
  /// A number that evaluations write: a coupling, or the equation of a state.
  struct Sink {
    bool is_equation = false;
    std::uint32_t number = 0;  ///< coupling, or place
    std::uint32_t row = 0;
    std::uint32_t offset = kAbsent;  ///< of a state in use
    double* at = nullptr;            ///< where it is written
  };
  /// A sink that depends on an input, with where the input's row goes: `scatter` from `begin`.
  struct Touch {
    const double* from = nullptr;  ///< where the sink is written
    std::uint32_t sink = 0;
    std::uint32_t begin = 0;
  };
  struct Input {
    bool is_state = false;
    bool is_explicit = true;         ///< it is no unknown derivative
    std::uint32_t number = 0;        ///< coupling, or place
    std::uint32_t offset = kAbsent;  ///< of a state in use
    std::uint32_t first_touch = 0;
    std::uint32_t last_touch = 0;  ///< behind it
  };
  /// Inputs that are shifted together: no sink depends on two of them. Their touches follow each other.
  struct Group {
    std::uint32_t first = 0;
    std::uint32_t last = 0;  ///< behind it
    std::uint32_t first_touch = 0;
    std::uint32_t last_touch = 0;
  };
  /// What is done when its turn in the order of evaluation comes.
  struct Visit {
    const Couplings::Evaluation* efforts = nullptr;  ///< null: flows only
    const Couplings::Evaluation* flows = nullptr;    ///< null: efforts only
    std::vector<Sink> sinks;
    std::vector<Input> inputs;
    std::vector<Group> groups;
    std::vector<Touch> touches;
    std::vector<std::uint32_t> solved;    ///< touches of outputs that are solved for
    std::vector<std::uint32_t> finished;  ///< couplings that are known after it
    std::uint32_t member = 0;

    std::span<const Input> InputsOf(const Group& group) const {
      return std::span(inputs).subspan(group.first, group.last - group.first);
    }
  };

  /// The row of the equation of a state.
  std::uint32_t RowOfEquation(std::uint32_t place) const { return first_equation + place; }
  std::span<const std::uint32_t> PlacesOf(std::uint32_t row) const {
    return std::span(places).subspan(rows[row].begin, rows[row].size);
  }
  bool IsSolved(std::uint32_t place) const { return place >= first_solved; }

  Couplings couplings;
  bool is_implicit = false;
  std::uint32_t first_equation = 0;   ///< among the rows: behind those of the couplings
  std::uint32_t first_solved = 0;     ///< place: outputs that are solved for are behind the states
  std::vector<double*> place_of;      ///< by coupling: where readers find it
  std::vector<std::uint32_t> row_of;  ///< by coupling
  std::vector<bool> is_explicit;      ///< by place
  std::vector<Row> rows;
  std::vector<std::uint32_t> places;   ///< of all rows
  std::vector<std::uint32_t> scatter;  ///< into the elements of rows
  std::vector<Visit> visits;           ///< which point into `couplings`: a plan is moved, not copied
  JacobianPattern pattern;
  std::vector<std::uint32_t> entry_of;  ///< by element of a row of an equation: in the pattern
  std::vector<std::uint32_t> diagonal;  ///< by place: in the pattern
};

JacobianPlan PlanJacobian(JacobianSource source);

}  // namespace davit
