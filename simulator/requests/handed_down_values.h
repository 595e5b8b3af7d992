#pragma once

#include <vector>

#include "framework/system.h"

namespace davit {

class ValueWriter;

/// Lets parameters that a `DefaultsProvider` hands down follow it while the system runs: the viscosity of
/// all valves follows the temperature of their oil. What a command or a program has written to such a
/// parameter stays until the provider gives another value. A value out of the range of its parameter is not
/// written; the log says so, once a run.
///
/// Call sequence: Bind after each build of the network; Reset where a run begins, before the other components
/// are reset; then Refresh at each step point.
class HandedDownValues {
 public:
  /// All must outlive the use.
  void Bind(System& system, ValueWriter& writer);
  /// All providers back to their start values, and with them what they hand down.
  void Reset();
  /// What has changed is written; whether there was anything.
  bool Refresh();
  /// After a snapshot was loaded, whose parameters are what providers and commands have made of them.
  void Resume();

 private:
  /// A provider and which of the values in the system it gives.
  struct Part {
    Component* provider;
    DefaultsProvider* defaults;
    std::size_t begin;
    std::size_t end;
  };
  bool HandDown(const Part& part);
  /// Once for each parameter: it keeps its value, and the log says why.
  void WarnOfRange(std::size_t number, double value);

  System* system_ = nullptr;
  ValueWriter* writer_ = nullptr;
  std::vector<Part> parts_;
  std::vector<double> given_;  ///< last, by place in the list of the system
  std::vector<bool> warned_;   ///< the same
};

}  // namespace davit
