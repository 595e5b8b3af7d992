#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/study/case_runner.h"

namespace davit {

/// What ranks of a study send to each other.
struct CaseMessage {
  enum class Kind : std::uint8_t {
    kReady,   ///< to rank 0: give me a case
    kCase,    ///< to a worker: `number`, `values`
    kResult,  ///< to rank 0: `number`, `result`; the worker is free again
    kEnd,     ///< to a worker: there are no more cases of this study
    kQuit,    ///< to a worker: there are no more studies
    kGone,    ///< to rank 0: the process runs no more cases; `text` is why
  };
  Kind kind = Kind::kReady;
  std::uint64_t number = 0;
  std::vector<CaseValue> values = {};
  CaseResult result = {};
  std::string text = {};
};

/// As bytes, for processes of one kind of machine; numbers keep their bits.
std::string ToBytes(const CaseMessage& message);
/// The reverse. Throws std::runtime_error for bytes that are none.
CaseMessage ReadCaseMessage(std::string_view bytes);

}  // namespace davit
