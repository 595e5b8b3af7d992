#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "framework/fault.h"
#include "framework/units/unit_system.h"

namespace davit {

class ExpressionUnits;

/// How expressions are written.
enum class ExpressionDialect : std::uint8_t {
  kDavit,
  kHopsan,  ///< ^ < > bind strongest, then the signs, then * / &, then + - |; names have dots and #
};

enum class TokenKind { kEnd, kNumber, kString, kName, kSymbol, kFault };

/// One word of an expression.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text = {};  ///< of a symbol: as C writes it, also where a word was used (and: &&)
  double number = 0;           ///< in SI
  std::size_t offset = 0;      ///< in the expression [bytes]
  Fault fault = {};            ///< of kFault
  bool has_unit = false;       ///< of a number
  Dimension dimension = {};
};

/// Cuts an expression into tokens.
class ExpressionLexer {
 public:
  /// Without `units` numbers have none.
  explicit ExpressionLexer(std::string_view text, const ExpressionUnits* units = nullptr,
                           ExpressionDialect dialect = ExpressionDialect::kDavit)
      : text_(text), units_(units), dialect_(dialect) {}
  Token Next();
  /// The end of the last token [bytes].
  std::size_t end() const { return at_; }

 private:
  Token Number();
  Token String();
  Token Name();
  Token Symbol();
  Token Refuse(Fault fault) const;
  Token Make(TokenKind kind, std::string_view text = {}) const;
  /// The longest text that is a unit; empty where none begins. `rest` begins at a unit or an operator.
  std::string_view UnitAt(std::string_view rest) const;

  std::string_view text_;
  const ExpressionUnits* units_;
  ExpressionDialect dialect_;
  std::size_t at_ = 0;
  std::size_t begin_ = 0;
};

}  // namespace davit
