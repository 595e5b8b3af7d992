#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "fmi/import/fmu_component.h"
#include "framework/diagnostics.h"
#include "framework/tree/component_pool.h"
#include "framework/units/unit_system.h"
#include "framework/xml/system_description.h"
#include "session/model_description.h"

namespace davit {

/// An FMU without a system round it: what it has, and a system that runs it alone.
class LoneFmu {
 public:
  /// Reads its description; its library is not loaded. Faults go to `diagnostics`: then nothing else may be
  /// called. `attributes`: further ones of fmi.Fmu, such as kind.
  LoneFmu(const std::filesystem::path& file, FileDescribed::Attributes attributes, Diagnostics& diagnostics);
  ~LoneFmu();
  LoneFmu(const LoneFmu&) = delete;
  LoneFmu& operator=(const LoneFmu&) = delete;

  /// Whether a file is taken for an FMU: by its name.
  static bool IsFmu(const std::filesystem::path& file) { return file.extension() == ".fmu"; }

  ModelDescription Describe() const;
  /// A system that runs the FMU through its default experiment, to be read as a file beside it.
  /// `input`: a CSV of inputs over the time, by their names in the FMU, in its units. Faults go to
  /// `diagnostics`.
  std::shared_ptr<const SystemDescription> MakeSystem(const std::optional<std::filesystem::path>& input,
                                                      Diagnostics& diagnostics) const;
  /// The name of the component in that system.
  const std::string& name() const { return name_; }
  const FmuPorts& ports() const { return component_->ports(); }
  const FmuDescription& description() const { return *component_->description(); }

 private:
  std::filesystem::path file_;
  FileDescribed::Attributes attributes_;
  std::string name_;
  UnitSystem units_;
  ComponentPool pool_;
  FmuComponent* component_ = nullptr;
};

}  // namespace davit
