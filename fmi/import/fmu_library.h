#pragma once

#include <atomic>
#include <cstdarg>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/import/foreign_fmu.h"

namespace davit {

/// The shared library of an FMU. It stays loaded when the object ends: many libraries do not survive being
/// unloaded, as their threads and handlers remain.
class ForeignLibrary {
 public:
  /// Throws FmuFailure.
  explicit ForeignLibrary(const std::filesystem::path& file);
  ~ForeignLibrary();
  ForeignLibrary(const ForeignLibrary&) = delete;
  ForeignLibrary& operator=(const ForeignLibrary&) = delete;

  /// Null where there is none of this name.
  void* Find(const char* name) const;
  /// The same as a function of the type Function.
  template <class Function>
  Function* Get(const char* name) const {
    return reinterpret_cast<Function*>(Find(name));
  }
  /// A function that must be there: throws FmuFailure.
  template <class Function>
  Function* Need(const char* name) const {
    auto* const function = Get<Function>(name);
    if (function == nullptr) FailWithout(name);
    return function;
  }

 private:
  [[noreturn]] static void FailWithout(const char* name);

  void* handle_ = nullptr;
};

/// A function of a library, looked up when it is called first: `ForeignFunction<decltype(fmi2DoStep)>`.
template <class Function>
class ForeignFunction {
 public:
  /// `library` outlives it.
  ForeignFunction(const ForeignLibrary& library, const char* name) : library_(library), name_(name) {}

  /// Throws FmuFailure where the library has no such function.
  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    if (function_ == nullptr) function_ = library_.Need<Function>(name_);
    return function_(arguments...);
  }

 private:
  const ForeignLibrary& library_;
  const char* name_;
  Function* function_ = nullptr;
};

/// What an FMU has logged, from any of its threads.
class ForeignLog {
 public:
  ForeignLog() = default;
  ~ForeignLog();
  ForeignLog(const ForeignLog&) = delete;
  ForeignLog& operator=(const ForeignLog&) = delete;

  void Add(bool is_error, std::string_view text);
  /// Adds to the log that an FMU names as its environment. Many FMUs name something else, or nothing: nobody
  /// knows whose lines they are, and they are dropped.
  static void AddTo(const void* environment, bool is_error, std::string_view text);
  std::vector<FmuLogLine> Take();
  bool is_empty() const { return is_empty_.load(std::memory_order_acquire); }
  /// `function answered answer: lines; lines`.
  [[noreturn]] void Fail(std::string_view function, std::string_view answer);

 private:
  const ForeignLog* self_ = this;  ///< what tells a log from what an FMU may name in its place
  std::atomic<bool> is_empty_ = true;
  std::mutex mutex_;
  std::vector<FmuLogLine> lines_;
  std::size_t lost_ = 0;
};

/// The message of a log function as printf makes it; as it is where it is no format, such as `100 %`.
std::string FormatForeignLine(const char* message, std::va_list arguments);

/// The name of a status, which both versions number alike.
std::string_view NameOfFmiStatus(int status);

std::unique_ptr<ForeignFmu> MakeForeignFmu2(const FmuDescription& description,
                                            const ForeignFmuSource& source);
std::unique_ptr<ForeignFmu> MakeForeignFmu3(const FmuDescription& description,
                                            const ForeignFmuSource& source);

}  // namespace davit
