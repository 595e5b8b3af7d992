#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/xml/file_source.h"

namespace davit::hopsan {

/// What a .hmf file says, with the names as Hopsan cleans them (CleanName).

/// `x`, `x#Value` or `Port#Variable`, and the text of its value.
struct HmfParameter {
  std::string name;
  std::string value;
  std::string type;  ///< of system parameters
  SourceLocation place;
  bool is_start = false;  ///< it was a `startvalue` of an old file
};

struct HmfPose {
  double x = 0, y = 0, angle = 0;
  bool is_flipped = false;
};

struct HmfComponent {
  std::string type;
  std::string name;
  bool is_disabled = false;
  std::vector<HmfParameter> parameters;
  std::optional<HmfPose> pose;
  SourceLocation place;
};

struct HmfEnd {
  std::string component, port;
};

struct HmfConnect {
  HmfEnd start, end;
  SourceLocation place;
};

struct HmfSystem;

/// One thing of a system, in the order of the file: exactly one of the three is meant.
struct HmfObject {
  std::unique_ptr<HmfComponent> component = nullptr;
  std::unique_ptr<HmfSystem> system = nullptr;
  std::string port = {};  ///< of a system port: its name
  SourceLocation place = {};
};

struct HmfSystem {
  std::string name;
  bool is_disabled = false;
  bool is_conditional = false;
  bool inherits_time_step = true;
  double start = 0, stop = 0, time_step = 1e-3;
  std::optional<double> log_samples, log_start;
  std::vector<HmfParameter> parameters;
  std::string script;
  std::size_t alias_count = 0;
  std::vector<HmfObject> objects;
  std::vector<HmfConnect> connects;
  std::optional<HmfPose> pose;
  SourceLocation place;
};

struct HmfFile {
  std::string core_version;
  HmfSystem system;
};

/// Every character outside of [A-Za-z0-9] becomes `_`, as in Hopsan.
std::string CleanName(std::string_view name);

/// Reads a file and the external systems it names. Faults go to `diagnostics`; null where it is no such file.
/// `text` replaces the text of the file; the others come from `files`, null: from the disk.
std::unique_ptr<HmfFile> ReadHmf(const std::filesystem::path& file, const std::string* text,
                                 const FileSource* files, Diagnostics& diagnostics);

}  // namespace davit::hopsan
