#include "tests/fmi/model_exchange_master.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <utility>

#include "simulator/solvers/integrator.h"

namespace davit {
namespace {

constexpr double kNeverAgain = std::numeric_limits<double>::infinity();

/// How often `word` is in `text` between two others, the whole text where these are empty.
std::size_t CountIn(const std::string& text, const std::string& word, const std::string& from = {},
                    const std::string& to = {}) {
  std::size_t count = 0;
  const std::size_t begin = from.empty() ? 0 : text.find(from);
  const std::size_t end = to.empty() ? std::string::npos : text.find(to);
  for (std::size_t place = text.find(word, begin); place < end; place = text.find(word, place + 1)) ++count;
  return count;
}

void TellLine2(fmi2ComponentEnvironment /*environment*/, fmi2String /*instance*/, fmi2Status status,
               fmi2String /*category*/, fmi2String message, ...) {
  char text[4096];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  if (status >= fmi2Error) ADD_FAILURE() << text;
}

void TellLine3(fmi3InstanceEnvironment /*environment*/, fmi3Status status, fmi3String /*category*/,
               fmi3String message) {
  if (status >= fmi3Error) ADD_FAILURE() << message;
}

class ModelExchange2 final : public ModelExchange {
 public:
  explicit ModelExchange2(const ExportedFmu& fmu) : fmu_(fmu) {
    callbacks_.logger = TellLine2;
    c_ = Call(&fmi2Instantiate, "fmi2Instantiate")("master", fmi2ModelExchange, fmu.token().c_str(),
                                                   fmu.resources_uri().c_str(), &callbacks_, fmi2False,
                                                   fmi2False);
    EXPECT_NE(c_, nullptr);
    const std::string text = fmu.description();
    if (text.find("<Derivatives>") != std::string::npos)
      states_ = CountIn(text, "<Unknown ", "<Derivatives>", "</Derivatives>");
    const std::string attribute = "numberOfEventIndicators=\"";
    const std::size_t place = text.find(attribute);
    if (place != std::string::npos) indicators_ = std::stoul(text.substr(place + attribute.size()));
  }
  ~ModelExchange2() override { Call(&fmi2FreeInstance, "fmi2FreeInstance")(c_); }

