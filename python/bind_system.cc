#include <fmt/format.h>

#include <limits>

#include "framework/units/quantity.h"
#include "python/binding.h"
#include "python/events.h"
#include "python/models.h"
#include "python/system_handle.h"
#include "session/describe_run.h"
#include "session/system_builder.h"
#include "simulator/islands/island.h"

namespace davit {
namespace {

using Numbers = py::array_t<double, py::array::c_style>;
using Handle = std::shared_ptr<SystemHandle>;

/// A number in SI, or a text with a unit.
double NumberOf(const py::handle& value, std::string_view unit, const char* name, const UnitSystem& units) {
  if (!py::isinstance<py::str>(value)) return value.cast<double>();
  const QuantityResult result = ParseQuantity(value.cast<std::string>(), unit, units);
  if (!result.value) RaiseInputError(fmt::format("{}: {}", name, result.fault.ToText()));
  return result.value->si;
}

std::optional<double> TimeOf(const py::handle& value, const char* name, const UnitSystem& units) {
  if (value.is_none()) return std::nullopt;
  return NumberOf(value, "s", name, units);
}

void LoadSystemHandle(SystemHandle& self, const std::string& file, std::optional<std::string> text,
                      std::vector<std::string> set, std::vector<std::string> level,
                      std::vector<std::string> at, unsigned threads, bool is_steady, bool keeps_detail,
                      const std::vector<std::string>& plugins, const std::string& named_in,
                      const std::optional<std::string>& schedule, const std::optional<std::string>& chart) {
  LoadRequest source{.file = file, .text = std::move(text)};
  source.options.load = {.set = std::move(set), .level = std::move(level), .at = std::move(at)};
  if (schedule || chart) source.options.load.levels = OutsideLevels{.schedule = schedule, .chart = chart};
  source.options.threads = threads;
  source.options.is_steady = is_steady;
  source.options.log_level = keeps_detail ? RunLog::Severity::kDetail : RunLog::Severity::kInfo;
  source.models = ModelsWith(plugins, named_in);
  self.Load(source);
}

/// What a user reads of an item: a number in SI, or the text of a choice.
py::object ValueOf(const Simulation& simulation, const TreeItem& item) {
  if (item.is_computed()) simulation.ShowWritten();
  switch (item.item().value_kind()) {
    case ValueKind::kOption:
    case ValueKind::kText: return py::str(item.ToText());
    case ValueKind::kCondition: return py::bool_(item.Read() != 0);
    case ValueKind::kInteger: return py::int_(static_cast<long long>(item.Read()));
    case ValueKind::kNumber: break;
  }
  return py::float_(item.Read());
}

void SetValue(const SystemHandle& self, const std::string& path, const py::object& value) {
  const auto use = self.Enter("write");
  if (py::isinstance<py::str>(value)) {
    const auto text = value.cast<std::string>();
    return use.Compute([&](Simulation& s) { s.WriteText(path, text); });
  }
  use->Write(path, value.cast<double>());
}

/// The numbers of a list in which texts may stand.
std::vector<double> NumbersOf(const Simulation& simulation, const ItemList& items,
                              const py::sequence& values) {
  const System& system = simulation.system();
  std::vector<double> numbers;
  numbers.reserve(py::len(values));
  std::size_t place = 0;
  for (const py::handle value : values) {
    const std::size_t i = place++;
    if (!py::isinstance<py::str>(value) || i >= items.size()) {
      numbers.push_back(py::isinstance<py::str>(value) ? 0 : value.cast<double>());
      continue;
    }
    Fault fault;
    const auto write =
        system.FindLiveAssignment(system.root(), items.path(i), value.cast<std::string>(), &fault);
    if (!write)
      RaiseInputError(system.OwnerOf(system.root(), items.path(i)).DisplayPath() + ": " + fault.ToText());
    numbers.push_back(write->number);
  }
  return numbers;
}

py::object ReadItems(const SystemHandle& self, const ItemList& items, py::object out) {
  if (out.is_none()) out = Numbers(static_cast<py::ssize_t>(items.size()));
  if (!py::isinstance<Numbers>(out))
    RaiseInputError(
        "out: it is not a contiguous numpy array of float64; make it with numpy.empty(len(handles))");
  auto array = py::reinterpret_borrow<Numbers>(out);
  if (!array.writeable())
    RaiseInputError("out: the array cannot be written; make one with numpy.empty(len(handles))");
  self.EnterToRead("read")->Read(items, {array.mutable_data(), static_cast<std::size_t>(array.size())});
  return out;
}

void WriteItems(const SystemHandle& self, const ItemList& items, const py::object& values) {
  const auto use = self.Enter("write");
  if (py::isinstance<Numbers>(values)) {
    const auto array = py::reinterpret_borrow<Numbers>(values);
    return use->Write(items, {array.data(), static_cast<std::size_t>(array.size())});
  }
  use->Write(items, NumbersOf(*use, items, values.cast<py::sequence>()));
}

void SendTo(const SystemHandle& self, const std::string& path, const std::string& name) {
  const auto use = self.EnterToRead("send");
  if (!use->is_initialized()) throw std::logic_error("send: no run has begun; call initialize first");
  const System& system = use->system();
  Command command{.time = use->time(), .sender = "python", .action = EventPost{}};
  Fault of_message, of_event;
  if (const auto message = system.FindMessage(system.root(), path, name, &of_message)) {
    command.action = *message;
  } else if (auto event = system.FindEvent(system.root(), path, name, &of_event)) {
    command.action = *std::move(event);
  } else {
    // A component with a chart takes events, any other messages.
    Fault no_component;
    const Component* const receiver = system.FindComponent(system.root(), path, &no_component);
    const bool has_chart = receiver != nullptr && receiver->declarations().event_receiver != nullptr;
    RaiseInputError(fmt::format("/{}: {}", path, (has_chart ? of_event : of_message).ToText()));
  }
  use->manager().Submit(std::move(command));
}

/// The same to all charts.
void SendToAll(const SystemHandle& self, const std::string& name) {
  const RequestAnswer answer =
      self.EnterToRead("event")->Submit(Request{.sender = "python", .command = "event " + name});
  if (!answer.is_accepted) RaiseInputError(answer.text);
}

void RunSystem(SystemHandle& self, const py::object& until, std::vector<std::string> signals,
               const py::object& interval, const std::vector<std::string>& files, const py::object& pace) {
  const auto use = self.Enter("run");
  const UnitSystem& units = use->system().units();
  RecordingOptions recording{.signals = std::move(signals)};
  recording.interval = TimeOf(interval, "interval", units);
  for (const std::string& file : files) recording.files.emplace_back(file);
  std::optional<double> factor;
  if (!pace.is_none()) factor = NumberOf(pace, "", "realtime", units);
  self.Run(use, TimeOf(until, "until", units), std::move(recording), factor);
}

py::bytes SaveState(const SystemHandle& self) {
  return self.Enter("save_state").Compute([](Simulation& s) { return s.TakeSnapshot(); });
}

void LoadState(const SystemHandle& self, const py::bytes& snapshot) {
  const std::string_view bytes = snapshot;
  RaiseIfFaulty(self.Enter("load_state").Compute([&](Simulation& s) { return s.LoadSnapshot(bytes); }));
}

py::dict StatisticsOf(const SystemHandle& self) {
  const RunStatistics of = self.EnterToRead("statistics")->statistics();
  py::dict dict;
  dict["components"] = of.components;
  dict["states"] = of.states;
  dict["islands"] = of.islands;
  dict["steps"] = of.steps;
  dict["evaluations"] = of.evaluations;
  dict["level_switches"] = of.level_switches;
  dict["events"] = of.events;
  return dict;
}

/// A number that the simulation has.
template <auto kMember>
auto ReadNumber(const SystemHandle& self) {
  return ((*self.EnterToRead("read")).*kMember)();
}

void BindItems(py::module_& module) {
  const auto list_of = [](const ItemList& items, auto member) {
    py::list list;
    for (std::size_t i = 0; i < items.size(); ++i) list.append(py::cast(member(i)));
    return list;
  };
  py::class_<ItemList>(module, "Handles",
                       "Items of one system, found by Simulation.handles(): for its read() and write(). "
                       "`paths`, `units` (SI) and `writable` are lists.")
      .def("__len__", &ItemList::size, "How many there are.")
      .def_property_readonly(
          "paths",
          [=](const ItemList& items) { return list_of(items, [&](std::size_t i) { return items.path(i); }); },
          "Their paths.")
      .def_property_readonly(
          "units",
          [=](const ItemList& items) { return list_of(items, [&](std::size_t i) { return items.unit(i); }); },
          "Their SI units; empty without dimension.")
      .def_property_readonly(
          "writable",
          [=](const ItemList& items) {
            return list_of(items, [&](std::size_t i) { return items.is_writable(i); });
          },
          "Whether a run may write them.");
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

SystemBuilder::Attributes AttributesOf(const Pairs& pairs) {
  SystemBuilder::Attributes attributes;
  attributes.reserve(pairs.size());
  for (const auto& [name, value] : pairs) attributes.emplace_back(name, value);
  return attributes;
}

void BindBuilder(py::module_& module) {
  using Builder = SystemBuilder;
  py::class_<Builder>(module, "Builder")
      .def(py::init<const std::string&>())
      .def("manager", [](Builder& b, const Pairs& with) { b.Manager(AttributesOf(with)); })
      .def("integration", [](Builder& b, const Pairs& with) { b.Integration(AttributesOf(with)); })
      .def("add", [](Builder& b, const std::string& model, const std::string& name,
                     const Pairs& with) { b.Add(model, name, AttributesOf(with)); })
      .def("inside", [](Builder& b, const std::string& name, const std::string& element,
                        const Pairs& with) { b.Inside(name, element, AttributesOf(with)); })
      .def("connect", [](Builder& b, const std::string& from, const std::string& to) { b.Connect(from, to); })
      .def("route", [](Builder& b, const std::string& from, const std::string& to,
                       const Pairs& with) { b.Route(from, to, AttributesOf(with)); })
      .def("at", [](Builder& b, const Pairs& with) { b.At(AttributesOf(with)); })
      .def("record", [](Builder& b, const std::string& signals,
                        const Pairs& with) { b.Record(signals, AttributesOf(with)); })
      .def("to_xml", &Builder::ToXml);
}

}  // namespace

void BindSystem(py::module_& module) {
  BindItems(module);
  BindBuilder(module);
  py::class_<SystemHandle, Handle>(module, "System")
      .def(py::init<>())
      .def("_load", &LoadSystemHandle, py::kw_only(), py::arg("file"), py::arg("text"), py::arg("set"),
           py::arg("level"), py::arg("at"), py::arg("threads"), py::arg("steady"), py::arg("detail"),
           py::arg("plugins"), py::arg("named_in"), py::arg("schedule"), py::arg("level_chart"))
      .def("_copy", &SystemHandle::CopyFrom)
      .def_property_readonly("_warnings", &SystemHandle::warnings)
      .def(
          "initialize",
          [](const SystemHandle& s) {
            s.Enter("initialize").ComputeLong([](Simulation& one) { one.Initialize(); });
          },
          "Everything to its start values, the time to start_time. What was written to parameters stays.")
      .def(
          "step", [](const SystemHandle& s) { s.Enter("step").Compute([](Simulation& one) { one.Step(); }); },
          "One TimeStep; the last one before stop_time may be shorter. Raises StateError before initialize() "
          "and at "
          "the end, SimulationError where the run cannot continue.")
      .def(
          "advance",
          [](const SystemHandle& self, const py::object& t) {
            const auto use = self.Enter("advance");
            const double time = NumberOf(t, "s", "t", use->system().units());
            use.ComputeLong([time](Simulation& one) { one.AdvanceTo(time); });
          },
          py::arg("t"), "To the time `t` (seconds, or a text with unit) exactly, also inside a TimeStep.")
      .def("_run", &RunSystem, py::arg("until"), py::arg("signals"), py::arg("interval"), py::arg("files"),
           py::arg("pace"))
      .def("stop", &SystemHandle::RequestStop,
           "From any thread: ends the run() that is under way at the next communication point.")
      .def_property_readonly("_result", &SystemHandle::result)
      .def_property_readonly("time", &ReadNumber<&Simulation::time>,
                             "Simulated seconds; before initialize() 0.")
      .def_property_readonly("start_time", &ReadNumber<&Simulation::start_time>,
                             "Where runs begin, in seconds.")
      .def_property_readonly("stop_time", &ReadNumber<&Simulation::stop_time>, "Where runs end, in seconds.")
      .def_property_readonly("time_step", &ReadNumber<&Simulation::time_step>,
                             "The TimeStep of the SimulatorManager, in seconds.")
      .def_property_readonly(
          "is_initialized", &ReadNumber<&Simulation::is_initialized>,
          "Whether a run is under way or at its end; false again after a run that has failed.")
      .def_property_readonly("is_finished", &ReadNumber<&Simulation::is_finished>,
                             "Whether the run has reached stop_time.")
      .def("_get",
           [](const SystemHandle& s, const std::string& path) {
             const auto use = s.EnterToRead("read");
             return ValueOf(*use, use->Items({path}).at(0));
           })
      .def("_text", [](const SystemHandle& s,
                       const std::string& path) { return s.EnterToRead("text")->ReadText(path); })
      .def("_set", &SetValue)
      .def(
          "handles",
          [](const SystemHandle& s, const std::vector<std::string>& paths) {
            return s.EnterToRead("handles")->Items(paths);
          },
          py::keep_alive<0, 1>(), py::arg("paths"),
          "Finds items by their paths once, for read() and write(). Raises InputError with all names that "
          "are wrong.")
      .def("read", &ReadItems, py::arg("handles"), py::arg("out") = py::none(),
           "The present values of handles in SI, of choices their numbers: into `out`, a contiguous float64 "
           "array of "
           "their length, or into a new one. Returns the array.")
      .def("write", &WriteItems, py::arg("handles"), py::arg("values"),
           "Writes one value for each handle, all or none: an array of float64 in SI, or a list that "
           "may contain texts with units. Raises InputError with all that cannot be written.")
      .def("_send", &SendTo)
      .def("_event", &SendToAll)
      .def("save_state", &SaveState,
           "All that is needed to continue from here, as bytes. Methods with a long history restart here, in "
           "this run as in those that load it.")
      .def("load_state", &LoadState, py::arg("snapshot"),
           "Continues where save_state() was called. Raises InputError where the system has another "
           "structure.")
      .def("_log", [](const SystemHandle& s) { return EventTuples(s.log().After(0)); })
      .def(
          "state",
          [](const SystemHandle& s) {
            return ToDict(Describe<RunState>(RunFields(), StateOf(*s.EnterToRead("state"))));
          },
          "Where the run is, by name: time, stop_time, status (waiting, paused, finished, failed), failure "
          "...")
      .def("statistics", &StatisticsOf,
           "Counts since the beginning of the run, by name: components, states, islands, steps, evaluations, "
           "level_switches, events.")
      .def(
          "hints", [](const SystemHandle& s) { return s.EnterToRead("hints")->hints(); },
          "Hints to make runs faster, one text each.");
  module.def("quantity", [](const std::string& text, const std::optional<std::string>& unit) {
    const UnitSystem units;
    const QuantityResult result = unit ? ParseQuantity(text, *unit, units) : ParseQuantity(text, units);
    if (!result.value) RaiseInputError(result.fault.ToText());
    return result.value->si;
  });
}

}  // namespace davit
