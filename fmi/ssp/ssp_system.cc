#include "fmi/ssp/ssp_system.h"

#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "fmi/import/fmu_cache.h"
#include "fmi/import/fmu_declarer.h"
#include "fmi/import/lone_fmu.h"
#include "fmi/manifest/percent_encoding.h"
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
      folder_ = UnpackToCache(file_);
    } catch (const std::runtime_error& fault) {
      const std::string text = fault.what();
      const std::size_t begin = text.find("error: ");
      Report(0, begin == std::string::npos ? text : text.substr(begin + 7));
      return {};
    }
    place_ = std::make_shared<const std::string>((file_ / "SystemStructure.ssd").string());
    const TextResult text = ReadTextFile(folder_ / "SystemStructure.ssd", "system structure");
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
    if (const XMLElement* const elements = FindLocalChild(*system, "Elements")) ReadElements(*elements);
    if (fmus_.empty() && !diagnostics_.has_errors())
      Report(system->GetLineNum(), "the system has no components; an .ssp needs at least one FMU");
    if (diagnostics_.has_errors()) return {};
    ReadExperiment(FindLocalChild(root, "DefaultExperiment"));
    if (const XMLElement* const connections = FindLocalChild(*system, "Connections"))
      ReadConnections(*connections);
    if (const XMLElement* const bindings = FindLocalChild(*system, "ParameterBindings"))
      ReadBindings(*bindings, {});
    return Build(AttributeText(*system, "name"));
  }

 private:
  struct Fmu {
    std::string name;  ///< in davit
    fs::path file;
    std::unique_ptr<LoneFmu> content;
  };
  struct End {
    const Fmu* fmu = nullptr;
    std::string item;
    std::string port;  ///< the wave port it belongs to
    bool is_input = false;
  };
  struct Connection {
    std::string from, to;
    double factor = 1, offset = 0;
    std::string from_port = {}, to_port = {};  ///< paths of wave ports; empty where it is none
  };

  void Report(int line, std::string what) {
    const auto place = place_ ? place_ : std::make_shared<const std::string>(file_.string());
    diagnostics_.Error({place, line}, {}, std::move(what));
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

  void ReadElements(const XMLElement& elements) {
    for (const XMLElement* e = elements.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (LocalName(*e) == "Component") {
        ReadComponent(*e);
      } else {
        Report(e->GetLineNum(),
               fmt::format("<{}> is not read; davit reads systems whose elements are FMUs", LocalName(*e)));
      }
    }
  }

  void ReadComponent(const XMLElement& e) {
    const std::string name = AttributeText(e, "name");
    const std::string source = DecodePercent(AttributeText(e, "source"));
    const fs::path path = (folder_ / source).lexically_normal();
    std::string item = ItemNameOf(name);
    std::ranges::replace(item, '.', '_');
    std::ranges::replace(item, '(', '_');
    std::ranges::replace(item, ')', '_');
    const bool is_taken =
        std::ranges::any_of(fmus_, [&](const auto& other) { return other.second.name == item; });
    if (!IsName(item) || is_taken)
      return Report(e.GetLineNum(), fmt::format("component '{}': give it a name of its own", name));
    const fs::path below = path.lexically_relative(folder_);
    if (source.empty() || below.empty() || *below.begin() == ".." || !LoneFmu::IsFmu(path)) {
      return Report(
          e.GetLineNum(),
          fmt::format("component '{}': its source '{}' is no FMU in the archive; davit reads systems of "
                      "FMUs, such as source=\"resources/engine.fmu\"",
                      name, source));
    }
    FileDescribed::Attributes attributes;
    const std::string implementation = AttributeText(e, "implementation");
    if (implementation == "CoSimulation" || implementation == "ModelExchange")
      attributes.emplace("kind", implementation);
    kinds_[name] = implementation;
    Fmu fmu{item, path, std::make_unique<LoneFmu>(path, attributes, diagnostics_)};
    fmus_.emplace(name, std::move(fmu));
    order_.push_back(name);
    if (const XMLElement* const bindings = FindLocalChild(e, "ParameterBindings"))
      ReadBindings(*bindings, item);
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

  std::optional<End> FindEnd(const XMLElement& e, const char* element, const char* connector) {
    const std::string name = AttributeText(e, element);
    const std::string variable = AttributeText(e, connector);
    const auto fmu = fmus_.find(name);
    if (fmu == fmus_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, ignored] : fmus_) names.push_back(known);
      Report(e.GetLineNum(),
             fmt::format("{}: no component '{}'; {}", element, name, SuggestName("it has", name, names)));
      return std::nullopt;
    }
    const std::vector<DescribedVariable>& all = fmu->second.content->description().variables;
    const auto found = std::ranges::find(all, variable, &DescribedVariable::name);
    if (found == all.end()) {
      std::vector<std::string> names;
      names.reserve(all.size());
      for (const DescribedVariable& one : all) names.push_back(one.name);
      Report(e.GetLineNum(), fmt::format("{}: '{}' has no variable '{}'; {}", connector, name, variable,
                                         SuggestName("it has", variable, names)));
      return std::nullopt;
    }
    const auto number = static_cast<std::size_t>(found - all.begin());
    return End{&fmu->second, ItemNameOf(variable), fmu->second.content->ports().PortOf(number),
               found->causality == "input" || found->causality == "parameter"};
  }

  void ReadConnections(const XMLElement& list) {
    for (const XMLElement* e = list.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      // The inputs and outputs of the system itself: nobody is outside.
      if (AttributeText(*e, "startElement").empty() || AttributeText(*e, "endElement").empty()) continue;
      std::optional<End> a = FindEnd(*e, "startElement", "startConnector");
      std::optional<End> b = FindEnd(*e, "endElement", "endConnector");
      if (!a || !b) continue;
      if (a->is_input && !b->is_input) std::swap(a, b);
      Connection connection{a->fmu->name + "." + a->item, b->fmu->name + "." + b->item};
      for (const XMLElement* t = e->FirstChildElement(); t != nullptr; t = t->NextSiblingElement()) {
        const std::string_view kind = LocalName(*t);
        if (kind == "LinearTransformation") {
          ReadNumber(*t, "factor", connection.factor);
          ReadNumber(*t, "offset", connection.offset);
        } else if (kind.ends_with("Transformation")) {
          Report(t->GetLineNum(), fmt::format("<{}> is not read; davit reads linear transformations", kind));
        }
      }
      if (!a->port.empty()) connection.from_port = a->fmu->name + "." + a->port;
      if (!b->port.empty()) connection.to_port = b->fmu->name + "." + b->port;
      connections_.push_back(std::move(connection));
    }
  }

  /// The values of parameter sets, in the archive or written in place.
  void ReadBindings(const XMLElement& bindings, const std::string& component) {
    for (const XMLElement* e = bindings.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const std::string source = DecodePercent(AttributeText(*e, "source"));
      if (source.empty()) {
        Report(e->GetLineNum(),
               "parameter values in place are not read; put them into an .ssv and name it "
               "with source=\"resources/x.ssv\"");
        continue;
      }
      std::string files = Resource(*e, source);
      if (const XMLElement* const mapping = FindLocalChild(*e, "ParameterMapping"))
        files += "," + Resource(*mapping, DecodePercent(AttributeText(*mapping, "source")));
      if (diagnostics_.has_errors()) return;
      std::string prefix = AttributeText(*e, "prefix");
      if (!component.empty()) prefix = component + "." + prefix;
      for (const SetParameter& one : ReadParameterSet(files, units_, diagnostics_))
        settings_.push_back(fmt::format("{}{}={}", prefix, ItemNameOf(one.path), one.value));
    }
  }

  std::string Resource(const XMLElement& e, const std::string& source) {
    const fs::path path = (folder_ / source).lexically_normal();
    const fs::path below = path.lexically_relative(folder_);
    if (below.empty() || *below.begin() == ".." || source.find(',') != std::string::npos)
      Report(e.GetLineNum(), fmt::format("source '{}' leads out of the archive; name a file in it", source));
    return path.string();
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
      SystemBuilder::Attributes attributes{{"file", fmu.file.string()}};
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
    return {builder.ToXml(), settings_};
  }

  fs::path file_, folder_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const std::string> place_;
  UnitSystem units_;
  std::map<std::string, Fmu> fmus_;  ///< by name in the .ssp
  std::vector<std::string> order_;
  std::map<std::string, std::string> kinds_;
  std::vector<Connection> connections_;
  std::set<std::string> as_signals_;  ///< FMUs whose wave variables are connected as signals
  std::vector<std::string> settings_;
  double start_ = 0, stop_ = 1, step_ = 0;
};

}  // namespace

bool IsSspFile(const fs::path& file) { return file.extension() == ".ssp"; }

SspSystem ReadSsp(const fs::path& file, Diagnostics& diagnostics) {
  return SspReader(file, diagnostics).Read();
}

}  // namespace davit
