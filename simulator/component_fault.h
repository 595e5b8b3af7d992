#pragma once

#include <cstddef>
#include <string_view>

#include "framework/registry.h"
#include "simulator/call_watch.h"

namespace davit {

/// To be called while an exception is handled that left the code of `owner` at t [s]: passes it on as an
/// EvaluationFailure that names the component and what the exception says. Failures that are known to the
/// manager are passed on as they are.
[[noreturn]] void BlameComponent(const Component& owner, double t);

/// The same where one of several components threw: each is run once more, alone, to find which.
[[noreturn]] void BlameOneOf(BatchEvaluation run, Component* const* components, std::size_t count, double t);

/// Evaluates or advances components of one type; an exception that leaves one of them names it. `watch` may
/// be null.
inline void RunBatch(BatchEvaluation run, Component* const* components, std::size_t count, double t,
                     CallWatch* watch) {
  try {
    watch == nullptr ? run(components, count, t) : watch->RunBatch(run, components, count, t);
  } catch (...) {
    BlameOneOf(run, components, count, t);
  }
}

/// Calls the hook `name` of each component; an exception that leaves one names it. `watch` may be null.
template <class Components, class Call>
void CallEach(const Components& components, double t, CallWatch* watch, std::string_view name, Call call) {
  for (auto* component : components) {
    try {
      watch == nullptr ? call(*component) : watch->Run(*component, name, [&] { call(*component); });
    } catch (...) {
      BlameComponent(*component, t);
    }
  }
}

}  // namespace davit
