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

namespace davit {
namespace {

constexpr const char* kEvents2 = "logEvents";
constexpr const char* kWarnings2 = "logStatusWarning";
constexpr const char* kErrors2 = "logStatusError";
constexpr const char* kDiscards2 = "logStatusDiscard";

/// An instance as a master of FMI 2.0 sees it.
class Component2 {
 public:
  Component2(std::string name, const fmi2CallbackFunctions& callbacks, bool is_logging)
      : name_(std::move(name)), callbacks_(callbacks), is_logging_(is_logging) {}

  void Load(const std::filesystem::path& resources) {
    instance_ = std::make_unique<FmuInstance>(
        resources, [this](RunLog::Severity severity, std::string_view line) { TakeLine(severity, line); });
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

Component2* Find2(fmi2Component c) { return static_cast<Component2*>(c); }

/// The same for what every function does first. Without an instance there is nobody to tell.
template <class Call>
fmi2Status Answer2(fmi2Component c, const char* function, Call call) {
  return c == nullptr ? fmi2Error : Find2(c)->Answer(function, call);
}

void RequireArray2(const void* first, std::size_t count) {
  if (count > 0 && first == nullptr) throw std::invalid_argument("an array is missing; give one");
}

fmi2Status Unsupported2(fmi2Component c, const char* function, const char* why) {
  return Answer2(c, function, [&](FmuInstance&) { throw std::logic_error(why); });
}

FmuState& StateOf2(fmi2FMUstate state) {
  if (state == nullptr) throw std::invalid_argument("there is no state; save one first");
  return *static_cast<FmuState*>(state);
}

constexpr auto kWhole2 = {FmuType::kInteger, FmuType::kEnumeration};

}  // namespace
}  // namespace davit

using namespace davit;  // NOLINT(google-build-using-namespace): the functions below belong to no namespace

const char* fmi2GetTypesPlatform() { return "default"; }
const char* fmi2GetVersion() { return "2.0"; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, std::size_t nCategories,
                               const fmi2String categories[]) {
  return Answer2(c, "fmi2SetDebugLogging", [&](FmuInstance&) {
    Find2(c)->SetLogging(loggingOn != fmi2False, nCategories, categories);
  });
}

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation, const fmi2CallbackFunctions* functions,
                              fmi2Boolean /*visible*/, fmi2Boolean loggingOn) {
  try {
    const std::string name = instanceName == nullptr ? "" : instanceName;
    auto component = std::make_unique<Component2>(
        name, functions == nullptr ? fmi2CallbackFunctions{} : *functions, loggingOn != fmi2False);
    const fmi2Status status = [&] {
      try {
        if (name.empty()) throw std::invalid_argument("the instance has no name; give it one");
        if (fmuType != fmi2CoSimulation) {
          throw std::invalid_argument(
              "this FMU is made for co-simulation only; instantiate it with fmi2CoSimulation");
        }
        if (fmuResourceLocation == nullptr) {
          throw std::invalid_argument(
              "no location of the resources was given; give the folder of the unpacked FMU, file:///...");
        }
        component->Load(ReadResourcePath(fmuResourceLocation));
        const std::string& token = component->instance().manifest().token;
        if (fmuGUID == nullptr || token != fmuGUID) {
          throw std::invalid_argument("the guid is not that of this FMU, " + token +
                                      "; modelDescription.xml and the binary must be of one export");
        }
        return fmi2OK;
      } catch (const std::exception& fault) {
        component->Log(fmi2Error, kErrors2, std::string("fmi2Instantiate: ") + fault.what());
        return fmi2Error;
      }
    }();
    return status == fmi2OK ? component.release() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

void fmi2FreeInstance(fmi2Component c) { delete Find2(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance,
                               fmi2Real startTime, fmi2Boolean stopTimeDefined, fmi2Real stopTime) {
  return Answer2(c, "fmi2SetupExperiment", [&](FmuInstance& instance) {
    FmuExperiment experiment{startTime, std::nullopt, 0};
    if (stopTimeDefined != fmi2False) experiment.stop = stopTime;
    if (toleranceDefined != fmi2False) experiment.tolerance = tolerance;
    instance.Setup(experiment);
  });
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return Answer2(c, "fmi2EnterInitializationMode",
                 [](FmuInstance& instance) { instance.EnterInitialization(); });
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return Answer2(c, "fmi2ExitInitializationMode",
                 [](FmuInstance& instance) { instance.ExitInitialization(); });
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return Answer2(c, "fmi2Terminate", [](FmuInstance& instance) { instance.Terminate(); });
}

fmi2Status fmi2Reset(fmi2Component c) {
  return Answer2(c, "fmi2Reset", [&](FmuInstance& instance) {
    instance.Reset();
    Find2(c)->is_terminated = false;
  });
}

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr, fmi2Real value[]) {
  return Answer2(c, "fmi2GetReal", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) value[i] = instance.Get(vr[i], {FmuType::kReal});
  });
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          fmi2Integer value[]) {
  return Answer2(c, "fmi2GetInteger", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) value[i] = static_cast<fmi2Integer>(instance.Get(vr[i], kWhole2));
  });
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          fmi2Boolean value[]) {
  return Answer2(c, "fmi2GetBoolean", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i)
      value[i] = instance.Get(vr[i], {FmuType::kBoolean}) != 0 ? fmi2True : fmi2False;
  });
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                         fmi2String value[]) {
  return Answer2(c, "fmi2GetString", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    std::deque<std::string>& texts = Find2(c)->texts;
    texts.clear();
    for (std::size_t i = 0; i < nvr; ++i) {
      texts.push_back(instance.GetText(vr[i]));
      value[i] = texts.back().c_str();
    }
  });
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                       const fmi2Real value[]) {
  return Answer2(c, "fmi2SetReal", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) instance.Set(vr[i], value[i], {FmuType::kReal});
  });
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          const fmi2Integer value[]) {
  return Answer2(c, "fmi2SetInteger", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) instance.Set(vr[i], value[i], kWhole2);
  });
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                          const fmi2Boolean value[]) {
  return Answer2(c, "fmi2SetBoolean", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i)
      instance.Set(vr[i], value[i] != fmi2False ? 1 : 0, {FmuType::kBoolean});
  });
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], std::size_t nvr,
                         const fmi2String value[]) {
  return Answer2(c, "fmi2SetString", [&](FmuInstance& instance) {
    RequireArray2(vr, nvr);
    RequireArray2(value, nvr);
    for (std::size_t i = 0; i < nvr; ++i) {
      if (value[i] == nullptr) throw std::invalid_argument("a text is missing; give one");
      instance.SetText(vr[i], value[i]);
    }
  });
}

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Answer2(c, "fmi2GetFMUstate", [&](FmuInstance& instance) {
    RequireArray2(state, 1);
    FmuState saved = instance.SaveState();
    if (*state == nullptr) {
      *state = new FmuState(std::move(saved));
    } else {
      StateOf2(*state) = std::move(saved);
    }
  });
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return Answer2(c, "fmi2SetFMUstate", [&](FmuInstance& instance) { instance.LoadState(StateOf2(state)); });
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  return Answer2(c, "fmi2FreeFMUstate", [&](FmuInstance&) {
    if (state == nullptr) return;
    delete static_cast<FmuState*>(*state);
    *state = nullptr;
  });
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, std::size_t* size) {
  return Answer2(c, "fmi2SerializedFMUstateSize", [&](FmuInstance& instance) {
    RequireArray2(size, 1);
    *size = StateOf2(state).Serialize(instance.manifest().token).size();
  });
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], std::size_t size) {
  return Answer2(c, "fmi2SerializeFMUstate", [&](FmuInstance& instance) {
    RequireArray2(bytes, size);
    const std::string text = StateOf2(state).Serialize(instance.manifest().token);
    if (size < text.size())
      throw std::invalid_argument("there is too little room; ask fmi2SerializedFMUstateSize for the size");
    std::memcpy(bytes, text.data(), text.size());
  });
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], std::size_t size,
                                   fmi2FMUstate* state) {
  return Answer2(c, "fmi2DeSerializeFMUstate", [&](FmuInstance& instance) {
    RequireArray2(bytes, size);
    RequireArray2(state, 1);
    auto read = std::make_unique<FmuState>(
        FmuState::Deserialize(std::string_view(bytes, size), instance.manifest().token));
    delete static_cast<FmuState*>(*state);
    *state = read.release();
  });
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference* /*unknowns*/,
                                        std::size_t /*nUnknowns*/, const fmi2ValueReference* /*knowns*/,
                                        std::size_t /*nKnowns*/, const fmi2Real* /*dvKnown*/,
                                        fmi2Real* /*dvUnknown*/) {
  return Unsupported2(
      c, "fmi2GetDirectionalDerivative",
      "this FMU provides no directional derivatives (providesDirectionalDerivative is false)");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference* /*vr*/, std::size_t /*nvr*/,
                                       const fmi2Integer* /*order*/, const fmi2Real* /*value*/) {
  return Unsupported2(c, "fmi2SetRealInputDerivatives",
                      "inputs are held during a step (canInterpolateInputs is false); take shorter steps");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference* /*vr*/,
                                        std::size_t /*nvr*/, const fmi2Integer* /*order*/,
                                        fmi2Real* /*value*/) {
  return Unsupported2(
      c, "fmi2GetRealOutputDerivatives",
      "this FMU has no derivatives of outputs (maxOutputDerivativeOrder is 0); read der(...)");
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean /*noSetFMUStatePriorToCurrentPoint*/) {
  return Answer2(c, "fmi2DoStep", [&](FmuInstance& instance) {
    std::string reason;
    const FmuStep end = instance.DoStep(currentCommunicationPoint, communicationStepSize, reason);
    Find2(c)->is_terminated = end == FmuStep::kTerminated;
    if (end == FmuStep::kDone) return fmi2OK;
    Find2(c)->Log(fmi2Discard, kDiscards2, "fmi2DoStep: " + reason);
    return fmi2Discard;
  });
}

