#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi/manifest/fmu_manifest.h"
#include "fmi/model_description.h"
#include "framework/diagnostics.h"

namespace davit {

class ZipReader;

/// The types of both versions by the names of 3.0: a Real of 2.0 is a Float64, an Integer an Int32.
enum class FmuBaseType : std::uint8_t {
  kFloat64,
  kFloat32,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kBoolean,
  kEnumeration,
  kString,
  kBinary,
  kClock
};

/// The attributes of a `<BaseUnit>` that are exponents.
inline constexpr std::array<const char*, 8> kFmiBaseUnits{"kg", "m", "s", "A", "K", "mol", "cd", "rad"};

/// A unit as `<UnitDefinitions>` has it: SI = factor * value + offset.
struct DescribedUnit {
  std::string name;
  bool has_base = false;           ///< else nothing but its name is known
  std::array<int, 8> exponents{};  ///< of kFmiBaseUnits
  double factor = 1;
  double offset = 0;
};

/// One size of an array: a number, or that of a structural parameter.
struct DescribedDimension {
  std::uint64_t size = 0;
  std::optional<std::uint32_t> reference;  ///< of the parameter, which then counts
};

/// A variable as `modelDescription.xml` declares it.
struct DescribedVariable {
  std::string name;
  std::uint32_t reference = 0;
  FmuType type = FmuType::kReal;  ///< of a scalar
  FmuBaseType base = FmuBaseType::kFloat64;
  std::string causality;    ///< `local` where none is given
  std::string variability;  ///< what the standard means where none is given
  std::string initial;      ///< as given
  std::string declared;     ///< the name of its type: `Real`, `Int64`
  std::string text;
  std::string unit;  ///< a name in `units`; empty: none
  std::vector<double> start;
  std::string start_text;  ///< of a String
  bool has_start = false;
  std::optional<double> min, max, nominal;
  std::optional<std::uint32_t> derivative_of;  ///< 2.0: number in `variables`; 3.0: value reference
  std::vector<DescribedDimension> dimensions;  ///< empty: a scalar
  std::vector<std::pair<std::string, std::int64_t>> options;  ///< of an enumeration
  bool is_clocked = false;
  /// Of an output or a derivative: the numbers of the variables that its equation reads, ascending; nothing
  /// where the file does not say.
  std::optional<std::vector<std::size_t>> dependencies = {};
  int line = 0;

  bool is_array() const { return !dimensions.empty(); }
  /// Whether it is a number of any kind.
  bool is_number() const { return base < FmuBaseType::kString; }
  bool is_float() const { return base <= FmuBaseType::kFloat32; }
  bool is_continuous() const { return variability == "continuous"; }
};

/// What an FMU says it can do as one of its kinds.
struct FmuCapabilities {
  bool has_state = false;  ///< canGetAndSetFMUState
  bool has_serialized_state = false;
  bool is_once_per_process = false;
  bool needs_tool = false;
  bool has_variable_steps = false;   ///< co-simulation
  bool interpolates_inputs = false;  ///< co-simulation 2.0: it takes derivatives of inputs
  bool has_directional_derivatives = false;
  bool needs_completed_steps = true;  ///< model exchange
  double fixed_step = 0;              ///< co-simulation 3.0; 0: none
};

/// What an FMU of davit says of states that take part at some levels only (kStatesInUse).
struct DescribedUse {
  std::size_t variable = 0;         ///< a Boolean, by its number in `variables`
  std::vector<std::size_t> states;  ///< numbers in `states`
};

/// What `modelDescription.xml` of any FMU says, as far as davit needs it.
struct FmuDescription {
  FmiVersion version = FmiVersion::k2;
  std::string model_name;
  std::string text;
  std::string token;  ///< guid or instantiationToken
  std::string tool;
  std::string co_simulation;   ///< modelIdentifier; empty where it is not of this kind
  std::string model_exchange;  ///< the same
  bool has_scheduled_execution = false;
  FmuCapabilities as_co_simulation, as_model_exchange;
  double start = 0;
  double stop = 1;
  bool has_stop = false;
  double step = 0;       ///< 0: none is recommended
  double tolerance = 0;  ///< 0: none
  std::vector<DescribedUnit> units;
  /// All of them, in the order of the file.
  std::vector<DescribedVariable> variables;
  /// The continuous states and their derivatives, in the same order: numbers in `variables`.
  std::vector<std::size_t> states, derivatives;
  std::vector<DescribedUse> uses;                ///< of states; those that are in none always take part
  std::size_t event_indicators = 0;              ///< of 2.0
  std::vector<std::size_t> indicator_variables;  ///< of 3.0: numbers in `variables`

  const DescribedVariable* Find(std::string_view name) const;
  /// Whether its equation may read an input: only what says so does not.
  bool DependsOnInputs(const DescribedVariable& variable) const;
  const DescribedUnit* FindUnit(std::string_view name) const;
};

inline constexpr std::string_view kFmuDescription = "modelDescription.xml";  ///< in an FMU
inline constexpr std::string_view kBinaries = "binaries";                    ///< its folder of libraries

/// Reads a `modelDescription.xml`; faults go to `diagnostics` with their lines. Refused are versions other
/// than 2.0 and 3.0, doubled names, units and types that are not declared, and numbers that are none.
/// `shown` replaces the file in messages, such as `engine.fmu/modelDescription.xml`.
FmuDescription ReadFmuDescription(const std::filesystem::path& file, Diagnostics& diagnostics,
                                  const std::string& shown = {});
/// The same of an FMU that is still packed.
FmuDescription ReadFmuDescription(const ZipReader& fmu, Diagnostics& diagnostics, const std::string& shown);

/// The files in `binaries/` of an FMU that is unpacked in a folder, as ZipReader::FilesBelow lists them:
/// `linux64/engine.so`.
std::vector<std::string> BinariesOf(const std::filesystem::path& folder);
/// The platforms that these are for.
std::vector<std::string> PlatformsOf(const std::vector<std::string>& binaries);

}  // namespace davit
