#include "fmi/import/fmu_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <utility>

#include "framework/library/shared_library.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLines = 100;

// Its own functions come first: many libraries bring a solver, zlib or HDF5 along and show their names, which
// davit has too. The sanitizers cannot load a library in this way.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kLoading = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
#else
constexpr int kLoading = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE | RTLD_DEEPBIND;
#endif

/// What an FMU of a version and kind must have. Missing others are found out when they are called.
std::vector<std::string> NeededFunctions(const FmuDescription& description, FmuKind kind) {
  const bool is_me = kind == FmuKind::kModelExchange;
  if (description.version == FmiVersion::k2) {
    std::vector<std::string> names{"fmi2Instantiate",
                                   "fmi2FreeInstance",
                                   "fmi2SetupExperiment",
                                   "fmi2EnterInitializationMode",
                                   "fmi2ExitInitializationMode",
                                   "fmi2GetReal",
                                   "fmi2SetReal"};
    if (!is_me) {
      names.emplace_back("fmi2DoStep");
    } else {
      names.insert(names.end(), {"fmi2EnterEventMode", "fmi2NewDiscreteStates", "fmi2EnterContinuousTimeMode",
                                 "fmi2SetTime", "fmi2SetContinuousStates", "fmi2GetDerivatives"});
      if (description.event_indicators > 0) names.emplace_back("fmi2GetEventIndicators");
    }
    return names;
  }
  std::vector<std::string> names{"fmi3FreeInstance", "fmi3EnterInitializationMode",
                                 "fmi3ExitInitializationMode", "fmi3GetFloat64", "fmi3SetFloat64"};
  if (!is_me) {
    names.insert(names.end(), {"fmi3InstantiateCoSimulation", "fmi3DoStep"});
  } else {
    names.insert(names.end(), {"fmi3InstantiateModelExchange", "fmi3EnterEventMode",
                               "fmi3UpdateDiscreteStates", "fmi3EnterContinuousTimeMode", "fmi3SetTime",
                               "fmi3SetContinuousStates", "fmi3GetContinuousStateDerivatives"});
    if (!description.indicator_variables.empty()) names.emplace_back("fmi3GetEventIndicators");
  }
  return names;
}

/// In `binaries/`.
std::string PlatformOf(const FmuDescription& description) {
  return description.version == FmiVersion::k2 ? "linux64" : "x86_64-linux";
}
std::string BinaryOf(const FmuDescription& description, FmuKind kind) {
  const std::string& name =
      kind == FmuKind::kModelExchange ? description.model_exchange : description.co_simulation;
  return fmt::format("{}/{}.so", PlatformOf(description), name);
}

/// A library as its FMU names it: `binaries/linux64/engine.so`.
std::string EntryOf(const fs::path& library) {
  return library.lexically_relative(library.parent_path().parent_path().parent_path()).string();
}

}  // namespace

ForeignLibrary::ForeignLibrary(const fs::path& file) {
  LibraryResult opened = OpenLibrary(file, kLoading);
  if (opened.handle == nullptr)
    throw FmuFailure(fmt::format("its library {} cannot be loaded: {}", EntryOf(file), opened.fault));
  handle_ = opened.handle;
}

ForeignLibrary::~ForeignLibrary() { dlclose(handle_); }

void* ForeignLibrary::Find(const char* name) const { return dlsym(handle_, name); }

void ForeignLibrary::FailWithout(const char* name) {
  throw FmuFailure(fmt::format("its library has no function {}; the FMU is not complete", name));
}

ForeignLog::~ForeignLog() { self_ = nullptr; }

void ForeignLog::AddTo(const void* environment, bool is_error, std::string_view text) {
  // Some FMUs name a number, or a pointer to something of their own.
  const auto address = reinterpret_cast<std::uintptr_t>(environment);
  if (address == 0 || address % alignof(ForeignLog) != 0) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  unsigned char is_resident = 0;
  if (mincore(reinterpret_cast<void*>(address - address % page), 1, &is_resident) != 0) return;
  auto* const log = static_cast<ForeignLog*>(const_cast<void*>(environment));
  if (log->self_ == log) log->Add(is_error, text);
}

