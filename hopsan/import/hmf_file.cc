#include "hopsan/import/hmf_file.h"

#include <charconv>
#include <cmath>
#include <utility>

#include "framework/fault.h"
#include "framework/nearest_name.h"
#include "framework/xml/element_reader.h"
#include "framework/xml/xml_file.h"

namespace davit::hopsan {
namespace {

using tinyxml2::XMLElement;
namespace fs = std::filesystem;

constexpr std::size_t kMostLevels = 32;       // of external systems in each other
constexpr std::size_t kMostSystems = 10'000;  // of all files
constexpr XmlKind kKind{.noun = "Hopsan model",
                        .root = "hopsanmodelfile",
                        .most_levels = 90,
                        .remedy = "sub-systems may be nested about twenty deep"};

bool IsTrue(const XMLElement& element, const char* name) {
  const char* const text = element.Attribute(name);
  return text != nullptr && (std::string_view(text) == "true" || std::string_view(text) == "1");
}

/// The first `name` in the first `list`; any where the name is null.
const XMLElement* FirstIn(const XMLElement& element, const char* list, const char* name) {
  const XMLElement* const found = element.FirstChildElement(list);
  return found == nullptr ? nullptr : found->FirstChildElement(name);
}

class HmfReader {
 public:
  HmfReader(const FileSource* files, Diagnostics& diagnostics) : files_(files), diagnostics_(diagnostics) {}

  std::unique_ptr<HmfFile> Read(const fs::path& file, const std::string* text) {
    file_ = std::make_shared<const std::string>(file.string());
    const TextResult read = text != nullptr ? TextResult{*text, {}} : ReadTextFrom(files_, file, kKind.noun);
    if (!read.fault.empty()) return Refuse(0, read.fault);
    const XmlResult xml = ParseXml(read.text, kKind);
    if (xml.document == nullptr) return Refuse(xml.line, xml.fault);
    const XMLElement& root = *xml.document->RootElement();
    if (std::string_view(root.Name()) != kKind.root) {
      return Refuse(root.GetLineNum(), "the root element is " + Quoted(root.Name()) +
                                           ", not hopsanmodelfile; name a Hopsan model (.hmf)");
    }
    const XMLElement* const system = root.FirstChildElement("system");
    if (system == nullptr)
      return Refuse(root.GetLineNum(), "it has no element 'system'; save it again in Hopsan");
    auto result = std::make_unique<HmfFile>();
    result->core_version = Text(root, "hopsancoreversion");
    stack_.push_back(Canonical(file));
    folder_ = file.parent_path();
    ReadSystem(*system, "/", result->system);
    if (result->system.name.empty()) result->system.name = CleanName(file.stem().string());
    stack_.pop_back();
    return result;
  }

