#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <mutex>

#include "python/binding.h"
#include "python/system_handle.h"
#include "simulator/network/worker_pool.h"

namespace davit {
namespace {

/// Systems that are stepped together, on threads of their own. What each of them computes does not depend on
/// the threads.
class Fleet {
 public:
  using Systems = std::vector<std::shared_ptr<SystemHandle>>;
  using Matrix = py::array_t<double, py::array::c_style>;
  using Flags = py::array_t<bool, py::array::c_style>;

  /// How a system is after a step.
  enum Status : std::uint8_t { kRunning, kFinished, kFailed };

  Fleet(Systems systems, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
        unsigned threads)
      : systems_(std::move(systems)),
        snapshots_(systems_.size()),
        status_(systems_.size(), kRunning),
        faults_(systems_.size()),
        threads_(std::make_unique<WorkerPool>(std::max(1U, threads))) {
    for (const auto& system : systems_) {
      const auto use = system->EnterToRead("environment");
      inputs_.push_back(use->Items(inputs));
      outputs_.push_back(use->Items(outputs));
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs_.back().is_writable(i))
          RaiseInputError(
              fmt::format("actions: {} cannot be written during a run; name a live parameter, or an input "
                          "without a route",
                          inputs[i]));
      }
    }
  }
  ~Fleet() {
    if (forks_ != ForkCount()) static_cast<void>(threads_.release());  // a forked child has no threads
  }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  /// The present points of all are those that Reset goes back to.
  void Remember() {
    Each([this](std::size_t i, Simulation& system) { snapshots_[i] = system.TakeSnapshot(); });
  }
  /// Those of `chosen` go back.
  void Reset(const Flags& chosen) {
    Check("chosen", chosen, 1, systems_.size(), 0);
    const bool* const is_chosen = chosen.data();
    Each([this, is_chosen](std::size_t i, Simulation& system) {
      if (!is_chosen[i]) return;
      const Diagnostics diagnostics = system.LoadSnapshot(snapshots_[i]);
      if (diagnostics.has_errors()) throw std::runtime_error(ToText(diagnostics.all().front()));
      status_[i] = kRunning;
      faults_[i].clear();
    });
  }
  /// Writes a row of actions into each system, advances it by `steps` TimeSteps, or to its end, and reads its
  /// outputs into a row.
  void Step(const Matrix& actions, Matrix outputs, std::uint64_t steps) {
    Check("actions", actions, 2, systems_.size(), inputs_.empty() ? 0 : inputs_[0].size());
    Check("outputs", outputs, 2, systems_.size(), outputs_.empty() ? 0 : outputs_[0].size());
    const double* const in = actions.data();
    double* const out = outputs.mutable_data();
    Each([this, in, out, steps](std::size_t i, Simulation& system) {
      if (status_[i] != kRunning) return;
      const std::size_t width = inputs_[i].size();
      system.Write(inputs_[i], {in + i * width, width});
      for (std::uint64_t n = 0; n < steps && !system.is_finished(); ++n) system.Step();
      ReadRow(i, system, out);
      if (system.is_finished()) status_[i] = kFinished;
    });
  }
  void Read(Matrix outputs) {
    Check("outputs", outputs, 2, systems_.size(), outputs_.empty() ? 0 : outputs_[0].size());
    double* const out = outputs.mutable_data();
    for (std::size_t i = 0; i < systems_.size(); ++i) ReadRow(i, *systems_[i]->EnterToRead("read"), out);
  }

  std::vector<int> status() const {
    const auto pass = guard_.Enter("status");
    return {status_.begin(), status_.end()};
  }
  std::vector<std::string> faults() const {
    const auto pass = guard_.Enter("faults");
    return faults_;
  }
  std::vector<std::string> units(bool of_inputs) const {
    const ItemList& items = of_inputs ? inputs_.at(0) : outputs_.at(0);
    std::vector<std::string> units;
    units.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i) units.push_back(items.unit(i));
    return units;
  }

 private:
  template <class Array>
  static void Check(const char* name, const Array& array, py::ssize_t dimensions, std::size_t rows,
                    std::size_t columns) {
    const bool is_right = array.ndim() == dimensions && static_cast<std::size_t>(array.shape(0)) == rows &&
                          (dimensions == 1 || static_cast<std::size_t>(array.shape(1)) == columns);
    if (is_right) return;
    RaiseInputError(dimensions == 1
                        ? fmt::format("{}: it must have {} elements", name, rows)
                        : fmt::format("{}: it must have {} rows of {} numbers", name, rows, columns));
  }
  void ReadRow(std::size_t i, Simulation& system, double* out) const {
    const std::size_t width = outputs_[i].size();
    system.Read(outputs_[i], {out + i * width, width});
  }

  /// Calls `call(i, system)` for each, without the interpreter's lock. A run that fails is a status of its
  /// system; anything else is raised when all have ended.
  template <class Call>
  void Each(Call call) {
    if (forks_ != ForkCount()) RaiseForkError();
    const auto pass = guard_.Enter("step");
    std::deque<SystemHandle::Use> uses;
    for (const auto& system : systems_) uses.emplace_back(*system, "step", false).Leave();
    std::mutex mutex;
    std::exception_ptr fault;
    {
      const py::gil_scoped_release release;
      std::atomic<std::size_t> next = 0;
      threads_->Run([&](unsigned /*thread*/) {
        for (std::size_t i = next++; i < uses.size(); i = next++) {
          try {
            uses[i].ComputeHere([&](Simulation& system) { call(i, system); });
          } catch (const SimulationFailure& failure) {
            status_[i] = kFailed;
            faults_[i] = failure.what();
          } catch (...) {
            const std::lock_guard lock(mutex);
            if (!fault) fault = std::current_exception();
          }
        }
      });
    }
    if (fault) std::rethrow_exception(fault);
  }

  Systems systems_;
  std::vector<ItemList> inputs_, outputs_;
  std::vector<std::string> snapshots_;
  std::vector<Status> status_;
  std::vector<std::string> faults_;
  std::unique_ptr<WorkerPool> threads_;
  mutable CallGuard guard_;
  unsigned forks_ = ForkCount();
};

}  // namespace

void BindFleet(py::module_& module) {
  py::class_<Fleet>(module, "Fleet")
      .def(py::init<Fleet::Systems, const std::vector<std::string>&, const std::vector<std::string>&,
                    unsigned>())
      .def("remember", &Fleet::Remember)
      .def("reset", &Fleet::Reset)
      .def("step", &Fleet::Step)
      .def("read", &Fleet::Read)
      .def("units", &Fleet::units)
      .def_property_readonly("status", &Fleet::status)
      .def_property_readonly("faults", &Fleet::faults);
}

}  // namespace davit
