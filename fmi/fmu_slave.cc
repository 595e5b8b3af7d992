#include "fmi/fmu_slave.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

#include "fmi/abi/abi2.h"
#include "fmi/abi/abi3.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

/// A shared library that is closed again.
class FmuLibrary {
 public:
  explicit FmuLibrary(const fs::path& file)
      : file_(file), handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr)
      throw std::runtime_error(fmt::format("{}: error: it cannot be loaded: {}", file.string(), dlerror()));
  }
  ~FmuLibrary() { dlclose(handle_); }
  FmuLibrary(const FmuLibrary&) = delete;
  FmuLibrary& operator=(const FmuLibrary&) = delete;

  template <class Function>
  Function* Get(const char* name) const {
    void* const function = dlsym(handle_, name);
    if (function == nullptr) {
      throw std::runtime_error(
          fmt::format("{}: error: it has no function {}; the FMU is not complete", file_.string(), name));
    }
    return reinterpret_cast<Function*>(function);
  }

 private:
  fs::path file_;
  void* handle_;
};

/// Member of a table of functions, found by its name.
#define DAVIT_FMI_MEMBER(FUNCTION) \
  decltype(::FUNCTION)* FUNCTION = library.Get<decltype(::FUNCTION)>(#FUNCTION)

/// What an FMU has said since the last question.
class FmuLog {
 public:
  void Add(std::string_view text) {
    constexpr std::size_t kMost = 20;
    if (lines_.size() < kMost) lines_.emplace_back(text);
  }
  [[noreturn]] void Fail(const char* function, const std::string& answer) {
    throw std::runtime_error(fmt::format("error: {} answered {}{}{}", function, answer,
                                         lines_.empty() ? "" : ": ", fmt::join(lines_, "; ")));
  }

 private:
  std::vector<std::string> lines_;
};

void TakeLogLine2(fmi2ComponentEnvironment environment, fmi2String /*instance*/, fmi2Status status,
                  fmi2String /*category*/, fmi2String message, ...) {
  if (environment == nullptr || message == nullptr || status == fmi2OK) return;
  char text[2048];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  static_cast<FmuLog*>(environment)->Add(text);
}

void TakeLogLine3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String /*category*/,
                  fmi3String message) {
  if (environment == nullptr || message == nullptr || status == fmi3OK) return;
  static_cast<FmuLog*>(environment)->Add(message);
}

std::string NameOfStatus(int status) {
  constexpr const char* kNames[] = {"OK", "warning", "discard", "error", "fatal", "pending"};
  return status >= 0 && status < 6 ? kNames[status] : std::to_string(status);
}

class FmuSlave2 final : public FmuSlave {
 public:
  FmuSlave2(const fs::path& file, const fs::path& resources, const FmuDescription& description)
      : library(file) {
    callbacks_ = {TakeLogLine2, std::calloc, std::free, nullptr, &log_};
    component_ =
        fmi2Instantiate(description.co_simulation.c_str(), fmi2CoSimulation, description.token.c_str(),
                        ("file://" + resources.string()).c_str(), &callbacks_, fmi2False, fmi2False);
    if (component_ == nullptr) log_.Fail("fmi2Instantiate", "with no instance");
  }
  ~FmuSlave2() override { fmi2FreeInstance(component_); }

  void Initialize(double start, double stop) override {
    Check("fmi2SetupExperiment", fmi2SetupExperiment(component_, fmi2False, 0, start, fmi2True, stop));
    Check("fmi2EnterInitializationMode", fmi2EnterInitializationMode(component_));
    Check("fmi2ExitInitializationMode", fmi2ExitInitializationMode(component_));
  }

  bool Step(double t, double size) override {
    const fmi2Status status = fmi2DoStep(component_, t, size, fmi2True);
    if (status == fmi2Discard) {
      fmi2Boolean is_terminated = fmi2False;
      if (fmi2GetBooleanStatus(component_, fmi2Terminated, &is_terminated) == fmi2OK &&
          is_terminated != fmi2False)
        return false;
    }
    Check("fmi2DoStep", status);
    return true;
  }

  double Read(const DescribedVariable& variable) override {
    const fmi2ValueReference reference = variable.reference;
    if (variable.type == FmuType::kReal) {
      fmi2Real value = 0;
      Check("fmi2GetReal", fmi2GetReal(component_, &reference, 1, &value));
      return value;
    }
    fmi2Integer value = 0;
    if (variable.type == FmuType::kBoolean) {
      Check("fmi2GetBoolean", fmi2GetBoolean(component_, &reference, 1, &value));
      return value != fmi2False ? 1 : 0;
    }
    Check("fmi2GetInteger", fmi2GetInteger(component_, &reference, 1, &value));
    return value;
  }

 private:
  void Check(const char* function, fmi2Status status) {
    if (status != fmi2OK && status != fmi2Warning) log_.Fail(function, NameOfStatus(status));
  }

