#pragma once

#include <string>
#include <vector>

#include "statecharts/data_model.h"

namespace davit {

/// The data models `davit` and `null`: values in one array, expressions as bytecode. Allocates nothing after
/// construction, but for texts that are logged.
class DavitDataModel final : public DataModel {
 public:
  explicit DavitDataModel(const SessionView& session);

  void Initialize() override;
  bool InitializeData(Index data, const Event* given) override;
  void SetEvent(const Event* event) override { context_.event = event; }
  bool EvaluateCondition(Index expression, bool& value) override;
  bool EvaluateText(Index expression, std::string& text) override;
  bool EvaluateTime(Index expression, double& seconds) override;
  bool Assign(const AssignElement& assignment) override;
  bool AssignText(const std::string& location, const std::string& text) override;
  bool RunScript(Index expression) override;
  bool ForEach(const Loop& loop, const LoopBody& body) override;
  bool MakePayload(const Payload& payload, Event& event) override;
  bool LatchSignals() override;
  void EndStep() override;
  double Value(Index variable) const override { return memory_[program_.first_variable() + variable]; }
  std::vector<RunLog::Operand> Operands(Index expression) const override;
  void Archive(ChartArchive& archive) override;
  const std::string& fault() const override { return fault_; }

 private:
  ExpressionValue Run(Index expression);
  ValueType TypeOf(Index expression) const;
  std::string TextOf(ValueType type, double value) const;

  const Chart& chart_;
  const ExpressionProgram& program_;
  ChartHost* host_;
  const double* time_;
  ExpressionContext context_;
  std::vector<double> memory_;  ///< constants, variables, signals
  std::vector<double> before_;  ///< signals as the last look but one has found them
  std::vector<double> stack_;
  bool has_edge_ = false;     ///< rising() and its like change in the next step
  std::vector<double> last_;  ///< of rising(), falling(), changed()
  std::string fault_ = "the value is not a number or out of range, or the event carries no such data";
};

}  // namespace davit
