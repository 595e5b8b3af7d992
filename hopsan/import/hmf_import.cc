#include "hopsan/import/hmf_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "framework/nearest_name.h"
#include "framework/property.h"
#include "framework/xml/element_reader.h"
#include "hopsan/import/hmf_graph.h"
#include "hopsan/import/hmf_parameters.h"
#include "hopsan/import/hmf_values.h"
#include "hopsan/import/native_map.h"
#include "hopsan/import/old_names.h"

namespace davit::hopsan {
namespace {

using tinyxml2::XMLElement;

constexpr double kUsualRows = 2048;  // as Hopsan's user interface logs
constexpr double kMostSteps = 1e12;

/// Where the lines of Hopsan's log fall: the numbers of their steps.
std::vector<std::uint64_t> LogSteps(const HmfSystem& root, std::uint64_t steps) {
  const double T = root.time_step;
  const double asked = root.log_samples.value_or(kUsualRows);
  const double log_start = std::max(root.start, root.log_start.value_or(root.start));
  const double most = std::floor((root.stop - log_start) / T + 1);
  const double rows = std::min(std::floor(asked), most);
  std::vector<std::uint64_t> result;
  if (!(rows >= 1)) return result;
  const double dt = rows > 1 ? (root.stop - log_start) / (rows - 1) : 0;
  double k = std::floor((log_start - root.start) / T + 0.5);
  double s = root.start + k * T, l = log_start;
  for (double row = 0; row < rows; ++row) {
    const auto step = static_cast<std::uint64_t>(std::max(k, 0.0));
    if (step > steps) break;
    if (result.empty() || result.back() != step) result.push_back(step);
    l += dt;
    const double d = std::floor((l - s) / T + 0.5);
    k += d;
    s += d * T;
  }
  return result;
}

/// As an old version of Hopsan may have written into a file.
bool IsNotANumber(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('-')) text.remove_prefix(1);
  return text == "nan" || text == "NaN" || text == "nan(ind)" || text == "1.#IND" || text == "1.#QNAN";
}

/// The variables of a node in the order in which Hopsan logs them, and as davit names them: the wave stands
/// behind the first two, three of a mechanical node.
std::vector<std::pair<std::string, std::string>> VariablesOf(const Domain& domain) {
  if (domain == SignalNode2D::kDomain) return {{"v0", "Value1"}, {"v1", "Value2"}};
  std::vector<std::pair<std::string, std::string>> all;
  for (const DomainVariable& variable : domain.variables) all.emplace_back(variable.name, variable.name);
  if (domain == ElectricNode::kDomain) std::swap(all[0], all[1]);
  const bool is_mechanical = domain == MechanicNode::kDomain || domain == RotationalNode::kDomain;
  all.insert(all.begin() + (is_mechanical ? 3 : 2), {{"WaveVariable", "c"}, {"CharImpedance", "Zc"}});
  return all;
}

class HmfConversion {
 public:
  HmfConversion(HmfFile& file, const Registry& registry, const HmfImportOptions& options,
                Diagnostics& diagnostics)
      : file_(file), options_(options), diagnostics_(diagnostics), types_(registry), values_(file) {}

  std::optional<HmfImport> Run() {
    for (const auto& parameters : options_.parameter_files)
      ApplyParameterFile(parameters, file_.system, options_.files, diagnostics_);
    values_.RunScripts(diagnostics_);
    graph_ = std::make_unique<HmfGraph>(file_, types_, options_.has_stubs, diagnostics_);
    CheckTypes();
    CheckTimes();
    if (diagnostics_.has_errors()) return std::nullopt;
    ReadValues();
    CheckStarts();
    if (options_.is_native) {
      native_ = std::make_unique<NativeMap>(
          *graph_, [this](int unit, std::string_view name) { return ValueOf(unit, name); });
      result_.report = native_->Report();
    }
    Write();
    if (native_ == nullptr) FindVariables();
    if (diagnostics_.has_errors()) return std::nullopt;
    return std::move(result_);
  }

 private:
  using Unit = HmfGraph::Unit;
  using End = HmfGraph::End;

