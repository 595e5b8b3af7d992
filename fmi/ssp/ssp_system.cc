#include "fmi/ssp/ssp_system.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi/import/fmu_declarer.h"
#include "fmi/import/lone_fmu.h"
#include "fmi/manifest/percent_encoding.h"
#include "fmi/zip_reader.h"
#include "framework/nearest_name.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/parameter_set_reader.h"
#include "framework/xml/qualified_element.h"
#include "framework/xml/xml_file.h"
#include "session/system_builder.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using tinyxml2::XMLElement;

constexpr double kDefaultSteps = 500;

class SspReader {
 public:
  SspReader(const fs::path& file, Diagnostics& diagnostics) : file_(file), diagnostics_(diagnostics) {}

  SspSystem Read() {
    try {
      archive_ = std::make_unique<ZipReader>(file_);
      return ReadStructure();
    } catch (const std::runtime_error& fault) {
      const std::string text = fault.what();
      const std::size_t begin = text.find("error: ");
      place_ = nullptr;
      Report(0, begin == std::string::npos ? text : text.substr(begin + 7));
      return {};
    }
  }

 private:
  struct Fmu {
    std::string name;  ///< in davit
    fs::path file;
    std::unique_ptr<LoneFmu> content;
  };
  struct Connection {
    std::string from, to;
    double factor = 1, offset = 0;
    std::string from_port = {}, to_port = {};  ///< paths of wave ports; empty where it is none
  };
  /// A connector of a component, or of a system, which passes values on.
  struct Node {
    std::string element;  ///< path from the root system: `inner/engine`; empty: the root system
    std::string connector;
    auto operator<=>(const Node&) const = default;
  };
  struct Edge {
    Node other;
    double factor = 1, offset = 0;
    int line = 0;
  };
  /// The input that a connector of a system leads to.
  struct Inside {
    std::string path;
    double factor = 1, offset = 0;
  };

  SspSystem ReadStructure() {
    constexpr std::string_view kStructure = "SystemStructure.ssd";
    place_ = std::make_shared<const std::string>((file_ / kStructure).string());
    const TextResult text = archive_->ReadText(kStructure, "system structure");
    const XmlResult xml =
        text.fault.empty()
            ? ParseXml(text.text, {.noun = "system structure", .root = "SystemStructureDescription"})
            : XmlResult{nullptr, 0, text.fault};
    if (xml.document == nullptr) {
      Report(xml.line, xml.fault);
      return {};
    }
    const XMLElement& root = *xml.document->RootElement();
    const XMLElement* const system = FindLocalChild(root, "System");
    if (LocalName(root) != "SystemStructureDescription" || system == nullptr) {
      Report(root.GetLineNum(), "it has no <SystemStructureDescription> with a <System>; name an .ssp");
      return {};
    }
    units_of_system_ = FindLocalChild(root, "Units");
    ReadSystem(*system, {}, 0);
    if (fmus_.empty() && !diagnostics_.has_errors())
      Report(system->GetLineNum(), "the system has no components; an .ssp needs at least one FMU");
    if (diagnostics_.has_errors()) return {};
    ReadExperiment(FindLocalChild(root, "DefaultExperiment"));
    for (const auto& [scope, e] : systems_) ReadConnections(*e, scope);
    if (!diagnostics_.has_errors()) JoinInputs();
    for (const auto& [scope, e] : systems_) {
      if (const XMLElement* const bindings = FindLocalChild(*e, "ParameterBindings"))
        ReadBindings(*bindings, scope);
    }
    return Build(AttributeText(*system, "name"));
  }

  void Report(int line, std::string_view what) {
    const auto place = place_ ? place_ : std::make_shared<const std::string>(file_.string());
    diagnostics_.Error({place, line}, {}, what);
  }

