#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_compiler.h"
#include "expressions/expression_program.h"
#include "framework/system.h"

namespace davit {

class Simulation;

/// A condition over the values of a running system, as charts write it: `load.x gt 1.2 and pump.level eq
/// 'Ideal'`.
class RunCondition final : private ExpressionHost {
 public:
  /// Throws std::invalid_argument with what is wrong, and what would be right. The simulation must outlive
  /// it.
  RunCondition(Simulation& simulation, std::string_view text);
  ~RunCondition() override;
  RunCondition(const RunCondition&) = delete;
  RunCondition& operator=(const RunCondition&) = delete;

  /// At the present point. A value that is not a number is not true.
  bool IsTrue();
  /// Whether it is true at the present point, but was not at the last call, or when it was made.
  bool HasBecomeTrue();

 private:
  struct Signal {
    Item item;
    std::vector<SymbolId> options;  ///< of a level or an option, by its number
  };

  // ExpressionHost
  std::optional<Found> FindSignal(std::string_view name, SymbolTable& symbols) override;
  std::string Suggest(std::string_view /*name*/) const override { return remedy_; }
  const UnitSystem* units() const override;

  System& system_;
  SymbolTable symbols_;
  ExpressionProgram program_;
  std::vector<Signal> signals_;
  std::string remedy_;
  CodeRange range_;
  std::vector<double> memory_, stack_;
  bool was_true_ = false;
};

}  // namespace davit
