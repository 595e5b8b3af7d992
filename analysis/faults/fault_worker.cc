#include "analysis/faults/fault_worker.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <new>
#include <stdexcept>

#include "framework/exception_text.h"

namespace davit {
namespace {

constexpr double kNever = std::numeric_limits<double>::quiet_NaN();

std::string OneLineOf(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

FaultWorker::FaultWorker(const FaultSetup& setup, const Registry& registry, const FaultWorker* first)
    : setup_(setup) {
  SimulationOptions options = setup.base.options;
  options.log_level = RunLog::Severity::kInfo;
  options.log_entries = [this](const RunLog::Entry& entry) {
    if (detection_ != nullptr) detection_->OnLog(entry);
  };
  simulation_ = LoadSystemOf(setup.base, options, registry).Take();
  Diagnostics diagnostics;
  faults_ = SelectFaults(simulation_->system(), setup.faults, diagnostics);
  cases_ = MakeFaultCases(faults_, setup.has_pairs);
  hazards_ = std::make_unique<MeasureSet>(*simulation_, setup.base.measures, diagnostics);
  if (setup.snapshot && first == nullptr && !diagnostics.has_errors())
    diagnostics.Add(simulation_->LoadState(*setup.snapshot));
  if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics));
  detection_ = std::make_unique<Detection>(*simulation_);
  if (first != nullptr) {
    snapshot_ = first->snapshot_;
    begin_ = first->begin_;
    usual_ = first->usual_;
    usual_signs_ = first->usual_signs_;
    return;
  }
  if (!setup.snapshot) simulation_->Initialize();
  if (setup.time > simulation_->time()) simulation_->RunUntil(setup.time);
  begin_ = simulation_->time();
  snapshot_ = simulation_->TakeSnapshot();
  usual_ = Run(0, {});
  for (const Detection::Sign& sign : detection_->seen()) usual_signs_.insert(sign.name);
  if (!usual_.is_done) throw std::runtime_error("the run without a fault fails: " + usual_.message);
}

FaultWorker::~FaultWorker() = default;

void FaultWorker::RunCase(std::uint64_t number, const std::stop_token& stop, CaseResult& result) {
  hazards_->Begin();
  if (const Diagnostics faults = simulation_->LoadSnapshot(snapshot_); faults.has_errors())
    throw std::runtime_error(ToText(faults));
  detection_->Begin();
  if (number > 0) {
    for (const SystemFault* fault : cases_.at(number - 1).faults) {
      const std::string& path = fault->item.path();
      simulation_->Write(path, fault->ValueFrom(fault->is_multiple ? simulation_->Read(path) : 0));
    }
  }
  const std::stop_callback give_up(stop, [this] { simulation_->RequestStopInside(); });
  if (simulation_->RunUntil(setup_.end) == RunEnd::kRequested) return;
  result.is_done = true;
}

CaseResult FaultWorker::Run(std::uint64_t number, std::span<const CaseValue> /*values*/,
                            const std::stop_token& stop) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  CaseResult result;
  try {
    RunCase(number, stop, result);
  } catch (const std::bad_alloc&) {
    result.message = "out of memory; let fewer cases run at a time";
  } catch (const std::exception& failure) {
    result.message = OneLineOf(Explain(failure));
  }
  result.is_interrupted = !result.is_done && stop.stop_requested();
  // Of a run that has failed, what came before: how far the fault led is worth knowing, too.
  MeasuredValues measured = hazards_->Finish();
  const std::optional<Detection::Sign> sign = detection_->First(usual_signs_, setup_.detectors);
  const bool is_detected = number > 0 && sign.has_value();
  result.measures = {is_detected ? sign->time - begin_ : kNever};
  result.measures.insert(result.measures.end(), measured.values.begin(), measured.values.end());
  result.texts = {is_detected ? sign->name : std::string()};
  for (const std::string& fault : measured.faults) {
    if (result.message.empty()) result.message = OneLineOf(fault);
  }
  result.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  return result;
}

}  // namespace davit
