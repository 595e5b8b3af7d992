#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "fmi/manifest/fmu_manifest.h"
#include "fmi/model_description.h"
#include "framework/diagnostics.h"

namespace davit {

/// A variable as `modelDescription.xml` declares it.
struct DescribedVariable {
  std::string name;
  std::uint32_t reference = 0;
  FmuType type = FmuType::kReal;
  std::string causality;
  std::string declared;  ///< the name of its type: `Real`, `Int64`
};

/// What `modelDescription.xml` of any FMU says, as far as davit needs it.
struct FmuDescription {
  FmiVersion version = FmiVersion::k2;
  std::string model_name;
  std::string token;  ///< guid or instantiationToken
  std::string tool;
  std::string co_simulation;   ///< modelIdentifier; empty where it is not of this kind
  std::string model_exchange;  ///< the same
  double start = 0;
  double stop = 1;
  double step = 0;       ///< 0: none is recommended
  double tolerance = 0;  ///< 0: none
  /// Scalars of the types Real, Integer, Boolean, Enumeration and String (3.0: Float64, Int32, Int64,
  /// Boolean, Enumeration, String).
  std::vector<DescribedVariable> variables;
  std::size_t others = 0;  ///< variables of other types, and arrays

  const DescribedVariable* Find(std::string_view name) const;
};

/// Reads a `modelDescription.xml`; faults go to `diagnostics` with their lines. Refused are versions other
/// than 2.0 and 3.0, doubled names, and numbers that are none.
FmuDescription ReadFmuDescription(const std::filesystem::path& file, Diagnostics& diagnostics);

}  // namespace davit