  void Initialize(double start, double stop) override {
    Check(Call(&fmi2SetupExperiment, "fmi2SetupExperiment")(c_, fmi2False, 0, start, fmi2True, stop));
    Check(Call(&fmi2EnterInitializationMode, "fmi2EnterInitializationMode")(c_));
    Check(Call(&fmi2ExitInitializationMode, "fmi2ExitInitializationMode")(c_));
  }
  Events UpdateDiscreteStates() override {
    fmi2EventInfo info{};
    Check(Call(&fmi2NewDiscreteStates, "fmi2NewDiscreteStates")(c_, &info));
    EXPECT_EQ(info.newDiscreteStatesNeeded, fmi2False);
    return {info.terminateSimulation != fmi2False, info.valuesOfContinuousStatesChanged != fmi2False,
            info.nextEventTimeDefined != fmi2False ? info.nextEventTime : kNeverAgain};
  }
  void EnterContinuousTime() override {
    Check(Call(&fmi2EnterContinuousTimeMode, "fmi2EnterContinuousTimeMode")(c_));
  }
  void EnterEvent() override { Check(Call(&fmi2EnterEventMode, "fmi2EnterEventMode")(c_)); }
  bool CompleteStep() override {
    fmi2Boolean has_event = fmi2False, is_terminated = fmi2False;
    Check(Call(&fmi2CompletedIntegratorStep, "fmi2CompletedIntegratorStep")(c_, fmi2True, &has_event,
                                                                            &is_terminated));
    return has_event != fmi2False;
  }
  void SetTime(double t) override { Check(Call(&fmi2SetTime, "fmi2SetTime")(c_, t)); }
  void SetStates(std::span<const double> x) override {
    Check(Call(&fmi2SetContinuousStates, "fmi2SetContinuousStates")(c_, x.data(), x.size()));
  }
  void GetStates(std::span<double> x) override {
    Check(Call(&fmi2GetContinuousStates, "fmi2GetContinuousStates")(c_, x.data(), x.size()));
  }
  void GetDerivatives(std::span<double> ddt) override {
    Check(Call(&fmi2GetDerivatives, "fmi2GetDerivatives")(c_, ddt.data(), ddt.size()));
  }
  void GetIndicators(std::span<double> z) override {
    Check(Call(&fmi2GetEventIndicators, "fmi2GetEventIndicators")(c_, z.data(), z.size()));
  }
  void GetNominals(std::span<double> nominals) override {
    Check(Call(&fmi2GetNominalsOfContinuousStates, "fmi2GetNominalsOfContinuousStates")(c_, nominals.data(),
                                                                                        nominals.size()));
  }
  double Real(const std::string& variable) override {
    const fmi2ValueReference reference = fmu_.reference(variable);
    double value = std::nan("");
    Check(Call(&fmi2GetReal, "fmi2GetReal")(c_, &reference, 1, &value));
    return value;
  }
  void SetReal(const std::string& variable, double value) override {
    const fmi2ValueReference reference = fmu_.reference(variable);
    Check(Call(&fmi2SetReal, "fmi2SetReal")(c_, &reference, 1, &value));
  }
  void SetWhole(const std::string& variable, int value) override {
    const fmi2ValueReference reference = fmu_.reference(variable);
    Check(Call(&fmi2SetInteger, "fmi2SetInteger")(c_, &reference, 1, &value));
  }
  std::vector<double> Directional(const std::vector<std::string>& unknowns,
                                  const std::vector<std::string>& knowns,
                                  std::span<const double> seed) override {
    std::vector<fmi2ValueReference> of, over;
    for (const std::string& name : unknowns) of.push_back(fmu_.reference(name));
    for (const std::string& name : knowns) over.push_back(fmu_.reference(name));
    std::vector<double> change(of.size());
    Check(Call(&fmi2GetDirectionalDerivative, "fmi2GetDirectionalDerivative")(
        c_, of.data(), of.size(), over.data(), over.size(), seed.data(), change.data()));
    return change;
  }
  std::string SaveState() override {
    fmi2FMUstate state = nullptr;
    Check(Call(&fmi2GetFMUstate, "fmi2GetFMUstate")(c_, &state));
    std::size_t size = 0;
    Check(Call(&fmi2SerializedFMUstateSize, "fmi2SerializedFMUstateSize")(c_, state, &size));
    std::string bytes(size, '\0');
    Check(Call(&fmi2SerializeFMUstate, "fmi2SerializeFMUstate")(c_, state, bytes.data(), size));
    Check(Call(&fmi2FreeFMUstate, "fmi2FreeFMUstate")(c_, &state));
    return bytes;
  }
  void LoadState(const std::string& bytes) override {
    fmi2FMUstate state = nullptr;
    Check(Call(&fmi2DeSerializeFMUstate, "fmi2DeSerializeFMUstate")(c_, bytes.data(), bytes.size(), &state));
    Check(Call(&fmi2SetFMUstate, "fmi2SetFMUstate")(c_, state));
    Check(Call(&fmi2FreeFMUstate, "fmi2FreeFMUstate")(c_, &state));
  }

 private:
  template <class Function>
  Function* Call(Function* /*type*/, const char* name) const {
    return fmu_.Get<Function>(name);
  }
  static void Check(fmi2Status status) { EXPECT_EQ(status, fmi2OK); }