fmi2Status fmi2CancelStep(fmi2Component c) {
  return Unsupported2(c, "fmi2CancelStep", "no step is under way: steps of this FMU are never asynchronous");
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2Status* /*value*/) {
  return Unsupported2(c, "fmi2GetStatus",
                      "steps of this FMU are never asynchronous; there is no status to ask for");
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  return Answer2(c, "fmi2GetRealStatus", [&](FmuInstance& instance) {
    RequireArray2(value, 1);
    if (kind != fmi2LastSuccessfulTime)
      throw std::invalid_argument("only fmi2LastSuccessfulTime is a number");
    *value = instance.time();
  });
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2Integer* /*value*/) {
  return Unsupported2(c, "fmi2GetIntegerStatus", "FMI 2.0 defines no status that is an integer");
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  return Answer2(c, "fmi2GetBooleanStatus", [&](FmuInstance&) {
    RequireArray2(value, 1);
    if (kind != fmi2Terminated) throw std::invalid_argument("only fmi2Terminated is a condition");
    *value = Find2(c)->is_terminated ? fmi2True : fmi2False;
  });
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind /*kind*/, fmi2String* /*value*/) {
  return Unsupported2(c, "fmi2GetStringStatus",
                      "steps of this FMU are never asynchronous; nothing is pending");
}
