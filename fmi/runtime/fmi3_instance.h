#pragma once

#include <cstring>
#include <deque>
#include <exception>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>

#include "fmi/abi/abi3.h"
#include "fmi/runtime/fmu_instance.h"
#include "fmi/runtime/resource_path.h"
#include "fmi/runtime/state_handle.h"
#include "simulator/evaluation_failure.h"

namespace davit {
inline constexpr const char* kEvents3 = "logEvents";
inline constexpr const char* kWarnings3 = "logStatusWarning";
inline constexpr const char* kErrors3 = "logStatusError";
inline constexpr const char* kDiscards3 = "logStatusDiscard";

/// An instance as a master of FMI 3.0 sees it.
class Instance3 {
 public:
  Instance3(fmi3InstanceEnvironment environment, fmi3LogMessageCallback logger, bool is_logging)
      : environment_(environment), logger_(logger), is_logging_(is_logging) {}

  void Load(const std::filesystem::path& resources, FmuKind kind) {
    instance_ = std::make_unique<FmuInstance>(
        resources, kind,
        [this](RunLog::Severity severity, std::string_view line) { TakeLine(severity, line); });
  }

  FmuInstance& instance() { return *instance_; }

  /// An error is told always; the rest as the master has asked for it.
  void Log(fmi3Status status, const char* category, const std::string& text) {
    if (logger_ == nullptr) return;
    const bool is_wanted =
        status >= fmi3Error || (is_logging_ && (categories_.empty() || categories_.contains(category)));
    if (is_wanted) logger_(environment_, status, category, text.c_str());
  }

  /// Runs a call; what it throws becomes a line of the log and fmi3Error.
  template <class Call>
  fmi3Status Answer(const char* function, Call call) {
    try {
      if constexpr (std::is_void_v<decltype(call(*instance_))>) {
        call(*instance_);
        return fmi3OK;
      } else {
        return call(*instance_);
      }
    } catch (const std::exception& fault) {
      Log(fmi3Error, kErrors3, std::string(function) + ": " + fault.what());
    } catch (...) {
      Log(fmi3Error, kErrors3, std::string(function) + ": an unknown exception");
    }
    return fmi3Error;
  }

  void SetLogging(bool is_on, std::size_t count, const fmi3String categories[]) {
    if (count > 0 && categories == nullptr) throw std::invalid_argument("no categories were given");
    is_logging_ = is_on;
    categories_.clear();
    for (std::size_t i = 0; i < count; ++i) categories_.insert(categories[i]);
    if (categories_.contains("logAll")) categories_.clear();
  }

  fmi3InstanceEnvironment environment() const { return environment_; }

  std::deque<std::string> texts;  ///< what fmi3GetString gave, until the next call
  // What the master of a co-simulation has asked for.
  bool uses_event_mode = false;
  bool may_return_early = false;
  fmi3IntermediateUpdateCallback intermediate_update = nullptr;

 private:
  void TakeLine(RunLog::Severity severity, std::string_view line) {
    const bool is_error = severity == RunLog::Severity::kError;
    const bool is_warning = severity == RunLog::Severity::kWarning;
    // An error of the run is the answer of the call that meets it.
    Log(is_error || is_warning ? fmi3Warning : fmi3OK,
        is_error     ? kErrors3
        : is_warning ? kWarnings3
                     : kEvents3,
        std::string(line));
  }

  fmi3InstanceEnvironment environment_;
  fmi3LogMessageCallback logger_;
  bool is_logging_ = false;
  std::set<std::string, std::less<>> categories_;
  std::unique_ptr<FmuInstance> instance_;
};

inline Instance3* Find3(fmi3Instance instance) { return static_cast<Instance3*>(instance); }

/// What every function does first. Without an instance there is nobody to tell.
template <class Call>
fmi3Status Answer3(fmi3Instance instance, const char* function, Call call) {
  return instance == nullptr ? fmi3Error : Find3(instance)->Answer(function, call);
}

inline void RequireArray3(const void* first, std::size_t count) {
  if (count > 0 && first == nullptr) throw std::invalid_argument("an array is missing; give one");
}

/// All variables are scalars.
inline void RequireArrays3(const fmi3ValueReference* references, std::size_t count, const void* values,
                           std::size_t value_count) {
  RequireArray3(references, count);
  RequireArray3(values, value_count);
  if (count != value_count)
    throw std::invalid_argument(
        "all variables of this FMU are scalars; give as many values as value references");
}

inline fmi3Status Unsupported3(fmi3Instance instance, const char* function, const char* why) {
  return Answer3(instance, function, [&](FmuInstance&) { throw std::logic_error(why); });
}

template <class T>
void Tell3(T* place, T value) {
  if (place != nullptr) *place = value;
}

inline constexpr const char* kNoClocks3 = "this FMU has no clocks";
inline constexpr const char* kNoScheduledExecution3 = "this FMU has no scheduled execution";

}  // namespace davit
