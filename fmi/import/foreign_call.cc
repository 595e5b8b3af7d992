#include "fmi/import/foreign_call.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace davit {
namespace {

/// The FMU whose code this thread runs; null: none.
thread_local const std::string* running_fmu = nullptr;

void EndAsFailure() {
  if (running_fmu == nullptr) return;
  const std::string text = fmt::format(
      "{}: the FMU has called exit, which ends the program; ask its maker, or run it with isolated=\"true\" "
      "to keep the results\n",
      *running_fmu);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(1);
}

}  // namespace

ForeignCall::ForeignCall(const std::string& who) : outer_(running_fmu) {
  static const bool kIsWatched = std::atexit(EndAsFailure) == 0 && std::at_quick_exit(EndAsFailure) == 0;
  static_cast<void>(kIsWatched);
  running_fmu = &who;
}

ForeignCall::~ForeignCall() { running_fmu = outer_; }

}  // namespace davit
