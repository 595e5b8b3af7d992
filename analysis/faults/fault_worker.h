#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/faults/detection.h"
#include "analysis/faults/fault_list.h"
#include "analysis/study/case_runner.h"

namespace davit {

/// What all cases of a campaign have in common.
struct FaultSetup {
  CaseSetup base = {};                                 ///< the system; its measures are the hazards
  std::optional<std::filesystem::path> snapshot = {};  ///< to begin with; nothing: at StartTime
  double time = 0;                                     ///< of the faults [s]
  double end = 0;                                      ///< of each case [s]
  std::vector<VariationText> faults = {};              ///< SelectFaults
  bool has_pairs = false;
  std::vector<std::string> detectors = {};  ///< globs; empty: all
};

/// Runs cases of a campaign: from a snapshot shortly before the fault, which is taken once, to the end. Case
/// 0 has no fault. A result has the time to the detection [s] (NaN: none), then the hazards; its text is what
/// has detected the fault.
class FaultWorker final : public CaseWorker {
 public:
  /// Runs the system to the faults, and once without; or takes what `first` has found so. Throws
  /// SimulationFailure, and std::runtime_error where that is not possible. `registry` must outlive it.
  FaultWorker(const FaultSetup& setup, const Registry& registry, const FaultWorker* first = nullptr);
  ~FaultWorker() override;
  FaultWorker(const FaultWorker&) = delete;
  FaultWorker& operator=(const FaultWorker&) = delete;

  CaseResult Run(std::uint64_t number, std::span<const CaseValue> values,
                 const std::stop_token& stop = {}) override;
  /// Of the run without a fault.
  const CaseResult& usual() const { return usual_; }

 private:
  void RunCase(std::uint64_t number, const std::stop_token& stop, CaseResult& result);

  const FaultSetup& setup_;
  std::unique_ptr<Simulation> simulation_;
  std::unique_ptr<Detection> detection_;
  std::unique_ptr<MeasureSet> hazards_;
  std::vector<SystemFault> faults_;
  std::vector<FaultCase> cases_;
  std::string snapshot_;
  double begin_ = 0;  ///< of the faults: the step point at or after FaultSetup::time [s]
  std::set<std::string> usual_signs_;
  CaseResult usual_;
};

}  // namespace davit
