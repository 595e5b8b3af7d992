#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/runtime/continuous_model.h"
#include "simulator/input_ramp.h"

namespace davit {

/// Where an instance is in the life that both versions of FMI prescribe.
enum class FmuPhase : std::uint8_t {
  kInstantiated,
  kInitialization,
  kStep,        ///< of co-simulation
  kEvent,       ///< event mode
  kContinuous,  ///< continuous-time mode, of model exchange
  kTerminated,
  kError,
  kIntermediate,  ///< of co-simulation: inside a step, while the master looks at it
};

/// What a master takes an instance for.
enum class FmuKind : std::uint8_t { kCoSimulation, kModelExchange };

/// What a master chooses for the run.
struct FmuExperiment {
  double start = 0;
  std::optional<double> stop = {};  ///< nothing: none is known
  double tolerance = 0;             ///< 0: that of the system file

  friend bool operator==(const FmuExperiment&, const FmuExperiment&) = default;
};

/// What a master has set before the run began, by value reference.
struct FmuSettings {
  std::map<std::uint32_t, double> numbers;
  std::map<std::uint32_t, std::string> texts;

  friend bool operator==(const FmuSettings&, const FmuSettings&) = default;
};

/// The derivatives of an input over the time, by order, that the next step begins with; 0: its value.
using FmuRamp = std::array<double, InputRamp::kTerms>;

/// Everything that an instance needs to continue from here.
struct FmuState {
  std::string token = {};  ///< of the FMU
  FmuPhase phase = FmuPhase::kInstantiated;
  std::optional<FmuExperiment> experiment = {};  ///< nothing: that of the system file
  FmuSettings settings = {};
  std::string snapshot = {};  ///< of the simulation; empty before the run has begun
  FmuKind kind = FmuKind::kCoSimulation;
  ContinuousModel::Memory continuous = {};      ///< of model exchange
  std::map<std::uint32_t, double> events = {};  ///< counters of events, by value reference
  std::map<std::uint32_t, FmuRamp> ramps = {};  ///< of inputs, by value reference
  bool has_ended = false;                       ///< the system has ended its run

  /// As bytes, without pointers: for another process that has the same FMU.
  std::string Serialize() const;
  /// Throws std::invalid_argument where the bytes are no state of the FMU that `token` names.
  static FmuState Deserialize(std::string_view bytes, std::string_view token);
};

}  // namespace davit