  void CheckTypes() {
    for (const auto& [type, where] : graph_->unknown_types()) {
      const std::string text =
          fmt::format("the type {} is not known to davit ({} of it in the model)", Quoted(type), where.count);
      if (options_.has_stubs) {
        diagnostics_.Warning(where.place, {}, text + "; its outputs stay constant");
      } else {
        const std::vector<std::string> names = types_.names();
        const auto nearest = FindNearest(type, names);
        diagnostics_.Error(
            where.place, {},
            text + "; " + (nearest ? "did you mean " + Quoted(*nearest) + "? Or take" : std::string("take")) +
                " --stub to look at the rest");
      }
    }
  }

  void CheckTimes() {
    const HmfSystem& root = file_.system;
    const auto check = [&](const HmfSystem& system, const std::string& path) {
      if (!(system.time_step > 0) || system.time_step > 1e9)
        diagnostics_.Error(
            system.place, path,
            fmt::format("timestep {} is not above 0; write for example 0.001", system.time_step));
    };
    check(root, "/");
    for (const Unit& unit : graph_->units()) {
      if (unit.system != nullptr && unit.parent != HmfGraph::kNone && !unit.system->inherits_time_step)
        check(*unit.system, "/" + unit.path);
    }
    if (diagnostics_.has_errors()) return;
    const double steps = std::floor((root.stop - root.start) / root.time_step + 0.5);
    if (!(steps >= 1) || steps > kMostSteps)
      return diagnostics_.Error(
          root.place, "/",
          fmt::format("stop {} and start {} leave {} steps of {}; write a stop after the start", root.stop,
                      root.start, steps, root.time_step));
    result_.start = root.start;
    result_.time_step = root.time_step;
    result_.steps = static_cast<std::uint64_t>(steps);
    result_.log_steps = LogSteps(root, result_.steps);
  }

  /// Whether a signal leads to the input: it is not written as a value.
  bool IsRouted(int unit, std::string_view input) const {
    return std::ranges::any_of(graph_->EndsAt(unit, input), [this](int e) {
      return graph_->end(e).what.kind == PortKind::kInput && graph_->NodeOf(e).writer != HmfGraph::kNone;
    });
  }

  bool IsNative(int e) const { return native_ != nullptr && native_->IsNative(e); }
  /// Of the port or signal; empty where a component without effect was left out.
  std::string PathOf(const End& end) const {
    if (native_ != nullptr && native_->Find(end.unit) != nullptr) return native_->PathOf(end);
    const std::string& path = graph_->unit(end.unit).path;
    return path + '.' + end.port;
  }

  // ---- writing ----

  /// Adds an element, with its line if the file itself has it.
  XMLElement& Add(XMLElement& parent, std::string_view name, const SourceLocation& place = {}) {
    const auto& own = file_.system.place.file;
    const bool is_here = place.file != nullptr && own != nullptr && *place.file == *own;
    return AddElement(parent, name, is_here ? place.line : 0);
  }

  static void Set(XMLElement& element, std::string_view name, std::string_view value) {
    element.SetAttribute(std::string(name).c_str(), std::string(value).c_str());
  }
  static void Set(XMLElement& element, std::string_view name, double value) {
    Set(element, name, fmt::format("{}", value));
  }
  static void Set(XMLElement& element,
                  std::initializer_list<std::pair<std::string_view, std::string_view>> all) {
    for (const auto& [name, value] : all) Set(element, name, value);
  }