  const ExportedFmu& fmu_;
  fmi2CallbackFunctions callbacks_{};
  fmi2Component c_ = nullptr;
};

class ModelExchange3 final : public ModelExchange {
 public:
  explicit ModelExchange3(const ExportedFmu& fmu) : fmu_(fmu) {
    c_ = Call(&fmi3InstantiateModelExchange, "fmi3InstantiateModelExchange")(
        "master", fmu.token().c_str(), fmu.resources_path().c_str(), false, false, nullptr, TellLine3);
    EXPECT_NE(c_, nullptr);
    Check(Call(&fmi3GetNumberOfContinuousStates, "fmi3GetNumberOfContinuousStates")(c_, &states_));
    Check(Call(&fmi3GetNumberOfEventIndicators, "fmi3GetNumberOfEventIndicators")(c_, &indicators_));
    const std::string text = fmu.description();
    EXPECT_EQ(CountIn(text, "<ContinuousStateDerivative "), states_);
    EXPECT_EQ(CountIn(text, "<EventIndicator "), indicators_);
  }
  ~ModelExchange3() override { Call(&fmi3FreeInstance, "fmi3FreeInstance")(c_); }

  void Initialize(double start, double stop) override {
    Check(Call(&fmi3EnterInitializationMode, "fmi3EnterInitializationMode")(c_, false, 0, start, true, stop));
    Check(Call(&fmi3ExitInitializationMode, "fmi3ExitInitializationMode")(c_));
  }
  Events UpdateDiscreteStates() override {
    bool needs_update = false, is_terminated = false, has_nominals = false, has_values = false;
    bool has_next = false;
    double next = 0;
    Check(Call(&fmi3UpdateDiscreteStates, "fmi3UpdateDiscreteStates")(
        c_, &needs_update, &is_terminated, &has_nominals, &has_values, &has_next, &next));
    EXPECT_FALSE(needs_update);
    return {is_terminated, has_values, has_next ? next : kNeverAgain};
  }
  void EnterContinuousTime() override {
    Check(Call(&fmi3EnterContinuousTimeMode, "fmi3EnterContinuousTimeMode")(c_));
  }
  void EnterEvent() override { Check(Call(&fmi3EnterEventMode, "fmi3EnterEventMode")(c_)); }
  bool CompleteStep() override {
    bool has_event = false, is_terminated = false;
    Check(Call(&fmi3CompletedIntegratorStep, "fmi3CompletedIntegratorStep")(c_, true, &has_event,
                                                                            &is_terminated));
    return has_event;
  }
  void SetTime(double t) override { Check(Call(&fmi3SetTime, "fmi3SetTime")(c_, t)); }
  void SetStates(std::span<const double> x) override {
    Check(Call(&fmi3SetContinuousStates, "fmi3SetContinuousStates")(c_, x.data(), x.size()));
  }
  void GetStates(std::span<double> x) override {
    Check(Call(&fmi3GetContinuousStates, "fmi3GetContinuousStates")(c_, x.data(), x.size()));
  }
  void GetDerivatives(std::span<double> ddt) override {
    Check(Call(&fmi3GetContinuousStateDerivatives, "fmi3GetContinuousStateDerivatives")(c_, ddt.data(),
                                                                                        ddt.size()));
  }
  void GetIndicators(std::span<double> z) override {
    Check(Call(&fmi3GetEventIndicators, "fmi3GetEventIndicators")(c_, z.data(), z.size()));
  }
  void GetNominals(std::span<double> nominals) override {
    Check(Call(&fmi3GetNominalsOfContinuousStates, "fmi3GetNominalsOfContinuousStates")(c_, nominals.data(),
                                                                                        nominals.size()));
  }
  double Real(const std::string& variable) override {
    const fmi3ValueReference reference = fmu_.reference(variable);
    double value = std::nan("");
    Check(Call(&fmi3GetFloat64, "fmi3GetFloat64")(c_, &reference, 1, &value, 1));
    return value;
  }
  void SetReal(const std::string& variable, double value) override {
    const fmi3ValueReference reference = fmu_.reference(variable);
    Check(Call(&fmi3SetFloat64, "fmi3SetFloat64")(c_, &reference, 1, &value, 1));
  }
  void SetWhole(const std::string& variable, int value) override {
    const fmi3ValueReference reference = fmu_.reference(variable);
    const bool is_event = variable.starts_with("event(");
    const std::int64_t option = value;
    const std::int32_t count = value;
    Check(is_event ? Call(&fmi3SetInt32, "fmi3SetInt32")(c_, &reference, 1, &count, 1)
                   : Call(&fmi3SetInt64, "fmi3SetInt64")(c_, &reference, 1, &option, 1));
  }
  std::vector<double> Directional(const std::vector<std::string>& unknowns,
                                  const std::vector<std::string>& knowns,
                                  std::span<const double> seed) override {
    std::vector<fmi3ValueReference> of, over;
    for (const std::string& name : unknowns) of.push_back(fmu_.reference(name));
    for (const std::string& name : knowns) over.push_back(fmu_.reference(name));
    std::vector<double> change(of.size());
    Check(Call(&fmi3GetDirectionalDerivative, "fmi3GetDirectionalDerivative")(
        c_, of.data(), of.size(), over.data(), over.size(), seed.data(), seed.size(), change.data(),
        change.size()));
    return change;
  }
  std::string SaveState() override {
    fmi3FMUState state = nullptr;
    Check(Call(&fmi3GetFMUState, "fmi3GetFMUState")(c_, &state));
    std::size_t size = 0;
    Check(Call(&fmi3SerializedFMUStateSize, "fmi3SerializedFMUStateSize")(c_, state, &size));
    std::string bytes(size, '\0');
    Check(Call(&fmi3SerializeFMUState, "fmi3SerializeFMUState")(
        c_, state, reinterpret_cast<fmi3Byte*>(bytes.data()), size));
    Check(Call(&fmi3FreeFMUState, "fmi3FreeFMUState")(c_, &state));
    return bytes;
  }
  void LoadState(const std::string& bytes) override {
    fmi3FMUState state = nullptr;
    Check(Call(&fmi3DeserializeFMUState, "fmi3DeserializeFMUState")(
        c_, reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), &state));
    Check(Call(&fmi3SetFMUState, "fmi3SetFMUState")(c_, state));
    Check(Call(&fmi3FreeFMUState, "fmi3FreeFMUState")(c_, &state));
  }