  FmuLibrary library;
  FmuLog log_;
  fmi2CallbackFunctions callbacks_{};
  DAVIT_FMI_MEMBER(fmi2Instantiate);
  DAVIT_FMI_MEMBER(fmi2FreeInstance);
  DAVIT_FMI_MEMBER(fmi2SetupExperiment);
  DAVIT_FMI_MEMBER(fmi2EnterInitializationMode);
  DAVIT_FMI_MEMBER(fmi2ExitInitializationMode);
  DAVIT_FMI_MEMBER(fmi2DoStep);
  DAVIT_FMI_MEMBER(fmi2GetBooleanStatus);
  DAVIT_FMI_MEMBER(fmi2GetReal);
  DAVIT_FMI_MEMBER(fmi2GetInteger);
  DAVIT_FMI_MEMBER(fmi2GetBoolean);
  fmi2Component component_ = nullptr;
};

class FmuSlave3 final : public FmuSlave {
 public:
  FmuSlave3(const fs::path& file, const fs::path& resources, const FmuDescription& description)
      : library(file) {
    instance_ = fmi3InstantiateCoSimulation(description.co_simulation.c_str(), description.token.c_str(),
                                            (resources.string() + "/").c_str(), false, false, false, false,
                                            nullptr, 0, &log_, TakeLogLine3, nullptr);
    if (instance_ == nullptr) log_.Fail("fmi3InstantiateCoSimulation", "with no instance");
  }
  ~FmuSlave3() override { fmi3FreeInstance(instance_); }

  void Initialize(double start, double stop) override {
    Check("fmi3EnterInitializationMode", fmi3EnterInitializationMode(instance_, false, 0, start, true, stop));
    Check("fmi3ExitInitializationMode", fmi3ExitInitializationMode(instance_));
  }

  bool Step(double t, double size) override {
    bool has_event = false;
    bool is_terminated = false;
    bool is_early = false;
    double reached = t;
    Check("fmi3DoStep",
          fmi3DoStep(instance_, t, size, true, &has_event, &is_terminated, &is_early, &reached));
    return !is_terminated;
  }

  double Read(const DescribedVariable& variable) override {
    const fmi3ValueReference reference = variable.reference;
    switch (variable.type) {
      case FmuType::kReal: return Get<double>("fmi3GetFloat64", fmi3GetFloat64, reference);
      case FmuType::kBoolean: return Get<bool>("fmi3GetBoolean", fmi3GetBoolean, reference) ? 1 : 0;
      case FmuType::kInteger: return Get<std::int32_t>("fmi3GetInt32", fmi3GetInt32, reference);
      default: return static_cast<double>(Get<std::int64_t>("fmi3GetInt64", fmi3GetInt64, reference));
    }
  }

 private:
  template <class T, class Function>
  T Get(const char* name, Function* function, fmi3ValueReference reference) {
    T value{};
    Check(name, function(instance_, &reference, 1, &value, 1));
    return value;
  }
  void Check(const char* function, fmi3Status status) {
    if (status != fmi3OK && status != fmi3Warning) log_.Fail(function, NameOfStatus(status));
  }

  FmuLibrary library;
  FmuLog log_;
  DAVIT_FMI_MEMBER(fmi3InstantiateCoSimulation);
  DAVIT_FMI_MEMBER(fmi3FreeInstance);
  DAVIT_FMI_MEMBER(fmi3EnterInitializationMode);
  DAVIT_FMI_MEMBER(fmi3ExitInitializationMode);
  DAVIT_FMI_MEMBER(fmi3DoStep);
  DAVIT_FMI_MEMBER(fmi3GetFloat64);
  DAVIT_FMI_MEMBER(fmi3GetInt32);
  DAVIT_FMI_MEMBER(fmi3GetInt64);
  DAVIT_FMI_MEMBER(fmi3GetBoolean);
  fmi3Instance instance_ = nullptr;
};

#undef DAVIT_FMI_MEMBER

}  // namespace

std::vector<std::string> PlatformsOf(const fs::path& folder) {
  std::vector<std::string> platforms;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(folder / "binaries", fault))
    platforms.push_back(entry.path().filename().string());
  std::ranges::sort(platforms);
  return platforms;
}

std::unique_ptr<FmuSlave> FmuSlave::Load(const fs::path& folder, const FmuDescription& description) {
  const bool is_2 = description.version == FmiVersion::k2;
  if (description.co_simulation.empty())
    throw std::runtime_error("error: it is no FMU for co-simulation; davit runs that kind only so far");
  const char* const platform = is_2 ? "linux64" : "x86_64-linux";
  const fs::path file = folder / "binaries" / platform / (description.co_simulation + ".so");
  if (!fs::exists(file)) {
    const std::vector<std::string> platforms = PlatformsOf(folder);
    throw std::runtime_error(fmt::format(
        "error: it has no binary for this machine, binaries/{}/{}.so; it has {}; ask its maker for one",
        platform, description.co_simulation,
        platforms.empty() ? "none" : fmt::format("{}", fmt::join(platforms, ", "))));
  }
  const fs::path resources = fs::absolute(folder / "resources");
  if (is_2) return std::make_unique<FmuSlave2>(file, resources, description);
  return std::make_unique<FmuSlave3>(file, resources, description);
}

}  // namespace davit
