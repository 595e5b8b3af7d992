#include "framework/xml/parameter_set_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "framework/xml/qualified_element.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

using tinyxml2::XMLElement;

std::optional<double> ParseNumber(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// How a number becomes one in SI, or another one: factor * value + offset.
struct Line {
  double factor = 1;
  double offset = 0;
  double operator()(double value) const { return factor * value + offset; }
};

struct MappedTo {
  std::string target;
  Line line;
  std::map<std::string, std::string> values;  ///< of conditions, whole numbers and options
};

class ParameterSetReader {
 public:
  ParameterSetReader(const FileSource& files, const UnitSystem& units, Diagnostics& diagnostics)
      : files_(files), units_(units), diagnostics_(diagnostics) {}

  std::vector<SetParameter> Read(const ParameterSource& set, const std::optional<ParameterSource>& mapping,
                                 const XMLElement* more_units) {
    if (mapping) ReadMapping(*mapping);
    const XMLElement* const root = Open(set, "parameter set", "ParameterSet");
    if (root == nullptr) return {};
    if (more_units != nullptr) ReadUnits(*more_units);
    if (const XMLElement* const list = FindLocalChild(*root, "Units")) ReadUnits(*list);
    const XMLElement* const list = FindLocalChild(*root, "Parameters");
    if (list == nullptr) {
      Report(*root, "there is no <Parameters>; a parameter set must have it");
      return {};
    }
    std::vector<SetParameter> parameters;
    for (const XMLElement* e = list->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (LocalName(*e) == "Parameter") ReadParameter(*e, mapping.has_value(), parameters);
    }
    return parameters;
  }

 private:
  SourceLocation Place(const XMLElement& element) const { return {file_, element.GetLineNum()}; }
  void Report(const XMLElement& element, std::string_view what) {
    diagnostics_.Error(Place(element), {}, what);
  }

  const XMLElement* Open(const ParameterSource& source, std::string_view noun, std::string_view root) {
    file_ = std::make_shared<const std::string>(source.file);
    if (source.element != nullptr) return source.element;
    const TextResult text = source.text ? *source.text : files_.Read(source.file, noun);
    XmlResult xml = text.fault.empty() ? ParseXml(text.text, {.noun = noun, .root = root})
                                       : XmlResult{nullptr, 0, text.fault};
    if (xml.document == nullptr) {
      diagnostics_.Error({file_, xml.line}, {}, xml.fault);
      return nullptr;
    }
    const XMLElement& element = *xml.document->RootElement();
    if (LocalName(element) != root) {
      Report(element, fmt::format("the root element is <{}>; it should be <{}>", element.Name(), root));
      return nullptr;
    }
    documents_.push_back(std::move(xml.document));
    return &element;
  }

  /// Where an attribute is missing, `number` stays.
  bool ReadNumber(const XMLElement& element, const char* attribute, double& number) {
    const std::string text = AttributeText(element, attribute);
    if (text.empty()) return true;
    const std::optional<double> value = ParseNumber(text);
    if (value) {
      number = *value;
    } else {
      Report(element, fmt::format("{}: '{}' is not a number; write one such as 0.01", attribute, text));
    }
    return value.has_value();
  }

  void ReadUnits(const XMLElement& list) {
    for (const XMLElement* e = list.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const XMLElement* const base = FindLocalChild(*e, "BaseUnit");
      if (base == nullptr) continue;
      Line line;
      ReadNumber(*base, "factor", line.factor);
      ReadNumber(*base, "offset", line.offset);
      own_units_.insert_or_assign(AttributeText(*e, "name"), line);
    }
  }

  void ReadMapping(const ParameterSource& source) {
    const XMLElement* const root = Open(source, "parameter mapping", "ParameterMapping");
    if (root == nullptr) return;
    for (const XMLElement* e = root->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (LocalName(*e) != "MappingEntry") continue;
      MappedTo to{AttributeText(*e, "target"), {}, {}};
      const bool is_open = e->FindAttribute("source") != nullptr && AttributeText(*e, "source").empty();
      if (is_open && !to.target.empty()) continue;  // nothing is mapped to it yet
      if (to.target.empty() || AttributeText(*e, "source").empty()) {
        Report(*e, "source or target is missing; a <MappingEntry> needs both");
        continue;
      }
      for (const XMLElement* t = e->FirstChildElement(); t != nullptr; t = t->NextSiblingElement()) {
        if (LocalName(*t) == "LinearTransformation") {
          ReadNumber(*t, "factor", to.line.factor);
          ReadNumber(*t, "offset", to.line.offset);
        }
        for (const XMLElement* m = t->FirstChildElement(); m != nullptr; m = m->NextSiblingElement()) {
          if (LocalName(*m) == "MapEntry")
            to.values[AttributeText(*m, "source")] = AttributeText(*m, "target");
        }
      }
      mapping_.emplace(AttributeText(*e, "source"), std::move(to));
    }
  }

  void ReadParameter(const XMLElement& element, bool is_mapped, std::vector<SetParameter>& parameters) {
    const std::string name = AttributeText(element, "name");
    if (name.empty()) return Report(element, "a parameter has no name; give it the path that it sets");
    const XMLElement* const content = element.FirstChildElement();
    if (content == nullptr)
      return Report(element, fmt::format("'{}' has no value; write <Real value=\"5\"/> in it", name));
    const auto [first, last] = mapping_.equal_range(name);
    if (!is_mapped) Add(element, *content, name, {name, {}, {}}, parameters);
    for (auto to = first; to != last; ++to) Add(element, *content, name, to->second, parameters);
  }

  void Add(const XMLElement& element, const XMLElement& content, const std::string& name, const MappedTo& to,
           std::vector<SetParameter>& parameters) {
    const std::string_view type = LocalName(content);
    std::string value = AttributeText(content, "value");
    if (type == "Real" || type.starts_with("Float")) {
      const std::optional<std::string> number = NumberOf(content, name, value, to.line);
      if (number) parameters.push_back({to.target, *number, Place(element)});
      return;
    }
    const bool is_known = type == "Boolean" || type == "Enumeration" || type == "String" ||
                          type.starts_with("Int") || type.starts_with("UInt");
    if (!is_known) {
      return Report(content,
                    fmt::format("'{}' is of the type {}; davit has parameters that are Real, Integer, "
                                "Boolean, Enumeration or String",
                                name, type));
    }
    if (type == "Enumeration" && value.empty()) value = AttributeText(content, "name");
    if (const auto known = to.values.find(value); known != to.values.end()) value = known->second;
    parameters.push_back({to.target, value, Place(element)});
  }

  std::optional<std::string> NumberOf(const XMLElement& content, const std::string& name,
                                      const std::string& text, const Line& line) {
    const std::optional<double> value = ParseNumber(text);
    if (!value) {
      Report(content, fmt::format("'{}': '{}' is not a number; write one such as 0.01", name, text));
      return std::nullopt;
    }
    const std::string unit = AttributeText(content, "unit");
    const bool is_plain = line.factor == 1 && line.offset == 0;
    if (unit.empty() || unit == "1" || unit == "-") return fmt::format("{}", line(*value));
    if (const std::optional<Unit> known = units_.Find(unit)) {
      if (is_plain) return fmt::format("{} {}", *value, unit);
      return fmt::format("{}", line(known->ToSi(*value)));
    }
    if (const auto own = own_units_.find(unit); own != own_units_.end())
      return fmt::format("{}", line(own->second(*value)));
    Report(content,
           fmt::format("'{}': no unit '{}'; declare it in <Units>, with its <BaseUnit>", name, unit));
    return std::nullopt;
  }

  const FileSource& files_;
  const UnitSystem& units_;
  Diagnostics& diagnostics_;
  std::shared_ptr<const std::string> file_;
  std::vector<XmlDocument> documents_;
  std::map<std::string, Line> own_units_;
  std::multimap<std::string, MappedTo> mapping_;  ///< by source
};

}  // namespace

std::vector<SetParameter> ReadParameterSet(const std::string& names, const FileSource& files,
                                           const UnitSystem& units, Diagnostics& diagnostics) {
  const std::size_t comma = names.find(',');
  std::optional<ParameterSource> mapping;
  if (comma != std::string::npos) mapping = ParameterSource{names.substr(comma + 1)};
  return ReadParameterSet({names.substr(0, comma)}, mapping, nullptr, files, units, diagnostics);
}

std::vector<SetParameter> ReadParameterSet(const ParameterSource& set,
                                           const std::optional<ParameterSource>& mapping,
                                           const XMLElement* more_units, const FileSource& files,
                                           const UnitSystem& units, Diagnostics& diagnostics) {
  return ParameterSetReader(files, units, diagnostics).Read(set, mapping, more_units);
}

}  // namespace davit