void ForeignLog::Add(bool is_error, std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  text = text.substr(0, end == std::string_view::npos ? 0 : end + 1);
  if (text.empty()) return;
  const std::scoped_lock lock(mutex_);
  is_empty_.store(false, std::memory_order_release);
  if (lines_.size() < kMostLines) {
    lines_.push_back({is_error, std::string(text.substr(0, 2000))});
  } else {
    ++lost_;
  }
}

std::vector<FmuLogLine> ForeignLog::Take() {
  if (is_empty()) return {};
  const std::scoped_lock lock(mutex_);
  if (lost_ > 0) lines_.push_back({false, fmt::format("{} more lines were dropped", lost_)});
  lost_ = 0;
  is_empty_.store(true, std::memory_order_release);
  return std::exchange(lines_, {});
}

void ForeignLog::Fail(std::string_view function, std::string_view answer) {
  std::vector<std::string> texts;
  for (const FmuLogLine& line : Take()) texts.push_back(line.text);
  throw FmuFailure(
      fmt::format("{} answered {}{}{}", function, answer, texts.empty() ? "" : ": ", fmt::join(texts, "; ")));
}

std::string FormatForeignLine(const char* message, std::va_list arguments) {
  constexpr std::string_view kFlags = "0123456789-+ #.*'hlLqjzt";
  const std::string_view all = message;
  // %n writes; at the end % begins nothing.
  for (std::size_t i = all.find('%'); i < all.size(); i = all.find('%', i)) {
    i = all.find_first_not_of(kFlags, i + 1);
    if (i >= all.size() || all[i] == 'n') return message;
    ++i;
  }
  char text[2048];
  return std::vsnprintf(text, sizeof text, message, arguments) < 0 ? message : text;
}

std::string_view NameOfFmiStatus(int status) {
  constexpr std::string_view kNames[] = {"OK", "warning", "discard", "error", "fatal", "pending"};
  return status >= 0 && status < 6 ? kNames[status] : "a number that is not a status";
}

fs::path LibraryOf(const FmuDescription& description, FmuKind kind, const fs::path& folder) {
  return folder / kBinaries / BinaryOf(description, kind);
}

std::string FindBinaryFault(const FmuDescription& description, FmuKind kind,
                            const std::vector<std::string>& binaries) {
  const std::string wanted = BinaryOf(description, kind);
  if (std::ranges::find(binaries, wanted) != binaries.end()) return {};
  const std::string platform = PlatformOf(description) + "/";
  std::vector<std::string> others;
  for (const std::string& name : binaries) {
    if (name.starts_with(platform)) others.push_back(name.substr(platform.size()));
  }
  if (others.empty()) others = PlatformsOf(binaries);
  return fmt::format("it has no binary for this machine, {}/{}; it has {}; ask its maker for one", kBinaries,
                     wanted, others.empty() ? "none" : fmt::format("{}", fmt::join(others, ", ")));
}

std::string FindLibraryFault(const FmuDescription& description, FmuKind kind, const fs::path& folder) {
  std::string fault = FindBinaryFault(description, kind, BinariesOf(folder));
  if (!fault.empty()) return fault;
  try {
    const ForeignLibrary library(LibraryOf(description, kind, folder));
    std::vector<std::string> missing;
    for (const std::string& name : NeededFunctions(description, kind)) {
      if (library.Find(name.c_str()) == nullptr) missing.push_back(name);
    }
    if (missing.empty()) return {};
    return fmt::format("its library has no function {}; the FMU is not complete, ask its maker",
                       fmt::join(missing, ", "));
  } catch (const FmuFailure& failure) {
    return failure.what();
  }
}

std::unique_ptr<ForeignFmu> MakeForeignFmu(const FmuDescription& description,
                                           const ForeignFmuSource& source) {
  return description.version == FmiVersion::k2 ? MakeForeignFmu2(description, source)
                                               : MakeForeignFmu3(description, source);
}

}  // namespace davit
