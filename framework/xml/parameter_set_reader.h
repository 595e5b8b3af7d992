#pragma once

#include <tinyxml2.h>

#include <optional>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/units/unit_system.h"
#include "framework/xml/file_source.h"

namespace davit {

/// A parameter of a parameter set: what `--set PATH=VALUE` would say.
struct SetParameter {
  std::string path;
  std::string value;  ///< a number in SI, or with its unit; the name of an option; a text
  SourceLocation location;
};

/// Reads a parameter set of SSP 1.0 or 2.0: `FILE.ssv`, or `FILE.ssv,FILE.ssm` with a mapping of its names to
/// paths. Without a mapping the names are paths; with one, what it does not name is left out. Units are those
/// that davit knows, else those of the set's `<Units>`. Faults go to `diagnostics`.
std::vector<SetParameter> ReadParameterSet(const std::string& names, const FileSource& files,
                                           const UnitSystem& units, Diagnostics& diagnostics);

/// A `<ParameterSet>` or a `<ParameterMapping>`: a file, or an element of one.
struct ParameterSource {
  std::string file;
  const tinyxml2::XMLElement* element = nullptr;  ///< null: the root of the file
  std::optional<TextResult> text = {};            ///< of the file; nothing: it is on the disk
};

/// The same of these. `more_units`, unless null, is a further `<Units>`.
std::vector<SetParameter> ReadParameterSet(const ParameterSource& set,
                                           const std::optional<ParameterSource>& mapping,
                                           const tinyxml2::XMLElement* more_units, const FileSource& files,
                                           const UnitSystem& units, Diagnostics& diagnostics);

}  // namespace davit
