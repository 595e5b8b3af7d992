#pragma once

#include <tinyxml2.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "expressions/expression_compiler.h"
#include "framework/diagnostics.h"
#include "statecharts/chart.h"
#include "statecharts/chart_loader.h"
#include "statecharts/chart_source.h"

namespace davit {

/// What the parts of the chart loader share while one chart is compiled.
struct ChartBuild final : ExpressionStates {
  ChartBuild(Chart& chart, const ChartSource& source, const ChartLoadOptions& options,
             Diagnostics& diagnostics);

  Chart& chart;
  const ChartSource& source;
  const ChartLoadOptions& options;
  Diagnostics& diagnostics;
  ExpressionCompiler davit;
  std::vector<const tinyxml2::XMLElement*> elements;  ///< by state
  int invoke_depth = 0;

  void Error(const tinyxml2::XMLElement& element, StateId state, std::string_view message) const;
  void Warning(const tinyxml2::XMLElement& element, StateId state, std::string_view message) const;

  /// Reports attributes that the element does not have; those of other namespaces are passed over.
  void CheckAttributes(const tinyxml2::XMLElement& element, StateId state,
                       std::initializer_list<std::string_view> known) const;
  /// Reports a missing attribute.
  bool Require(const tinyxml2::XMLElement& element, StateId state, const char* attribute) const;
  /// Reports two attributes that exclude each other.
  void CheckOneOf(const tinyxml2::XMLElement& element, StateId state, const char* a, const char* b) const;

  /// From here on names of states and variables are those of the part of the chart that contains `element`.
  void SetScope(const tinyxml2::XMLElement& element);
  const std::vector<std::string>& scopes() const { return *scopes_; }
  /// In the scope: the id with the first prefix that makes it the id of a state.
  StateId FindState(std::string_view id) const override;
  std::string SuggestState(std::string_view id) const override;

  bool is_ecmascript() const { return chart.data_model == DataModelKind::kEcmascript; }

  /// The expression of an attribute. Faults of the data model davit are reported; the index is then kNoIndex.
  Index Expression(const tinyxml2::XMLElement& element, const char* attribute, ValueType expected,
                   StateId state, bool is_transition = false);
  /// The same for what is assigned to a variable.
  Index ExpressionFor(const ExpressionVariable& variable, const tinyxml2::XMLElement& element,
                      const char* attribute, StateId state);
  /// An expression from a text that is no attribute, such as a script.
  Index PlainExpression(std::string text, int line);
  /// An expression that was compiled apart from its place.
  Index CompiledExpression(std::string text, int line, const ExpressionCompiler::Result& result);

  /// The attribute `name`, or the expression `name`expr.
  TextOrExpression TextOr(const tinyxml2::XMLElement& element, StateId state, const char* name,
                          const char* expression_name, ValueType expected = ValueType::kString);

 private:
  const std::vector<std::string>* scopes_ = &source.scopes();

  Index AddExpression(const tinyxml2::XMLElement& element, const char* attribute, StateId state,
                      const std::string& text, const ExpressionCompiler::Result& result);
};

/// Elements of a list in an attribute.
std::vector<std::string> SplitWords(std::string_view text);

}  // namespace davit