  /// Leaves `number` as it is where the attribute is missing.
  void ReadNumber(const XMLElement& e, const char* attribute, double& number) {
    const std::string text = AttributeText(e, attribute);
    if (text.empty()) return;
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) {
      number = value;
    } else {
      Report(e.GetLineNum(),
             fmt::format("{}: '{}' is not a number; write one such as 0.01", attribute, text));
    }
  }

  /// Systems inside come first: what an outer one sets overrides them.
  void ReadSystem(const XMLElement& system, const std::string& scope, int depth) {
    constexpr int kMostLevels = 20;
    if (depth > kMostLevels) return Report(system.GetLineNum(), "systems are nested too deeply");
    const XMLElement* const elements = FindLocalChild(system, "Elements");
    for (const XMLElement* e = elements == nullptr ? nullptr : elements->FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      const std::string path = Join(scope, AttributeText(*e, "name"));
      if (fmus_.contains(path) || FindSystem(path) != nullptr) {
        Report(e->GetLineNum(), fmt::format("there are two elements '{}'; names must be unique", path));
      } else if (LocalName(*e) == "Component") {
        ReadComponent(*e, path);
      } else if (LocalName(*e) == "System") {
        ReadSystem(*e, path, depth + 1);
      } else {
        Report(e->GetLineNum(),
               fmt::format("<{}> is not read; davit reads systems whose elements are FMUs or "
                           "systems of FMUs",
                           LocalName(*e)));
      }
    }
    systems_.emplace_back(scope, &system);
  }

  static std::string Join(const std::string& scope, const std::string& name) {
    return scope.empty() ? name : scope + "/" + name;
  }

  const XMLElement* FindSystem(const std::string& path) const {
    const auto found = std::ranges::find(systems_, path, &std::pair<std::string, const XMLElement*>::first);
    return found == systems_.end() ? nullptr : found->second;
  }

  /// Of a normal path.
  static bool LeadsOut(const fs::path& path) {
    return path.empty() || path.is_absolute() || *path.begin() == "..";
  }

  void ReadComponent(const XMLElement& e, const std::string& name) {
    const std::string source = DecodePercent(AttributeText(e, "source"));
    const fs::path inside = fs::path(source).lexically_normal();
    std::string item = ItemNameOf(name);  // the '/' becomes '_'
    for (const char c : {'.', '(', ')'}) std::ranges::replace(item, c, '_');
    if (!IsName(item) || !items_.insert(item).second)
      return Report(e.GetLineNum(), fmt::format("component '{}': give it a unique name", name));
    if (LeadsOut(inside) || !LoneFmu::IsFmu(inside)) {
      return Report(
          e.GetLineNum(),
          fmt::format("component '{}': its source '{}' is not an FMU in the archive; davit reads systems of "
                      "FMUs, such as source=\"resources/engine.fmu\"",
                      name, source));
    }
    FileDescribed::Attributes attributes;
    const std::string implementation = AttributeText(e, "implementation");
    if (implementation == "CoSimulation" || implementation == "ModelExchange")
      attributes.emplace("kind", implementation);
    kinds_[name] = implementation;
    const fs::path path = file_ / inside;
    Fmu fmu{item, path, std::make_unique<LoneFmu>(path, attributes, diagnostics_)};
    fmus_.emplace(name, std::move(fmu));
    order_.push_back(name);
    if (const XMLElement* const bindings = FindLocalChild(e, "ParameterBindings"))
      ReadBindings(*bindings, name);
  }

  void ReadExperiment(const XMLElement* experiment) {
    start_ = 0;
    std::optional<double> stop;
    step_ = 0;
    for (const auto& [name, fmu] : fmus_) {
      const FmuDescription& description = fmu.content->description();
      if (description.step > 0) step_ = step_ > 0 ? std::min(step_, description.step) : description.step;
      if (description.has_stop) stop = std::max(stop.value_or(description.stop), description.stop);
    }
    if (experiment != nullptr) {
      ReadNumber(*experiment, "startTime", start_);
      double given = stop.value_or(start_ + 1);
      ReadNumber(*experiment, "stopTime", given);
      stop = given;
    }
    stop_ = stop && *stop > start_ ? *stop : start_ + 1;
    if (!(step_ > 0)) step_ = (stop_ - start_) / kDefaultSteps;
  }

  const DescribedVariable* FindVariable(const Node& node) const {
    const auto fmu = fmus_.find(node.element);
    return fmu == fmus_.end() ? nullptr : fmu->second.content->description().Find(node.connector);
  }
  static bool IsInput(const DescribedVariable& variable) {
    return variable.causality == "input" || variable.causality == "parameter";
  }

  std::optional<Node> FindEnd(const XMLElement& e, const char* element, const char* connector,
                              const std::string& scope) {
    const std::string name = AttributeText(e, element);
    Node node{name.empty() ? scope : Join(scope, name), AttributeText(e, connector)};
    if (FindSystem(node.element) != nullptr) return node;
    const auto fmu = fmus_.find(node.element);
    if (fmu == fmus_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, ignored] : fmus_) {
        if (known.starts_with(scope)) names.push_back(known.substr(scope.empty() ? 0 : scope.size() + 1));
      }
      Report(e.GetLineNum(),
             fmt::format("{}: no component '{}'; {}", element, name, SuggestName("it has", name, names)));
      return std::nullopt;
    }
    if (FindVariable(node) != nullptr) return node;
    std::vector<std::string> names;
    for (const DescribedVariable& one : fmu->second.content->description().variables)
      names.push_back(one.name);
    Report(e.GetLineNum(), fmt::format("{}: '{}' has no variable '{}'; {}", connector, name, node.connector,
                                       SuggestName("it has", node.connector, names)));
    return std::nullopt;
  }

  void ReadConnections(const XMLElement& system, const std::string& scope) {
    const XMLElement* const list = FindLocalChild(system, "Connections");
    for (const XMLElement* e = list == nullptr ? nullptr : list->FirstChildElement(); e != nullptr;
         e = e->NextSiblingElement()) {
      const std::optional<Node> start = FindEnd(*e, "startElement", "startConnector", scope);
      const std::optional<Node> end = FindEnd(*e, "endElement", "endConnector", scope);
      if (!start || !end) continue;
      Edge edge{*start, 1, 0, e->GetLineNum()};
      for (const XMLElement* t = e->FirstChildElement(); t != nullptr; t = t->NextSiblingElement()) {
        const std::string_view kind = LocalName(*t);
        if (kind == "LinearTransformation") {
          ReadNumber(*t, "factor", edge.factor);
          ReadNumber(*t, "offset", edge.offset);
        } else if (kind.ends_with("Transformation")) {
          Report(t->GetLineNum(), fmt::format("<{}> is not read; davit reads linear transformations", kind));
        }
      }
      if (fmus_.contains(end->element) && !known_ends_.contains(*end)) {
        known_ends_.insert(*end);
        ends_.push_back(*end);
      }
      if (fmus_.contains(start->element) && !known_ends_.contains(*start)) {
        known_ends_.insert(*start);
        ends_.push_back(*start);
      }
      edges_.emplace(*end, edge);
      edge.other = *end;
      edges_.emplace(*start, edge);
    }
  }

  /// For each input of an FMU: the output of another one that connectors of systems lead to.
  void JoinInputs() {
    for (const Node& input : ends_) {
      if (!IsInput(*FindVariable(input))) continue;
      const std::string path = PathOf(input);
      std::set<Node> seen{input};
      std::vector<Edge> front{{input, 1, 0, 0}};
      std::vector<std::pair<Node, Inside>> systems;
      bool has_source = false;
      while (!front.empty() && !has_source) {
        const Edge here = front.back();
        front.pop_back();
        const auto [first, last] = edges_.equal_range(here.other);
        for (auto edge = first; edge != last; ++edge) {
          const Node& other = edge->second.other;
          const DescribedVariable* const variable = FindVariable(other);
          if (variable != nullptr && IsInput(*variable)) continue;
          if (!seen.insert(other).second) continue;
          const double factor = here.factor * edge->second.factor;
          const double offset = here.factor * edge->second.offset + here.offset;
          if (variable == nullptr) {
            front.push_back({other, factor, offset, 0});
            systems.push_back({other, {path, factor, offset}});
            continue;
          }
          has_source = true;
          connections_.push_back({PathOf(other), path, factor, offset, PortOf(other), PortOf(input)});
        }
      }
      if (has_source) continue;
      for (auto& [node, inside] : systems) inside_.emplace(node, std::move(inside));
    }
  }

  std::string PathOf(const Node& node) const {
    return fmus_.at(node.element).name + "." + ItemNameOf(node.connector);
  }
  /// The path of the wave port that it belongs to; empty: of none.
  std::string PortOf(const Node& node) const {
    const Fmu& fmu = fmus_.at(node.element);
    const DescribedVariable* const first = fmu.content->description().variables.data();
    const std::string port =
        fmu.content->ports().PortOf(static_cast<std::size_t>(FindVariable(node) - first));
    return port.empty() ? port : fmu.name + "." + port;
  }

  /// The values of parameter sets, in the archive or written in place.
  void ReadBindings(const XMLElement& bindings, const std::string& scope) {
    for (const XMLElement* e = bindings.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const XMLElement* const values = FindLocalChild(*e, "ParameterValues");
      const std::optional<ParameterSource> set = Resource(*e, values, "ParameterSet");
      std::optional<ParameterSource> mapping;
      if (const XMLElement* const m = FindLocalChild(*e, "ParameterMapping")) {
        mapping = Resource(*m, m, "ParameterMapping");
        if (!mapping) continue;
      }
      if (!set) continue;
      const std::string prefix = AttributeText(*e, "prefix");
      for (const SetParameter& one :
           ReadParameterSet(*set, mapping, units_of_system_, DiskFiles(), units_, diagnostics_))
        AddSetting(scope, prefix + one.path, one);
    }
  }

  /// The file that `source` of `e` names, else the element `name` in `place`.
  std::optional<ParameterSource> Resource(const XMLElement& e, const XMLElement* place,
                                          const std::string& name) {
    const std::string source = DecodePercent(AttributeText(e, "source"));
    if (source.empty()) {
      const XMLElement* const element = place == nullptr ? nullptr : FindLocalChild(*place, name);
      if (element != nullptr) return ParameterSource{*place_, element};
      Report(e.GetLineNum(),
             fmt::format("<{}> names no file and has no <{}>; write source=\"resources/x.ssv\"", LocalName(e),
                         name));
      return std::nullopt;
    }
    const fs::path inside = fs::path(source).lexically_normal();
    if (!LeadsOut(inside)) {
      return ParameterSource{.file = (file_ / inside).string(),
                             .text = archive_->ReadText(inside.generic_string(), "parameter set")};
    }
    Report(e.GetLineNum(), fmt::format("source '{}' leads out of the archive; name a file in it", source));
    return std::nullopt;
  }

  /// Sets a variable of a component, in the scope or in systems inside, or what a connector of a system leads
  /// to.
  void AddSetting(std::string scope, std::string path, const SetParameter& one) {
    while (!fmus_.contains(scope)) {
      const std::size_t dot = path.find('.');
      const std::string inner = Join(scope, path.substr(0, dot));
      if (dot == std::string::npos || !(fmus_.contains(inner) || FindSystem(inner) != nullptr)) break;
      scope = inner;
      path.erase(0, dot + 1);
    }
    if (const auto fmu = fmus_.find(scope); fmu != fmus_.end()) {
      settings_.push_back(fmt::format("{}.{}={}", fmu->second.name, ItemNameOf(path), one.value));
      return;
    }
    const auto [first, last] = inside_.equal_range({scope, path});
    for (auto to = first; to != last; ++to) {
      const auto& [input, factor, offset] = to->second;
      double number = 0;
      const char* const end = one.value.data() + one.value.size();
      if (factor == 1 && offset == 0) {
        settings_.push_back(fmt::format("{}={}", input, one.value));
      } else if (std::from_chars(one.value.data(), end, number).ptr == end) {
        settings_.push_back(fmt::format("{}={}", input, factor * number + offset));
      } else {
        diagnostics_.Error(one.location, {},
                           fmt::format("'{}': {} is not a plain number, which the transformation of its "
                                       "connection needs",
                                       path, one.value));
      }
    }
    if (first == last && !HasConnector(scope, path))
      settings_.push_back(fmt::format("{}={}", ItemNameOf(path), one.value));
  }

  /// Whether a system has this connector, which may lead to nothing.
  bool HasConnector(const std::string& scope, const std::string& name) const {
    const XMLElement* const system = FindSystem(scope);
    const XMLElement* const list = system == nullptr ? nullptr : FindLocalChild(*system, "Connectors");
    for (const XMLElement* c = list == nullptr ? nullptr : list->FirstChildElement(); c != nullptr;
         c = c->NextSiblingElement()) {
      if (AttributeText(*c, "name") == name) return true;
    }
    return false;
  }

  /// Whether both ends are members of wave ports that are connected as such.
  bool IsOfPorts(const Connection& connection) const {
    return !connection.from_port.empty() && !connection.to_port.empty() &&
           !as_signals_.contains(TopOf(connection.from)) && !as_signals_.contains(TopOf(connection.to));
  }
  static std::string TopOf(const std::string& path) { return path.substr(0, path.find('.')); }

  /// An FMU whose wave variables meet signals has no ports, and neither has what its ports were connected to.
  void FindSignalsAtPorts() {
    for (std::size_t before = as_signals_.size() + 1; before != as_signals_.size();) {
      before = as_signals_.size();
      for (const Connection& connection : connections_) {
        if (IsOfPorts(connection)) continue;
        if (!connection.from_port.empty()) as_signals_.insert(TopOf(connection.from));
        if (!connection.to_port.empty()) as_signals_.insert(TopOf(connection.to));
      }
    }
  }

  SspSystem Build(const std::string& name) {
    FindSignalsAtPorts();
    std::set<std::pair<std::string, std::string>> ports;
    std::string system = ItemNameOf(name.empty() ? "system" : name);
    std::ranges::replace(system, '.', '_');
    SystemBuilder builder(system);
    builder.Manager({{"TimeStep", step_}, {"StartTime", start_}, {"StopTime", stop_}});
    for (const std::string& one : order_) {
      const Fmu& fmu = fmus_.at(one);
      SystemBuilder::Attributes attributes{{"file", fs::absolute(fmu.file).string()}};
      const std::string& kind = kinds_[one];
      if (kind == "CoSimulation" || kind == "ModelExchange") attributes.push_back({"kind", kind});
      if (as_signals_.contains(fmu.name)) attributes.push_back({"ports", "none"});
      builder.Add("fmi.Fmu", fmu.name, attributes);
      builder.Record(fmu.name + ".*");
    }
    for (const Connection& connection : connections_) {
      if (!IsOfPorts(connection)) continue;
      const auto pair = std::minmax(connection.from_port, connection.to_port);
      if (ports.insert({pair.first, pair.second}).second) builder.Connect(pair.first, pair.second);
    }
    int number = 0;
    for (const Connection& connection : connections_) {
      if (IsOfPorts(connection)) continue;
      if (connection.factor == 1 && connection.offset == 0) {
        builder.Route(connection.from, connection.to);
        continue;
      }
      const std::string between = fmt::format("transformation_{}", ++number);
      builder.Add("signal.Expression", between)
          .Inside(between, "Input", {{"name", "u"}})
          .Inside(between, "Output",
                  {{"name", "y"}, {"expr", fmt::format("{}*u + {}", connection.factor, connection.offset)}})
          .Route(connection.from, between + ".u")
          .Route(between + ".y", connection.to);
    }
    return {builder.Describe(), settings_};
  }

  fs::path file_;
  Diagnostics& diagnostics_;
  std::unique_ptr<ZipReader> archive_;
  std::shared_ptr<const std::string> place_;
  UnitSystem units_;
  std::map<std::string, Fmu> fmus_;  ///< by path in the .ssp
  std::vector<std::string> order_;
  std::map<std::string, std::string> kinds_;
  std::vector<Connection> connections_;
  std::set<std::string> as_signals_;  ///< FMUs whose wave variables are connected as signals
  std::vector<std::string> settings_;
  std::set<std::string> items_;                                     ///< names of components in davit
  std::vector<std::pair<std::string, const XMLElement*>> systems_;  ///< by path, inner ones first
  std::multimap<Node, Edge> edges_;                                 ///< both ways
  std::vector<Node> ends_;                                          ///< at FMUs, in the order of the file
  std::set<Node> known_ends_;                                       ///< the same
  std::multimap<Node, Inside> inside_;           ///< inputs that connectors of systems lead to
  const XMLElement* units_of_system_ = nullptr;  ///< those that the structure declares
  double start_ = 0, stop_ = 1, step_ = 0;
};

}  // namespace

SspSystem ReadSsp(const fs::path& file, Diagnostics& diagnostics) {
  return SspReader(file, diagnostics).Read();
}

}  // namespace davit