 private:
  static fs::path Canonical(const fs::path& file) {
    std::error_code error;
    fs::path canonical = fs::weakly_canonical(file, error);
    return error ? file : canonical;
  }
  std::unique_ptr<HmfFile> Refuse(int line, const std::string& fault) {
    diagnostics_.Error({file_, line}, {}, fault);
    return nullptr;
  }
  SourceLocation Place(const XMLElement& element) const { return {file_, element.GetLineNum()}; }
  static std::string Text(const XMLElement& element, const char* name) {
    const char* const text = element.Attribute(name);
    return text == nullptr ? std::string() : std::string(text);
  }
  /// A number; `otherwise` where the attribute is absent or empty.
  double Number(const XMLElement& element, const char* name, double otherwise, const std::string& path) {
    const std::string text(Trim(Text(element, name)));
    if (text.empty()) return otherwise;
    double value = 0;
    const char* const begin = text.data() + (text.front() == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
    diagnostics_.Error(Place(element), path,
                       std::string(name) + ": " + Quoted(text) + " is not a number; write for example 0.001");
    return otherwise;
  }
  std::optional<HmfPose> ReadPose(const XMLElement& element) {
    const XMLElement* const pose = FirstIn(element, "hopsangui", "pose");
    if (pose == nullptr) return std::nullopt;
    HmfPose result{pose->DoubleAttribute("x"), pose->DoubleAttribute("y"), pose->DoubleAttribute("a"),
                   IsTrue(*pose, "flipped")};
    const bool is_finite = std::isfinite(result.x) && std::isfinite(result.y) && std::isfinite(result.angle);
    return is_finite ? std::optional(result) : std::nullopt;
  }
  void ReadParameters(const XMLElement& element, std::vector<HmfParameter>& parameters) {
    for (const XMLElement* p = FirstIn(element, "parameters", "parameter"); p != nullptr;
         p = p->NextSiblingElement("parameter"))
      parameters.push_back({Text(*p, "name"), Text(*p, "value"), Text(*p, "type"), Place(*p)});
    for (const XMLElement* s = FirstIn(element, "startvalues", "startvalue"); s != nullptr;
         s = s->NextSiblingElement("startvalue"))
      parameters.push_back(
          {Text(*s, "portname") + '#' + Text(*s, "variable"), Text(*s, "value"), "double", Place(*s), true});
  }
  void ReadComponent(const XMLElement& element, const std::string& path, HmfSystem& system) {
    auto component = std::make_unique<HmfComponent>();
    component->type = Text(element, "typename");
    component->name = CleanName(Text(element, "name"));
    component->place = Place(element);
    component->is_disabled = IsTrue(element, "disabled");
    component->pose = ReadPose(element);
    if (component->name.empty() || component->type.empty()) {
      return diagnostics_.Error(component->place, path,
                                "a component without typename or name; save the model again in Hopsan");
    }
    ReadParameters(element, component->parameters);
    system.objects.push_back({.component = std::move(component), .place = Place(element)});
  }
  void ReadConnects(const XMLElement& element, const std::string& path, HmfSystem& system) {
    for (const XMLElement* c = FirstIn(element, "connections", "connect"); c != nullptr;
         c = c->NextSiblingElement("connect")) {
      const auto name = [&](const char* attribute) { return CleanName(Text(*c, attribute)); };
      HmfConnect connect{
          {name("startcomponent"), name("startport")}, {name("endcomponent"), name("endport")}, Place(*c)};
      if (connect.start.component.empty() || connect.start.port.empty() || connect.end.component.empty() ||
          connect.end.port.empty()) {
        diagnostics_.Error(
            connect.place, path,
            "connect needs startcomponent, startport, endcomponent and endport; save the model "
            "again in Hopsan");
      } else {
        system.connects.push_back(std::move(connect));
      }
    }
  }
  void ReadSystem(const XMLElement& element, const std::string& path, HmfSystem& system) {
    system.place = Place(element);
    system.name = CleanName(Text(element, "name"));
    system.is_disabled = IsTrue(element, "disabled");
    system.is_conditional = Text(element, "typename") == "ConditionalSubsystem";
    system.pose = ReadPose(element);
    if (++system_count_ > kMostSystems) {
      if (system_count_ == kMostSystems + 1)
        diagnostics_.Error(system.place, path, "more than 10000 systems; leave some out");
      return;
    }
    const std::string external = Text(element, "external_path");
    if (!external.empty()) return ReadExternal(element, external, path, system);
    if (const XMLElement* time = element.FirstChildElement("simulationtime")) {
      system.start = Number(*time, "start", 0, path);
      system.stop = Number(*time, "stop", 0, path);
      system.time_step = Number(*time, "timestep", 1e-3, path);
      system.inherits_time_step = Text(*time, "inherit_timestep") != "false";
    }
    if (element.Attribute("logsamples") != nullptr)
      system.log_samples = Number(element, "logsamples", 0, path);
    if (const XMLElement* log = element.FirstChildElement("simulationlogsettings")) {
      system.log_samples = Number(*log, "numsamples", 2048, path);
      system.log_start = Number(*log, "starttime", 0, path);
    }
    ReadParameters(element, system.parameters);
    if (const XMLElement* script = element.FirstChildElement("numhopscript");
        script != nullptr && script->GetText() != nullptr)
      system.script = script->GetText();
    for (const XMLElement* a = FirstIn(element, "aliases", "alias"); a != nullptr;
         a = a->NextSiblingElement("alias"))
      ++system.alias_count;
    for (const XMLElement* o = FirstIn(element, "objects", nullptr); o != nullptr;
         o = o->NextSiblingElement()) {
      const std::string_view kind = o->Name();
      if (kind == "component") {
        ReadComponent(*o, path, system);
      } else if (kind == "system") {
        auto inner = std::make_unique<HmfSystem>();
        ReadSystem(*o, path + CleanName(Text(*o, "name")) + '/', *inner);
        system.objects.push_back({.system = std::move(inner), .place = Place(*o)});
      } else if (kind == "systemport") {
        system.objects.push_back({.port = CleanName(Text(*o, "name")), .place = Place(*o)});
      }
    }
    ReadConnects(element, path, system);
  }
  void ReadExternal(const XMLElement& element, const std::string& external, const std::string& path,
                    HmfSystem& system) {
    const fs::path file = (folder_ / external).lexically_normal();
    const fs::path key = Canonical(file);
    const auto fail = [&](const std::string& fault) {
      diagnostics_.Error(system.place, path, "external_path: " + fault);
    };
    for (const fs::path& outer : stack_) {
      if (outer == key) return fail(Quoted(external) + " contains this system itself; break the cycle");
    }
    if (stack_.size() >= kMostLevels) return fail("more than 32 files inside each other; leave some out");
    const TextResult read = ReadTextFrom(files_, file, kKind.noun);
    if (!read.fault.empty()) return fail(read.fault);
    const XmlResult xml = ParseXml(read.text, kKind);
    if (xml.document == nullptr) {
      return diagnostics_.Error({std::make_shared<const std::string>(file.string()), xml.line}, path,
                                xml.fault);
    }
    const XMLElement* const root = xml.document->RootElement()->FirstChildElement("system");
    if (root == nullptr) return fail(Quoted(external) + " has no element 'system'; name a Hopsan model");
    const HmfSystem outer = std::exchange(system, HmfSystem());
    const auto outer_file = std::exchange(file_, std::make_shared<const std::string>(file.string()));
    const fs::path outer_folder = std::exchange(folder_, file.parent_path());
    stack_.push_back(key);
    ReadSystem(*root, path, system);
    stack_.pop_back();
    folder_ = outer_folder;
    file_ = outer_file;
    system.name = outer.name;
    system.place = outer.place;
    system.is_disabled = outer.is_disabled;
    system.pose = outer.pose;
    std::vector<HmfParameter> given;
    ReadParameters(element, given);
    for (HmfParameter& one : given) {
      bool is_known = false;
      for (HmfParameter& parameter : system.parameters) {
        if (parameter.name != one.name) continue;
        parameter.value = one.value;
        is_known = true;
      }
      if (!is_known) system.parameters.push_back(std::move(one));
    }
  }

  const FileSource* files_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const std::string> file_;
  fs::path folder_;
  std::vector<fs::path> stack_;  ///< of files under way
  std::size_t system_count_ = 0;
};

}  // namespace

std::string CleanName(std::string_view name) {
  std::string clean(name);
  for (char& c : clean) {
    const bool is_kept = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!is_kept) c = '_';
  }
  return clean;
}

std::unique_ptr<HmfFile> ReadHmf(const std::filesystem::path& file, const std::string* text,
                                 const FileSource* files, Diagnostics& diagnostics) {
  return HmfReader(files, diagnostics).Read(file, text);
}

}  // namespace davit::hopsan
