#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fmi/fmu_description.h"

namespace davit {

/// An instance of an FMU for co-simulation, of either version, driven as a master does. It is foreign code:
/// what it does wrong can end the program.
///
/// Call sequence: Load; Initialize; then Step and Read in turns. All functions throw std::runtime_error with
/// the function of the FMU that has failed, what it answered and what it has logged.
class FmuSlave {
 public:
  /// Loads the library of the FMU that is unpacked in `folder`, and makes an instance.
  static std::unique_ptr<FmuSlave> Load(const std::filesystem::path& folder,
                                        const FmuDescription& description);
  virtual ~FmuSlave() = default;

  virtual void Initialize(double start, double stop) = 0;
  /// False where the FMU has ended its run.
  virtual bool Step(double t, double size) = 0;
  /// The number of a variable: of a condition 0 or 1. Pre: it is no text.
  virtual double Read(const DescribedVariable& variable) = 0;
};

/// The folders of `binaries/`: the platforms that an FMU is made for.
std::vector<std::string> PlatformsOf(const std::filesystem::path& folder);

}  // namespace davit