 private:
  template <class Function>
  Function* Call(Function* /*type*/, const char* name) const {
    return fmu_.Get<Function>(name);
  }
  static void Check(fmi3Status status) { EXPECT_EQ(status, fmi3OK); }

  const ExportedFmu& fmu_;
  fmi3Instance c_ = nullptr;
};

/// A solver of davit's over the equations of an FMU, which finds where event indicators change their sign.
class Master {
 public:
  Master(ModelExchange& fmu, const MasterOptions& options)
      : fmu_(fmu),
        options_(options),
        x_(fmu.state_count()),
        z_old_(fmu.indicator_count()),
        z_(fmu.indicator_count()) {
    problem_.size = x_.size();
    problem_.nominal.resize(x_.size());
    fmu_.GetNominals(problem_.nominal);
    problem_.context = this;
    problem_.evaluate = [](void* context, const double* y, double* ddt, double t) {
      auto& master = *static_cast<Master*>(context);
      master.Show(t, {y, master.x_.size()});
      master.fmu_.GetDerivatives({ddt, master.x_.size()});
    };
    IntegratorOptions solver;
    solver.method = options.method;
    solver.relative_tolerance = options.tolerance;
    solver.absolute_tolerance = options.tolerance * 1e-2;
    solver_ = MakeIntegrator(problem_, solver);
  }