  void Comment(std::string text) {
    for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at))
      text[at + 1] = '_';
    root_->InsertNewComment(fmt::format(" {} ", text).c_str());
  }

  void Write() {
    const HmfSystem& root = file_.system;
    auto description = std::make_shared<SystemDescription>(root.name.empty() ? "hopsan" : root.name);
    root_ = &description->root();
    if (options_.has_notes) WriteHead();
    XMLElement& manager = Add(*root_, "SimulatorManager", root.place);
    if (root.start != 0) Set(manager, "StartTime", root.start);
    Set(manager, "TimeStep", root.time_step);
    Set(manager, "StopTime", root.start + static_cast<double>(result_.steps) * root.time_step);
    const bool has_natives = native_ != nullptr && native_->has_natives();
    if (has_natives) {
      Set(Add(manager, "Integration"),
          {{"solver", "ODE"}, {"method", "rodas5p"}, {"rtol", "1e-6"}, {"atol", "1e-8"}});
    }
    if (!has_natives || native_->has_hopsan())
      Set(Add(*root_, "hopsan.Scheduler", root.place), "name", "hopsan_scheduler");
    for (const int child : graph_->unit(0).children) WriteUnit(child, *root_);
    if (has_natives) WriteBorders();
    WriteConnections();
    WriteRecord();
    if (options_.has_notes) WriteLayout();
    result_.description = std::move(description);
  }

  void WriteHead() {
    Comment(fmt::format("From a Hopsan model, core {}. Pressures of hopsan.* are absolute{}.",
                        file_.core_version, native_ == nullptr ? "" : ", those of others gauge"));
    if (file_.system.alias_count > 0)
      Comment(fmt::format("{} aliases of variables were dropped.", file_.system.alias_count));
    if (!file_.system.script.empty()) Comment("What its script assigns is written as values.");
    std::string parameters;
    for (const HmfParameter& one : file_.system.parameters)
      parameters += "\n    " + one.name + " = " + one.value;
    if (!parameters.empty())
      Comment("System parameters, whose values are written where they were used:" + parameters);
  }

  void WriteUnit(int number, XMLElement& parent) {
    const Unit& unit = graph_->unit(number);
    if (unit.system != nullptr) {
      WriteSystem(number, unit, parent);
    } else if (native_ != nullptr && native_->Find(number) != nullptr) {
      WriteNative(*native_->Find(number), *unit.component);
    } else if (unit.type == nullptr) {
      WriteStub(number, unit, parent);
    } else {
      WriteComponent(number, unit, parent);
    }
  }

  /// With what it was and how it differs.
  void WriteNative(const NativeMap::Model& model, const HmfComponent& component) {
    if (model.text.empty()) return;
    std::string differs(model.rule->differs);
    for (std::size_t at = differs.find('$'); at != std::string::npos; at = differs.find('$', at))
      differs.replace(at, 1, model.name);
    Comment(component.type + (differs.empty() ? "" : ": " + differs));
    const SystemDescription made(ParseXml("<System>" + model.text + "</System>").document);
    for (const XMLElement* e = made.root().FirstChildElement(); e != nullptr; e = e->NextSiblingElement())
      CopyInto(*e, Add(*root_, e->Name(), component.place));
  }

  /// Of a sub-system: what stays in it; what became models of davit stands behind it.
  void WriteSystem(int number, const Unit& unit, XMLElement& parent) {
    std::vector<int> inside, outside;
    for (const int child : unit.children) (IsWhollyNative(child) ? outside : inside).push_back(child);
    if (native_ == nullptr || !inside.empty()) WriteSystemItself(number, unit, inside, parent);
    for (const int child : outside) WriteUnit(child, *root_);
  }

  bool IsWhollyNative(int number) const {
    if (native_ == nullptr) return false;
    const Unit& unit = graph_->unit(number);
    if (unit.system == nullptr) return native_->Find(number) != nullptr;
    return !unit.system->is_conditional &&
           std::ranges::all_of(unit.children, [&](int child) { return IsWhollyNative(child); });
  }

  void WriteSystemItself(int number, const Unit& unit, const std::vector<int>& children, XMLElement& parent) {
    XMLElement& element = Add(parent, "hopsan.Subsystem", unit.system->place);
    Set(element, "name", unit.name);
    Set(element, "kind", graph_->KindOf(number));
    if (!unit.system->inherits_time_step) Set(element, "time_step", unit.system->time_step);
    if (unit.system->is_conditional) Set(element, "conditional", "true");
    if (unit.system->is_disabled) Set(element, "disabled", "true");
    for (const HmfParameter& one : unit.system->parameters) {
      if (one.name != "on#Value" && one.name != "on") continue;
      Fault fault;
      if (const auto value = values_.SystemParameter(*unit.system, BaseName(one.name), &fault);
          value && !IsRouted(number, "on"))
        Set(element, "on", *value);
    }
    for (const int child : children) WriteUnit(child, element);
  }

  void WriteStub(int number, const Unit& unit, XMLElement& parent) {
    std::string ports;
    for (const HmfGraph::Node& node : graph_->nodes()) {
      for (const int e : node.ends) {
        const End& end = graph_->end(e);
        if (end.unit != number) continue;
        std::string kind;
        if (node.domain != nullptr && (node.c == HmfGraph::kNone) != (node.q == HmfGraph::kNone)) {
          kind = fmt::format("{}:{}", node.c == HmfGraph::kNone ? "C" : "Q", node.domain->name);
          stub_end_[&node] = e;
        } else if (node.domain == nullptr && node.writer == HmfGraph::kNone) {
          kind = "out";
          stub_end_[&node] = e;
        } else {
          continue;
        }
        ports += fmt::format("{}{}:{}", ports.empty() ? "" : " ", end.port, kind);
      }
    }
    Set(Add(parent, "hopsan.Stub", unit.component->place),
        {{"name", unit.name}, {"type", unit.component->type}, {"ports", ports}});
  }

  void Warn(const HmfParameter& parameter, int unit, const std::string& what) {
    diagnostics_.Warning(parameter.place, graph_->DisplayPath(unit), what);
  }

  /// What a parameter of the file sets.
  struct Target {
    enum class Kind : std::uint8_t { kNone, kConstant, kInput, kOutput, kNodeStart, kQStart, kProperty };
    Kind kind = Kind::kNone;
    std::string name;
    const PropertyBase* property = nullptr;
  };

  Target FindTarget(const HopsanComponent& type, const std::string& written) const {
    const Declarations& d = type.declarations();
    const std::string base = BaseName(written);
    for (const ParameterDeclaration& one : d.parameters) {
      if (one.label.name == base) return {Target::Kind::kConstant, base};
    }
    for (const PropertyBase* one : d.properties) {
      if (one->label().name == base && base != "disabled") return {Target::Kind::kProperty, base, one};
    }
    for (const InputDeclaration& one : d.inputs) {
      if (one.label.name == base && !one.is_array) return {Target::Kind::kInput, base};
    }
    for (const OutputDeclaration& one : d.outputs) {
      if (one.label.name == base) return {Target::Kind::kOutput, base};
    }
    const std::size_t mark = base.find('#');
    if (mark == std::string::npos) return {};
    const std::string start = base.substr(0, mark) + '_' + base.substr(mark + 1);
    for (const StartDeclaration& one : d.starts) {
      if (one.label.name == start) return {Target::Kind::kNodeStart, start};
    }
    const bool is_port =
        TypeCatalog::PortOf(type, std::string_view(base).substr(0, mark)).kind != PortKind::kNone;
    return is_port ? Target{Target::Kind::kQStart, base} : Target{};
  }

  Target FindTargetOfOldFiles(const HopsanComponent& type, const HmfParameter& parameter) const {
    const std::string_view name = type.model().name.substr(std::string_view("hopsan.").size());
    Target target = FindTarget(type, parameter.name);
    if (target.kind != Target::Kind::kNone) return target;
    const std::string spelt = PresentSpelling(parameter.name);
    target = FindTarget(type, spelt);
    if (target.kind != Target::Kind::kNone) return target;
    const std::string base = BaseName(spelt);
    target = FindTarget(type, std::string(PresentName(name, base)));
    if (target.kind != Target::Kind::kNone) return target;
    const std::size_t mark = base.find('#');
    if (mark == std::string::npos) return {};
    return FindTarget(type, std::string(PresentName(name, base.substr(0, mark))) + base.substr(mark));
  }

  /// What the file gives a component.
  struct Assigned {
    Target target;
    std::string text;
    double number = 0;  ///< but for a property
    bool is_start() const {
      return target.kind == Target::Kind::kOutput || target.kind == Target::Kind::kNodeStart;
    }
  };

  void ReadValues() {
    assigned_.resize(graph_->units().size());
    for (std::size_t i = 0; i < assigned_.size(); ++i) {
      if (graph_->units()[i].type == nullptr) continue;
      ReadValuesOf(static_cast<int>(i), assigned_[i]);
      AddStartsOfSystems(static_cast<int>(i), assigned_[i]);
    }
  }

  void ReadValuesOf(int number, std::vector<Assigned>& values) {
    const Unit& unit = graph_->unit(number);
    const HmfComponent& component = *unit.component;
    std::set<std::string> written;
    const HmfOwner owner{graph_->unit(unit.parent).system, &component, unit.type};
    for (auto parameter = component.parameters.rbegin(); parameter != component.parameters.rend();
         ++parameter) {
      const Target target = FindTargetOfOldFiles(*unit.type, *parameter);
      if (target.kind == Target::Kind::kNone) {
        if (!parameter->is_start && parameter->name.find('#') == std::string::npos)
          Warn(*parameter, number,
               fmt::format("{} has no parameter {}; it is ignored", component.type, Quoted(parameter->name)));
        continue;
      }
      if (target.kind == Target::Kind::kQStart) continue;  // a Q component has none
      if (!written.insert(target.name).second) continue;   // the last one counts
      if (target.kind == Target::Kind::kInput && IsRouted(number, target.name)) continue;
      std::string text = parameter->value;
      if (target.property != nullptr) {
        text = values_.Text(*owner.system, text);
        if (target.property->kind() == ValueKind::kInteger ||
            target.property->kind() == ValueKind::kCondition) {
          if (text.starts_with('+')) text.erase(0, 1);
        }
        if (const Fault fault = target.property->CheckText(text, units_))
          diagnostics_.Error(parameter->place, graph_->DisplayPath(number),
                             target.name + ": " + fault.ToText());
        values.push_back({target, text});
        continue;
      }
      if (IsNotANumber(text)) {
        Warn(*parameter, number,
             fmt::format("{}: {} is not a number; the default is taken", parameter->name, Quoted(text)));
        continue;
      }
      Fault fault;
      const std::optional<double> value = values_.Number(owner, text, &fault);
      if (!value) {
        diagnostics_.Error(parameter->place, graph_->DisplayPath(number),
                           fmt::format("{}: {}: {}", parameter->name, Quoted(text), fault.ToText()));
        continue;
      }
      values.push_back({target, fmt::format("{}", *value), *value});
    }
  }

  /// Of a component: given, else its default; `Port_Variable` of a Q component at the other side.
  std::optional<double> ValueOf(int number, std::string_view name) const {
    for (const Assigned& one : assigned_[static_cast<std::size_t>(number)]) {
      if (one.target.name == name && one.target.property == nullptr) return one.number;
    }
    const HopsanComponent& type = *graph_->unit(number).type;
    if (const auto value = DefaultOf(type, name)) return value;
    for (const PortDeclaration& port : type.declarations().ports) {
      if (port.role != Role::kQ || !name.starts_with(port.label.name)) continue;
      const std::string_view variable = name.substr(std::min(port.label.name.size(), name.size()));
      if (!variable.starts_with('_')) continue;
      for (const int e : graph_->EndsAt(number, port.label.name)) {
        const int c = graph_->NodeOf(e).c;
        if (c == HmfGraph::kNone) continue;
        return ValueOf(graph_->end(c).unit, graph_->end(c).port + std::string(variable));
      }
    }
    return std::nullopt;
  }

  /// Bodies of which Hopsan wants start values that fit: port 2 moves against port 1.
  void CheckStarts() {
    struct Wanted {
      std::string_view model, variable;
      double tolerance;
    };
    static constexpr std::array kWanted = {
        Wanted{"hopsan.MechanicTranslationalMass", "Velocity", 0},
        Wanted{"hopsan.MechanicRotationalInertiaWithCoulombFriction", "Angle", 1e-5},
        Wanted{"hopsan.MechanicRotationalInertiaWithCoulombFriction", "AngularVelocity", 1e-5},
    };
    for (int i = 0; i < static_cast<int>(assigned_.size()); ++i) {
      for (const auto& [model, variable, tolerance] : kWanted) {
        if (graph_->unit(i).type == nullptr || graph_->unit(i).type->model().name != model) continue;
        const double one = ValueOf(i, fmt::format("P1_{}", variable)).value_or(0);
        const double two = ValueOf(i, fmt::format("P2_{}", variable)).value_or(0);
        if (std::abs(one + two) <= tolerance * std::max(std::abs(one), std::abs(two))) continue;
        diagnostics_.Warning(graph_->unit(i).component->place, graph_->DisplayPath(i),
                             fmt::format("start values at its ports do not fit: {} is {} at P1 and {} at P2; "
                                         "give P2 the negative of P1",
                                         variable, one, two));
      }
    }
  }

  void WriteComponent(int number, const Unit& unit, XMLElement& parent) {
    XMLElement& element = Add(parent, unit.type->model().name, unit.component->place);
    Set(element, "name", unit.name);
    if (unit.component->is_disabled) Set(element, "disabled", "true");
    const std::vector<Assigned>& values = assigned_[static_cast<std::size_t>(number)];
    for (const Assigned& one : values) {
      if (!one.is_start()) Set(element, one.target.name, one.text);
    }
    for (const HopsanComponent::Sensed& sensed : unit.type->sensed())
      WriteSensor(number, unit, sensed, element);
    if (!std::ranges::any_of(values, &Assigned::is_start)) return;
    XMLElement& start = Add(element, "Start", unit.component->place);
    for (const Assigned& one : values) {
      if (one.is_start()) Set(start, one.target.name, one.text);
    }
  }

  /// `Port#Pressure` of a C sub-system overrides the start of the component inside that its port touches.
  void AddStartsOfSystems(int number, std::vector<Assigned>& values) {
    for (const PortDeclaration& port : graph_->unit(number).type->declarations().ports) {
      if (port.role != Role::kC || port.is_array) continue;
      for (const int e : graph_->EndsAt(number, port.label.name)) {
        for (const int other : graph_->NodeOf(e).ends) {
          const End& system_port = graph_->end(other);
          if (!system_port.is_system_port || !graph_->IsInside(number, system_port.unit)) continue;
          const HmfSystem& system = *graph_->unit(system_port.unit).system;
          for (const HmfParameter& one : system.parameters) {
            const std::size_t mark = one.name.find('#');
            if (mark == std::string::npos || one.name.substr(0, mark) != system_port.port) continue;
            Fault fault;
            const auto value = values_.SystemParameter(system, one.name, &fault);
            const std::string name = fmt::format("{}_{}", port.label.name, one.name.substr(mark + 1));
            const auto& declared = graph_->unit(number).type->declarations().starts;
            const bool is_known =
                std::ranges::any_of(declared, [&](const auto& d) { return d.label.name == name; });
            if (!value || !is_known) continue;
            std::erase_if(
                values, [&](const Assigned& start) { return start.is_start() && start.target.name == name; });
            values.push_back({{Target::Kind::kNodeStart, name}, fmt::format("{}", *value), *value});
          }
        }
      }
    }
  }

  void WriteSensor(int number, const Unit& unit, const HopsanComponent::Sensed& sensed, XMLElement& element) {
    const std::string port(sensed.path->label().name);
    for (const int e : graph_->EndsAt(number, port)) {
      const int read = SinglePowerEnd(graph_->NodeOf(e));
      if (read == HmfGraph::kNone) {
        diagnostics_.Warning(unit.component->place, graph_->DisplayPath(number),
                             port + " reads a node without a power port; it keeps the start of a fresh node");
      } else {
        Set(element, port, PathOf(graph_->end(read)));
      }
    }
  }

  int SinglePowerEnd(const HmfGraph::Node& node) const {
    for (const int e : {node.q, node.c}) {
      if (e != HmfGraph::kNone && graph_->end(e).what.kind == PortKind::kPower && !IsNative(e)) return e;
    }
    return HmfGraph::kNone;
  }

  /// Between a component of davit and one of Hopsan; empty where both are of one kind.
  std::string BorderOf(const HmfGraph::Node& node) const {
    if (node.domain == nullptr || node.c == HmfGraph::kNone || node.q == HmfGraph::kNone ||
        IsNative(node.c) == IsNative(node.q))
      return {};
    const End& end = graph_->end(IsNative(node.c) ? node.q : node.c);
    std::string name = "border_" + graph_->unit(end.unit).path + '_' + end.port;
    for (const End& other : graph_->ends()) {
      if (&other == &end) break;
      if (other.unit == end.unit && other.port == end.port) name += '_';  // of a multi-port
    }
    std::ranges::replace(name, '.', '_');
    return name;
  }

  void WriteBorders() {
    for (const HmfGraph::Node& node : graph_->nodes()) {
      const std::string border = BorderOf(node);
      if (border.empty()) continue;
      Set(Add(*root_, IsNative(node.c) ? "hopsan.HydraulicBorderQ" : "hopsan.HydraulicBorderC"), "name",
          border);
    }
  }

  void WriteConnections() {
    struct Line {
      std::size_t order;
      bool is_route;
      std::string from, to;
    };
    std::vector<Line> lines;
    for (const HmfGraph::Node& node : graph_->nodes()) {
      const auto stub = stub_end_.find(&node);
      const int stub_end = stub == stub_end_.end() ? HmfGraph::kNone : stub->second;
      const int c = node.c != HmfGraph::kNone ? node.c : stub_end,
                q = node.q != HmfGraph::kNone ? node.q : stub_end;
      if (node.domain != nullptr && c != HmfGraph::kNone && q != HmfGraph::kNone && c != q) {
        const End &from = graph_->end(c), &to = graph_->end(q);
        const std::size_t order = from.what.kind == PortKind::kMultiPower ? from.connect
                                  : to.what.kind == PortKind::kMultiPower
                                      ? to.connect
                                      : std::min(from.connect, to.connect);
        if (const std::string border = BorderOf(node); border.empty()) {
          lines.push_back({order, false, PathOf(from), PathOf(to)});
        } else {
          lines.push_back({order, false, PathOf(from), border + (IsNative(c) ? ".gauge" : ".absolute")});
          lines.push_back({order, false, border + (IsNative(c) ? ".absolute" : ".gauge"), PathOf(to)});
        }
      }
      for (const int e : node.ends) {
        if (graph_->end(e).what.kind != PortKind::kSensor || !IsNative(e)) continue;
        const int read = *node.domain == HydraulicNode::kDomain ? node.c : node.q;
        lines.push_back({graph_->end(e).connect, false, PathOf(graph_->end(read)), PathOf(graph_->end(e))});
      }
      const int writer = node.writer != HmfGraph::kNone ? node.writer : stub_end;
      if (node.domain != nullptr || writer == HmfGraph::kNone) continue;
      for (const int e : node.ends) {
        const End& to = graph_->end(e);
        if (to.what.kind == PortKind::kInput || to.what.kind == PortKind::kMultiInput)
          lines.push_back({to.connect, true, PathOf(graph_->end(writer)), PathOf(to)});
      }
    }
    std::ranges::stable_sort(lines, {}, &Line::order);
    for (const Line& line : lines) {
      if (line.from.empty() || line.to.empty()) continue;
      Set(Add(*root_, line.is_route ? "Route" : "Connect"), {{"from", line.from}, {"to", line.to}});
    }
  }

  /// Of the variables of nodes that a reader of results wants: globs mean outputs only.
  std::string GlobsOfNodes() const {
    struct Shown {
      const Domain* domain;
      std::string_view globs;
    };
    static constexpr std::array kShown = {
        Shown{&HydraulicNode::kDomain, " *.Pressure *.Flow"},
        Shown{&PneumaticNode::kDomain, " *.Pressure *.MassFlow"},
        Shown{&MechanicNode::kDomain, " *.Position *.Velocity *.Force"},
        Shown{&RotationalNode::kDomain, " *.Angle *.AngularVelocity *.Torque"},
        Shown{&ElectricNode::kDomain, " *.Voltage *.Current"},
    };
    std::string globs;
    for (const Shown& shown : kShown) {
      const bool is_there = std::ranges::any_of(graph_->nodes(), [&](const HmfGraph::Node& node) {
        return node.domain != nullptr && *node.domain == *shown.domain &&
               SinglePowerEnd(node) != HmfGraph::kNone;
      });
      if (is_there) globs += shown.globs;
    }
    return globs;
  }

  void WriteRecord() {
    const auto& steps = result_.log_steps;
    if (steps.empty()) return;
    bool is_even = steps.front() == 0;
    const std::uint64_t stride = steps.size() > 1 ? steps[1] - steps[0] : result_.steps;
    for (std::size_t i = 1; i < steps.size(); ++i) is_even = is_even && steps[i] - steps[i - 1] == stride;
    XMLElement& record = Add(*root_, "Record");
    Set(record, "signals", "*" + GlobsOfNodes());
    if (is_even) {
      Set(record, "interval", static_cast<double>(stride) * result_.time_step);
    } else {
      const auto time_of = [&](std::uint64_t step) {
        return result_.start + static_cast<double>(step) * result_.time_step;
      };
      Set(record, "times",
          fmt::format("lin {} : {} : {}", time_of(steps.front()), time_of(steps.back()), steps.size()));
    }
  }

  void WriteLayout() {
    std::vector<int> placed;
    for (const int child : graph_->unit(0).children) {
      const Unit& unit = graph_->unit(child);
      const auto* const model = native_ == nullptr ? nullptr : native_->Find(child);
      if (unit.system != nullptr ? IsWhollyNative(child) : model != nullptr && model->text.empty()) continue;
      if ((unit.system != nullptr ? unit.system->pose : unit.component->pose).has_value())
        placed.push_back(child);
    }
    if (placed.empty()) return;
    XMLElement& layout = Add(*root_, "Layout");
    for (const int child : placed) {
      const Unit& unit = graph_->unit(child);
      const HmfPose& pose = unit.system != nullptr ? *unit.system->pose : *unit.component->pose;
      XMLElement& place = Add(layout, "Place");
      Set(place, "name", unit.name);
      Set(place, "x", std::round(pose.x));
      Set(place, "y", std::round(pose.y));
      const int turns = static_cast<int>(std::lround(std::fmod(pose.angle, 360.0) / 90)) % 4;
      if (turns != 0) Set(place, "rotation", static_cast<double>(90 * ((turns + 4) % 4)));
      if (pose.is_flipped) Set(place, "mirror", "true");
    }
  }

  // ---- names of variables ----

  void FindVariables() {
    ports_of_.resize(graph_->units().size());
    for (std::size_t e = 0; e < graph_->ends().size(); ++e) {
      const End& end = graph_->ends()[e];
      if (graph_->NodeOf(static_cast<int>(e)).ends.size() > 1)
        ports_of_[static_cast<std::size_t>(end.unit)][end.port] = static_cast<int>(e);
    }
    AddVariables(0);
  }

  void AddNode(const std::string& name, const HmfGraph::Node& node, const End* own) {
    if (node.domain != nullptr) {
      const int read = SinglePowerEnd(node);
      if (read == HmfGraph::kNone) return;
      for (const auto& [hopsan, davit] : VariablesOf(*node.domain))
        result_.variables.push_back({name + '#' + hopsan, PathOf(graph_->end(read)) + '.' + davit, {}});
    } else if (node.writer != HmfGraph::kNone) {
      result_.variables.push_back({name + "#Value", PathOf(graph_->end(node.writer)), {}});
    } else if (own != nullptr && own->what.kind == PortKind::kInput) {
      result_.variables.push_back({name + "#Value", PathOf(*own), {}});
    }
  }

  void AddVariables(int system) {
    std::map<std::string, int> sorted;
    for (const int child : graph_->unit(system).children)
      sorted.emplace(graph_->unit(child).hopsan_name, child);
    for (const auto& [name, child] : sorted) {
      const Unit& unit = graph_->unit(child);
      std::map<std::string, int> ports = ports_of_[static_cast<std::size_t>(child)];
      if (unit.type != nullptr) {
        for (const OutputDeclaration& output : unit.type->declarations().outputs)
          ports.emplace(output.label.name, HmfGraph::kNone);
      }
      for (const auto& [port, e] : ports) {
        if (e == HmfGraph::kNone) {
          result_.variables.push_back({name + '#' + port + "#Value", unit.path + '.' + port, {}});
          continue;
        }
        const End& end = graph_->end(e);
        if (end.what.kind == PortKind::kMultiPower || end.what.kind == PortKind::kMultiInput) continue;
        AddNode(name + '#' + port, graph_->NodeOf(e), &end);
      }
      if (unit.system == nullptr) continue;
      AddVariables(child);
      result_.variables.push_back({name + "$Time", {}, unit.path});
    }
  }

  HmfFile& file_;
  const HmfImportOptions& options_;
  Diagnostics& diagnostics_;
  TypeCatalog types_;
  HmfValues values_;
  UnitSystem units_;
  std::unique_ptr<HmfGraph> graph_;
  std::vector<std::vector<Assigned>> assigned_;  ///< by unit
  std::unique_ptr<NativeMap> native_;            ///< null: all stays as it is
  std::map<const HmfGraph::Node*, int> stub_end_;
  std::vector<std::map<std::string, int>> ports_of_;  ///< by unit: connected ports
  XMLElement* root_ = nullptr;
  HmfImport result_;
};

}  // namespace

std::optional<HmfImport> ImportHmf(const std::filesystem::path& file, const Registry& registry,
                                   const HmfImportOptions& options, Diagnostics& diagnostics) {
  const std::unique_ptr<HmfFile> read = ReadHmf(file, options.text, options.files, diagnostics);
  if (read == nullptr || diagnostics.has_errors()) return std::nullopt;
  return HmfConversion(*read, registry, options, diagnostics).Run();
}

SystemImporter HmfImporter() {
  const auto import = [](const std::filesystem::path& file,
                         const std::vector<std::filesystem::path>& parameters, const Registry& registry,
                         const FileSource& files, Diagnostics& diagnostics) {
    std::optional<HmfImport> made =
        ImportHmf(file, registry, {.parameter_files = parameters, .files = &files}, diagnostics);
    return made ? std::move(made->description) : nullptr;
  };
  return {.extension = ".hmf", .parameter_extension = ".hpf", .import = import};
}

}  // namespace davit::hopsan
