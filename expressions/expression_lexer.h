#pragma once

#include <cstddef>
#include <string_view>

#include "framework/fault.h"

namespace davit {

enum class TokenKind { kEnd, kNumber, kString, kName, kSymbol, kFault };

/// One word of an expression.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;  ///< of a symbol: as C writes it, also where a word was used (and: &&)
  double number = 0;
  std::size_t offset = 0;  ///< in the expression [bytes]
  Fault fault;             ///< of kFault
};

/// Cuts an expression into tokens.
class ExpressionLexer {
 public:
  explicit ExpressionLexer(std::string_view text) : text_(text) {}
  Token Next();

 private:
  Token Number();
  Token String();
  Token Name();
  Token Symbol();
  Token Refuse(Fault fault) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
};

}  // namespace davit
