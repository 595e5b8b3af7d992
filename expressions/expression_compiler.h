#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expressions/expression_host.h"
#include "expressions/expression_program.h"
#include "expressions/expression_states.h"
#include "expressions/symbol_table.h"
#include "framework/fault.h"
#include "framework/syntax/expression_tree.h"
#include "framework/syntax/expression_units.h"
#include "framework/syntax/value_unit.h"

namespace davit {

/// Compiles expressions (ParseExpression): those of the data model `davit` of charts, of equations and of
/// measures. Their names and functions are
///
///     true, false, pi                                 variables, signals of the host (pump.p)
///     kExpressionFunctions
///     In('id')  timeIn('id')  timeInState()  time  rising(b)  falling(b)  changed(x)
///     _event.name  _event.data  _event.data.NAME
///
/// Types and dimensions are checked while an expression is compiled: a number is not a condition, and values
/// that are added or compared have one dimension where both are known (UnitRules).
///
/// Call order: variables are added and expressions compiled, then Link() once. Only then can the program be
/// evaluated.
class ExpressionCompiler {
 public:
  /// What names mean that are neither variables nor functions. What it points to must outlive the compiler.
  struct Environment {
    ExpressionHost* host = nullptr;            ///< null: there are no signals
    const ExpressionStates* states = nullptr;  ///< null: there is no chart, so neither states nor events
    bool is_null_model = false;                ///< In() and its combinations only
    bool is_strict = false;                    ///< UnitRules: also where no unit is written
  };

  ExpressionCompiler(ExpressionProgram& program, SymbolTable& symbols, const Environment& environment);

  struct Result {
    CodeRange range;
    ValueType type = ValueType::kNumber;
    Fault fault;                       ///< empty when compiled
    std::size_t offset = 0;            ///< of the fault, in bytes of the text
    std::optional<SymbolId> constant;  ///< of an expression that is one string constant
    ValueUnit unit;                    ///< of a number
  };

  /// `source` is the state that timeInState() means; kNoState: the call is refused. kAnyType: of any type.
  Result Compile(std::string_view text, ValueType expected, StateId source = kNoState);

  /// The same of a part of an expression. Pre: the tree has no fault.
  Result Compile(const ExpressionTree& tree, std::uint32_t node, ValueType expected,
                 StateId source = kNoState);
  /// As Compile, for what is assigned to `variable`: of its type, its dimension, and one of its choices.
  Result CompileFor(const ExpressionVariable& variable, std::string_view text, StateId source = kNoState);

  /// Makes the variable known to later expressions.
  std::uint32_t AddVariable(ExpressionVariable variable);
  std::optional<std::uint32_t> FindVariable(std::string_view name) const;
  /// Whether there is a variable of exactly this name.
  bool HasVariable(const std::string& name) const { return variables_.contains(name); }
  /// Prefixes of names of variables, in the order in which they are tried; must outlive its use.
  void SetScopes(std::span<const std::string> scopes) { scopes_ = scopes; }
  /// Names of variables, for messages.
  std::vector<std::string> VariableNames() const;

  /// Whether an expression compiled so far reads the time.
  bool reads_time() const { return reads_time_; }
  const ExpressionUnits& units() const { return units_; }

  /// Turns addresses into their final form; nothing is compiled afterwards.
  void Link();

 private:
  friend class ExpressionTranslator;

  ExpressionProgram& program_;
  SymbolTable& symbols_;
  Environment environment_;
  ExpressionUnits units_;
  std::unordered_map<std::string, std::uint32_t> variables_;
  std::deque<ExpressionVariable> signal_meanings_;  ///< of the signals of the program: what they can be
  std::span<const std::string> scopes_;             ///< none: names as they are
  bool reads_time_ = false;
};

}  // namespace davit
