#include "expressions/expression_compiler.h"

#include <algorithm>
#include <utility>

#include "expressions/expression_address.h"
#include "expressions/expression_translator.h"
#include "framework/syntax/expression_parser.h"

namespace davit {

ExpressionCompiler::ExpressionCompiler(ExpressionProgram& program, SymbolTable& symbols,
                                       const Environment& environment)
    : program_(program),
      symbols_(symbols),
      environment_(environment),
      units_(environment.host == nullptr ? nullptr : environment.host->units()) {}

ExpressionCompiler::Result ExpressionCompiler::Compile(std::string_view text, ValueType expected,
                                                       StateId source) {
  const ExpressionTree tree = ParseExpression(text, &units_);
  return Compile(tree, tree.root, expected, source);
}

ExpressionCompiler::Result ExpressionCompiler::Compile(const ExpressionTree& tree, std::uint32_t node,
                                                       ValueType expected, StateId source) {
  return ExpressionTranslator(*this, tree, source).Translate(node, expected, nullptr);
}

ExpressionCompiler::Result ExpressionCompiler::CompileFor(const ExpressionVariable& variable,
                                                          std::string_view text, StateId source) {
  const ExpressionTree tree = ParseExpression(text, &units_);
  return ExpressionTranslator(*this, tree, source).Translate(tree.root, variable.type, &variable);
}

std::uint32_t ExpressionCompiler::AddVariable(ExpressionVariable variable) {
  const auto index = static_cast<std::uint32_t>(program_.variables.size());
  variables_.emplace(variable.name, index);
  program_.variables.push_back(std::move(variable));
  return index;
}

std::optional<std::uint32_t> ExpressionCompiler::FindVariable(std::string_view name) const {
  const auto find = [&](const std::string& full_name) -> std::optional<std::uint32_t> {
    const auto found = variables_.find(full_name);
    if (found == variables_.end()) return std::nullopt;
    return found->second;
  };
  for (const std::string& scope : scopes_) {
    if (const auto found = find(scope + std::string(name))) return found;
  }
  return scopes_.empty() ? find(std::string(name)) : std::nullopt;
}

std::vector<std::string> ExpressionCompiler::VariableNames() const {
  std::vector<std::string> names;
  names.reserve(program_.variables.size());
  for (const ExpressionVariable& variable : program_.variables) names.push_back(variable.name);
  return names;
}

void ExpressionCompiler::Link() {
  const auto first_variable = static_cast<std::uint32_t>(program_.first_variable());
  const auto first_signal = static_cast<std::uint32_t>(program_.first_signal());
  const auto link = [&](std::uint32_t& address) {
    if (address == ExpressionInstruction::kOnStack) return;
    const std::uint32_t index = IndexOfAddress(address);
    switch (KindOfAddress(address)) {
      case AddressKind::kConstant: address = index; break;
      case AddressKind::kVariable: address = first_variable + index; break;
      case AddressKind::kSignal: address = first_signal + index; break;
    }
  };
  for (ExpressionInstruction& code : program_.code) {
    link(code.left);
    link(code.right);
  }
}

}  // namespace davit
