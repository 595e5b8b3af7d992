#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "expressions/expression_program.h"
#include "expressions/symbol_table.h"
#include "statecharts/chart_host.h"

namespace davit {

/// Compiles expressions of the data model `davit`:
///
///     numbers 1.5e3, true, false, strings 'text'      names of <data>, signals of the host (pump.p)
///     ! not   * / %   + -   < <= > >= lt le gt ge   == != eq ne   && and   || or   c ? a : b
///     abs acos asin atan atan2 ceil cos exp floor hypot log log10 max min pow round sign sin sqrt tan tanh
///     In('id')  timeIn('id')  timeInState()  time  rising(b)  falling(b)  changed(x)
///     _event.name  _event.data  _event.data.NAME
///
/// All types are known at load; a number is no condition.
class ExpressionCompiler {
 public:
  /// The state with an id, and kNoState where there is none.
  using FindState = std::function<StateId(std::string_view)>;
  /// The remedy for an unknown id of a state.
  using SuggestState = std::function<std::string(std::string_view)>;

  /// `host` may be null. With `is_null_model` only In() and its combinations are allowed.
  ExpressionCompiler(ExpressionProgram& program, SymbolTable& symbols, ChartHost* host, FindState find_state,
                     SuggestState suggest_state, bool is_null_model);

  struct Result {
    CodeRange range;
    ValueType type = ValueType::kNumber;
    std::string fault;                 ///< what is wrong; what would be right. Empty when compiled
    std::size_t offset = 0;            ///< of the fault, in bytes of the text
    std::optional<SymbolId> constant;  ///< of an expression that is one string constant
  };

  /// `source` is the state that timeInState() means; kNoState: the call is refused. Of type kAny: any type.
  Result Compile(std::string_view text, ValueType expected, StateId source);

  /// As Compile, for what is assigned to `variable`: of its type, and one of its choices.
  Result CompileFor(const ExpressionVariable& variable, std::string_view text, StateId source);

  /// Makes the variable known to later expressions.
  std::uint32_t AddVariable(ExpressionVariable variable);
  std::optional<std::uint32_t> FindVariable(std::string_view name) const;
  /// Whether there is a variable of exactly this name.
  bool HasVariable(const std::string& name) const { return variables_.contains(name); }
  /// What may stand before names of variables, in the order in which it is tried; must outlive its use.
  void SetScopes(std::span<const std::string> scopes) { scopes_ = scopes; }
  /// Names of variables, for messages.
  std::vector<std::string> VariableNames() const;

  /// Whether an expression compiled so far reads the time.
  bool reads_time() const { return reads_time_; }

  /// Turns addresses into their final form; nothing is compiled afterwards.
  void Link();

 private:
  friend class ExpressionParser;

  ExpressionProgram& program_;
  SymbolTable& symbols_;
  ChartHost* host_;
  FindState find_state_;
  SuggestState suggest_state_;
  bool is_null_model_;
  std::unordered_map<std::string, std::uint32_t> variables_;
  std::deque<ExpressionVariable> signal_meanings_;  ///< of the signals of the program: what they can be
  std::span<const std::string> scopes_;             ///< none: names as they are
  bool reads_time_ = false;
};

}  // namespace davit
