#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <string>
#include <vector>

#include "framework/item.h"
#include "framework/system.h"
#include "simulator/tlm_component.h"

namespace davit {

class Island;
struct Network;
class SimulatorManager;
class StateVectors;

/// All equations of a system at one instant, as functions of its states, waves and inputs: what is
/// differentiated. Levels, modes and charts stay as they are.
///
/// Signals that are held over a TimeStep between islands pass at once here, and so do lumped components with
/// fixed steps (SettleWaves); lines keep their waves (LineWaves), which are unknowns of their
/// own.
///
/// The run is under way; it cannot continue afterwards. The system must outlive this.
class NetworkEquations {
 public:
  /// One unknown.
  struct Unknown {
    enum class Kind {
      kRate,      ///< x' = f: a state of an island of differential equations, or with fixed steps
      kResidual,  ///< 0 = F(z, z'): of an island that IDA solves
      kWave,      ///< algebraic: that a lumped component offers, 0 = offered - w
      kLineWave,  ///< of a line
    };
    Kind kind;
    std::string name;
    std::string unit;
    const Component* owner;
    double* value;
    double scale;                  ///< typical size
    const double* rate = nullptr;  ///< of kRate
    Island* island = nullptr;      ///< of kResidual
    std::size_t place = 0;         ///< in the vectors of the island
  };
  /// What is delayed on its way to a line wave: value = sum of the terms.
  struct LineTerm {
    std::size_t to;    ///< position among the unknowns of kLineWave
    std::size_t from;  ///< the same; kNone: no wave
    const double* flow;
    double delay, of_wave, of_flow;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// `inputs`: inputs, of which routed ones are cut, and live parameters; they keep their values. `outputs`
  /// are numbers. Components that have fixed steps and neither settle nor are lines are named in
  /// `unsettled()`.
  NetworkEquations(System& system, const std::vector<Item>& inputs, const std::vector<Item>& outputs);
  ~NetworkEquations();
  NetworkEquations(const NetworkEquations&) = delete;
  NetworkEquations& operator=(const NetworkEquations&) = delete;

  const std::vector<Unknown>& unknowns() const { return unknowns_; }
  const std::vector<LineTerm>& line_terms() const { return terms_; }
  const std::vector<std::string>& unsettled() const { return unsettled_; }
  std::size_t input_count() const { return inputs_.size(); }
  std::size_t output_count() const { return outputs_.size(); }

  // The point of linearisation, as it was found.
  const Eigen::VectorXd& values() const { return values_; }  ///< of the unknowns
  const Eigen::VectorXd& slopes() const { return slopes_; }  ///< z' of kResidual; else 0
  const Eigen::VectorXd& input_values() const { return input_values_; }
  double InputScale(std::size_t i) const;

  /// What Evaluate writes.
  struct Values {
    Eigen::VectorXd equations;  ///< by unknown: f, F, offered - w; 0 for line waves
    Eigen::VectorXd outputs;
    Eigen::VectorXd flows;  ///< by line term
  };
  /// Throws EvaluationFailure, and std::runtime_error where signals held between islands do not settle.
  Values Evaluate(const Eigen::VectorXd& values, const Eigen::VectorXd& slopes,
                  const Eigen::VectorXd& inputs);

 private:
  /// An input that reads a number of ours, or a parameter that is written.
  struct Input {
    Item item;
    double value = 0;
    double written = 0;                      ///< of a parameter: last
    std::vector<const double**> slots = {};  ///< of the input and its copies
    std::vector<const double*> before = {};  ///< what they read
  };
  void ListIslands();
  void ListFixedSteps();
  void ListWaves();
  /// States in the order of the file, line waves last.
  void SortUnknowns(const System& system);
  void ListTerms();
  void AddStates(StateVectors& states, Unknown::Kind kind, Island* island);
  void Cut(Input& input);
  void WriteUnknowns(const Eigen::VectorXd& values);
  void Exchange();

  SimulatorManager& manager_;
  Network& network_;
  double t_;
  std::vector<Unknown> unknowns_;
  std::vector<LineTerm> terms_;
  std::vector<std::string> unsettled_;
  std::vector<TlmComponent*> settling_;
  std::deque<Input> inputs_;
  std::vector<Item> outputs_;
  Eigen::VectorXd values_, slopes_, input_values_;
  std::vector<std::vector<double>> island_slopes_;  ///< by island; of kResidual
};

}  // namespace davit
