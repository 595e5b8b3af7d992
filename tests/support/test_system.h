#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/registry.h"
#include "framework/system.h"
#include "simulator/recorder.h"
#include "simulator/simulator_manager.h"

namespace davit {

/// A number as it is written in a system file, so that the same double is read back.
std::string ToXml(double value);

/// The text of a system. `manager` and `integration` are attributes of these elements, `content` is the rest.
std::string SystemText(std::string_view manager, std::string_view integration, std::string_view content);

/// One recorded row: time and values.
struct TestRow {
  double t = 0;
  std::vector<double> values;
  friend bool operator==(const TestRow&, const TestRow&) = default;
};

/// A system made from text, with all of davit's models and those of test_models.h; built, not initialized.
class TestSystem {
 public:
  /// Throws std::invalid_argument with all diagnostics when something is wrong with the text.
  explicit TestSystem(const std::string& text);

  System& system() { return *system_; }
  SimulatorManager& manager() { return SimulatorManager::Of(*system_); }
  /// The variable `path`; throws std::out_of_range when there is none.
  Variable Find(std::string_view path) const;
  double Read(std::string_view path) const { return Find(path).Read(); }

  /// Initializes and runs to the end.
  void Run();
  /// From now on rows are kept, as the `<Record>` elements of the system want.
  void StartRecording();
  /// Initializes, runs to the end and returns what was recorded in this run.
  std::vector<TestRow> RunAndRecord();
  std::vector<TestRow> TakeRows() { return std::exchange(rows_, {}); }

 private:
  std::unique_ptr<Registry> registry_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<TestRow> rows_;
};

/// Everything that is wrong with a system, one text for each fault; empty when it can run.
std::vector<std::string> FaultsOf(const std::string& text);

}  // namespace davit
