#pragma once

#include <cmath>
#include <cstring>
#include <deque>
#include <exception>
#include <memory>
#include <new>
#include <set>
#include <stdexcept>
#include <string>

#include "fmi/abi/abi2.h"
#include "fmi/runtime/fmu_instance.h"
#include "fmi/runtime/resource_path.h"
#include "fmi/runtime/state_handle.h"
#include "simulator/evaluation_failure.h"

namespace davit {
inline constexpr const char* kEvents2 = "logEvents";
inline constexpr const char* kWarnings2 = "logStatusWarning";
inline constexpr const char* kErrors2 = "logStatusError";
inline constexpr const char* kDiscards2 = "logStatusDiscard";

/// An instance as a master of FMI 2.0 sees it.
class Component2 {
 public:
  Component2(std::string name, const fmi2CallbackFunctions& callbacks, bool is_logging)
      : name_(std::move(name)), callbacks_(callbacks), is_logging_(is_logging) {}

  void Load(const std::filesystem::path& resources, FmuKind kind) {
    instance_ = std::make_unique<FmuInstance>(
        resources, kind,
        [this](RunLog::Severity severity, std::string_view line) { TakeLine(severity, line); });
  }

  FmuInstance& instance() { return *instance_; }

  /// An error is told always; the rest as the master has asked for it.
  void Log(fmi2Status status, const char* category, const std::string& text) {
    if (callbacks_.logger == nullptr) return;
    const bool is_wanted =
        status >= fmi2Error || (is_logging_ && (categories_.empty() || categories_.contains(category)));
    if (is_wanted)
      callbacks_.logger(callbacks_.componentEnvironment, name_.c_str(), status, category,
                        Escape(text).c_str());
  }

  /// Runs a call; what it throws becomes a line of the log and fmi2Error.
  template <class Call>
  fmi2Status Answer(const char* function, Call call) {
    try {
      if constexpr (std::is_void_v<decltype(call(*instance_))>) {
        call(*instance_);
        return fmi2OK;
      } else {
        return call(*instance_);
      }
    } catch (const std::exception& fault) {
      Log(fmi2Error, kErrors2, std::string(function) + ": " + fault.what());
    } catch (...) {
      Log(fmi2Error, kErrors2, std::string(function) + ": an unknown exception");
    }
    return fmi2Error;
  }

  void SetLogging(bool is_on, std::size_t count, const fmi2String categories[]) {
    if (count > 0 && categories == nullptr) throw std::invalid_argument("no categories were given");
    is_logging_ = is_on;
    categories_.clear();
    for (std::size_t i = 0; i < count; ++i) categories_.insert(categories[i]);
    if (categories_.contains("logAll")) categories_.clear();
  }

  bool is_terminated = false;     ///< the last step: the system has ended its run
  std::deque<std::string> texts;  ///< what fmi2GetString gave, until the next call

 private:
  void TakeLine(RunLog::Severity severity, std::string_view line) {
    const bool is_error = severity == RunLog::Severity::kError;
    const bool is_warning = severity == RunLog::Severity::kWarning;
    // An error of the run is the answer of the call that meets it.
    Log(is_error || is_warning ? fmi2Warning : fmi2OK,
        is_error     ? kErrors2
        : is_warning ? kWarnings2
                     : kEvents2,
        std::string(line));
  }

  /// The logger takes a format: with doubled '%' it needs no arguments, which not all masters pass on.
  static std::string Escape(const std::string& text) {
    std::string format;
    for (const char c : text) format.append(c == '%' ? 2 : 1, c);
    return format;
  }

  std::string name_;
  fmi2CallbackFunctions callbacks_;
  bool is_logging_ = false;
  std::set<std::string, std::less<>> categories_;
  std::unique_ptr<FmuInstance> instance_;
};

inline Component2* Find2(fmi2Component c) { return static_cast<Component2*>(c); }

/// The same for what every function does first. Without an instance there is nobody to tell.
template <class Call>
fmi2Status Answer2(fmi2Component c, const char* function, Call call) {
  return c == nullptr ? fmi2Error : Find2(c)->Answer(function, call);
}

inline void RequireArray2(const void* first, std::size_t count) {
  if (count > 0 && first == nullptr) throw std::invalid_argument("an array is missing; give one");
}

inline fmi2Status Unsupported2(fmi2Component c, const char* function, const char* why) {
  return Answer2(c, function, [&](FmuInstance&) { throw std::logic_error(why); });
}

inline constexpr auto kWhole2 = {FmuType::kInteger, FmuType::kEnumeration};

}  // namespace davit
