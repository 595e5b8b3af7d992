#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/run_log.h"
#include "statecharts/chart.h"
#include "statecharts/chart_host.h"

namespace davit {

class ChartArchive;

/// What a data model sees of its session. Set up once, before Initialize.
struct SessionView {
  const Chart* chart = nullptr;
  const StateSet* configuration = nullptr;  ///< of its final size
  const double* entered = nullptr;          ///< by state: when it was entered [s]
  const double* time = nullptr;             ///< now [s]
  ChartHost* host = nullptr;                ///< may be null
  std::string id;                           ///< _sessionid
  std::uint32_t number = 0;                 ///< of `id`
};

/// A function without arguments that says whether to continue; like std::function, but allocates nothing.
class LoopBody {
 public:
  template <class F>
  explicit LoopBody(F& body)
      : object_(&body), call_([](void* object) { return (*static_cast<F*>(object))(); }) {}
  bool operator()() const { return call_(object_); }

 private:
  void* object_;
  bool (*call_)(void*);
};

/// The values of one session and its language of expressions. A function that returns bool returns false
/// where the evaluation fails; the interpreter then raises error.execution, and fault() says why.
class DataModel {
 public:
  virtual ~DataModel() = default;

  /// Forgets everything; makes all variables, without values.
  virtual void Initialize() = 0;
  /// Gives a `<data>` its value: `given` (of the invoking chart) where it has a value for it, or its own.
  virtual bool InitializeData(Index data, const Event* given) = 0;

  /// What `_event` is from now on; null before the first event. The event outlives its use.
  virtual void SetEvent(const Event* event) = 0;

  virtual bool EvaluateCondition(Index expression, bool& value) = 0;
  virtual bool EvaluateText(Index expression, std::string& text) = 0;
  /// A delay: a number of seconds or a text such as 2s.
  virtual bool EvaluateTime(Index expression, double& seconds) = 0;
  virtual bool Assign(const AssignElement& assignment) = 0;
  /// Writes a text that the interpreter has made up; for idlocation.
  virtual bool AssignText(const std::string& location, const std::string& text) = 0;
  virtual bool RunScript(Index expression) = 0;
  virtual bool ForEach(const Loop& loop, const LoopBody& body) = 0;
  /// Evaluates data into an event. Values that fail are left out, and false is returned.
  virtual bool MakePayload(const Payload& payload, Event& event) = 0;

  /// Once a step, before anything else. Returns whether a value that conditions read has changed.
  virtual bool LatchSignals() { return false; }
  /// Once a step, after everything else: what rising() and its like compare with.
  virtual void EndStep() {}

  /// The value of a variable of ExpressionProgram; NaN where the language has none.
  virtual double Value(Index /*variable*/) const { return std::numeric_limits<double>::quiet_NaN(); }
  /// What an expression reads, with the present values. For logs: it allocates.
  virtual std::vector<RunLog::Operand> Operands(Index /*expression*/) const { return {}; }

  /// Its values; refused where they cannot be separated from their interpreter.
  virtual void Archive(ChartArchive& archive) = 0;

  /// Why the last evaluation failed.
  virtual const std::string& fault() const = 0;
};

std::unique_ptr<DataModel> MakeDataModel(const SessionView& session);

}  // namespace davit