  /// In event mode: all that is discrete, then on.
  void EndEvent() {
    const ModelExchange::Events events = fmu_.UpdateDiscreteStates();
    next_event_ = events.next;
    is_terminated_ = events.is_terminated;
    if (!x_.empty()) fmu_.GetStates(x_);
    fmu_.EnterContinuousTime();
    if (x_.empty()) return;
    solver_->Restart(t_, x_,
                     events.has_changed_states ? Integrator::RestartKind::kNewProblem
                                               : Integrator::RestartKind::kSameScale);
    fmu_.GetIndicators(z_old_);
  }

  void RunTo(double t_end) {
    while (t_ < t_end && !is_terminated_) {
      const double t_stop = std::min(t_end, next_event_);
      const double t_old = t_;
      t_ = x_.empty() ? t_stop : solver_->StepTowards(t_stop);
      ShowAt(t_);
      const bool has_crossed = options_.has_state_events && HasCrossed();
      if (has_crossed) t_ = Locate(t_old, t_);
      ShowAt(t_);
      const bool has_event = fmu_.CompleteStep();
      if (has_crossed || has_event || t_ >= next_event_) {
        fmu_.EnterEvent();
        ++events_;
        EndEvent();
      } else if (!z_.empty()) {
        fmu_.GetIndicators(z_old_);
      }
    }
  }

  void EnterEvent() { fmu_.EnterEvent(); }
  double time() const { return t_; }
  void set_time(double t) { t_ = t; }
  bool is_terminated() const { return is_terminated_; }

 private:
  void Show(double t, std::span<const double> x) {
    fmu_.SetTime(t);
    if (!x.empty()) fmu_.SetStates(x);
  }
  void ShowAt(double t) {
    if (!x_.empty()) solver_->ValueAt(t, x_);
    Show(t, x_);
  }
  bool HasCrossed() {
    fmu_.GetIndicators(z_);
    for (std::size_t i = 0; i < z_.size(); ++i) {
      if ((z_[i] > 0) != (z_old_[i] > 0)) return true;
    }
    return false;
  }
  /// The first time after the first change of a sign, as exact as doubles are.
  double Locate(double a, double b) {
    for (int i = 0; i < 60 && b - a > 1e-13; ++i) {
      const double middle = a + (b - a) / 2;
      if (!(middle > a && middle < b)) break;
      ShowAt(middle);
      (HasCrossed() ? b : a) = middle;
    }
    return b;
  }

  ModelExchange& fmu_;
  const MasterOptions& options_;
  SolverProblem problem_;
  std::unique_ptr<Integrator> solver_;
  std::vector<double> x_, z_old_, z_;
  double t_ = 0;
  double next_event_ = kNeverAgain;
  bool is_terminated_ = false;
  int events_ = 0;
};

}  // namespace

std::unique_ptr<ModelExchange> ModelExchange::Make(const ExportedFmu& fmu, FmiVersion version) {
  if (version == FmiVersion::k2) return std::make_unique<ModelExchange2>(fmu);
  return std::make_unique<ModelExchange3>(fmu);
}

std::vector<std::vector<double>> RunModelExchange(ModelExchange& fmu, const std::vector<std::string>& outputs,
                                                  const MasterOptions& options) {
  fmu.Initialize(options.start, options.stop);
  Master master(fmu, options);
  master.set_time(options.start);
  std::vector<std::vector<double>> rows;
  const auto add_row = [&] {
    std::vector<double>& row = rows.emplace_back();
    for (const std::string& output : outputs) row.push_back(fmu.Real(output));
  };
  if (options.at_row) options.at_row(fmu, options.start);
  master.EndEvent();
  add_row();
  const auto count = static_cast<int>(std::round((options.stop - options.start) / options.interval));
  for (int n = 1; n <= count && !master.is_terminated(); ++n) {
    master.RunTo(options.start + n * options.interval);
    if (options.at_row) {
      fmu.EnterEvent();
      options.at_row(fmu, master.time());
      master.EndEvent();
    }
    add_row();
  }
  return rows;
}

}  // namespace davit
