#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fmi/abi/abi2.h"
#include "fmi/abi/abi3.h"
#include "fmi/fmu_export.h"
#include "framework/plugin.h"
#include "session/simulation.h"

namespace davit {

/// All models of davit, and those of the plug-ins van_der_pol, oscillators and own_chart of tests/plugins.
const Registry& FmuModels();
/// Those of these plug-ins that a system file names.
std::vector<LoadedPlugin> PluginsOf(const std::filesystem::path& system);

std::filesystem::path ExampleSystem(const std::string& name);
/// A folder for the files of the present test; empty when the test begins.
std::filesystem::path FreshFolder();

/// A folder with a system that is nothing but a chart, which counts what it is sent.
std::filesystem::path WriteChartSystem(const std::filesystem::path& folder);

/// A folder with a system whose chart of ECMAScript decides how long a lamp is on, 10, 20, 30 ... ms, each
/// time after 50 ms of darkness; integral.y is the sum of these times. Pre: HasEcmascript().
std::filesystem::path WriteScriptedSystem(const std::filesystem::path& folder);

/// A folder with a system of the plug-in van_der_pol, in which each solver has 1e-9.
std::filesystem::path WriteVanDerPolSystem(const std::filesystem::path& folder);

/// The system of that name: one of those that the functions above write into the folder of the test, else an
/// example.
std::filesystem::path SystemNamed(const std::string& name);

/// Writes x.fmu into the folder of the test and returns its path: what of the options is not given (output,
/// plug-ins, runtime) is filled in, and there are no reference results. What fails ends the test program.
std::filesystem::path ExportToFile(FmuExportOptions options);

/// An FMU of a system: exported, unpacked, its library loaded. What fails ends the test program.
class ExportedFmu {
 public:
  explicit ExportedFmu(const std::filesystem::path& system, FmiVersion version = FmiVersion::k2,
                       FmuSelection selection = {}, bool has_model_exchange = false);
  ~ExportedFmu();
  ExportedFmu(const ExportedFmu&) = delete;
  ExportedFmu& operator=(const ExportedFmu&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::string description() const;  ///< the text of modelDescription.xml
  std::string token() const;
  std::string resources_uri() const { return "file://" + (folder_ / "resources").string(); }
  std::string resources_path() const { return (folder_ / "resources").string() + "/"; }
  /// By its name.
  unsigned reference(const std::string& variable) const;
  /// The i-th continuous state of model exchange.
  std::string NameOfState(std::size_t i) const;
  std::filesystem::path library() const;

  /// A function of the library: `fmu.call(fmi2DoStep_, ...)`.
  template <class Function>
  Function* Get(const char* name) const {
    return reinterpret_cast<Function*>(Find(name));
  }

 private:
  void* Find(const char* name) const;

  std::filesystem::path folder_;
  void* library_ = nullptr;
};

/// FUNCTION of the library of an ExportedFmu.
#define DAVIT_FMU_CALL(FMU, FUNCTION) (*(FMU).template Get<decltype(FUNCTION)>(#FUNCTION))

/// One instance of FMI 2.0, as a master drives it. Calls that fail fail the test.
class Slave2 {
 public:
  explicit Slave2(const ExportedFmu& fmu);
  ~Slave2();
  Slave2(const Slave2&) = delete;
  Slave2& operator=(const Slave2&) = delete;

  void Start(double start, double stop);
  fmi2Status Step(double t, double h);
  double Real(const std::string& variable);
  void SetReal(const std::string& variable, double value);
  void SetInteger(const std::string& variable, int value);

  fmi2Component component() const { return component_; }
  const std::vector<std::string>& log() const { return log_; }
  const ExportedFmu& fmu() const { return fmu_; }

 private:
  const ExportedFmu& fmu_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component component_ = nullptr;
  std::vector<std::string> log_;
};

/// What Record names of a system run natively, at each multiple of `h` up to `stop`: a row for each time.
struct NativeRun {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};
NativeRun RunNatively(const std::filesystem::path& system, double h, double stop);

}  // namespace davit
