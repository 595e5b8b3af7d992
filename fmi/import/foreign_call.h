#pragma once

#include <string>

namespace davit {

/// While it lives, this thread runs code of an FMU. If that code calls exit, the program ends with a message
/// and exit code 1: what it was doing is not done. A thread that the FMU has started is not watched.
class ForeignCall {
 public:
  /// `who` outlives it: the FMU as messages begin, such as `system.xml:3: error: /engine: engine.fmu`.
  explicit ForeignCall(const std::string& who);
  ~ForeignCall();
  ForeignCall(const ForeignCall&) = delete;
  ForeignCall& operator=(const ForeignCall&) = delete;

 private:
  const std::string* outer_;
};

}  // namespace davit
