#include "statecharts/chart_source.h"

#include <fmt/format.h>

#include <utility>

#include "framework/nearest_name.h"

namespace davit {

std::unique_ptr<ChartSource> ChartSource::Parse(std::string text, const std::filesystem::path& file,
                                                const ChartNamespaces& inherited, Diagnostics& diagnostics) {
  constexpr XmlKind kKind{"chart", "scxml", 98, "a chart may have 98 levels"};
  std::unique_ptr<ChartSource> source(new ChartSource());
  source->file_ = file;
  source->location_ = {std::make_shared<const std::string>(file.string()), 0};
  source->text_ = std::move(text);
  XmlResult xml = ParseXml(source->text_, kKind);
  if (xml.document == nullptr) {
    diagnostics.Error({source->location_.file, xml.line}, "", xml.fault);
    return nullptr;
  }
  source->document_ = std::move(xml.document);
  source->places_ = std::make_unique<XmlPlaces>(source->text_, *source->document_);
  source->namespaces_ = inherited;
  source->ReadPrefixes();
  const tinyxml2::XMLElement& root = source->root();
  if (!source->Is(root, "scxml")) {
    diagnostics.Error({source->location_.file, root.GetLineNum()}, "",
                      fmt::format("the root element is {}; a chart begins with <scxml xmlns=\"{}\">",
                                  Quoted(root.Name()), kScxmlNamespace));
    return nullptr;
  }
  return source;
}

void ChartSource::ReadPrefixes() {
  constexpr std::string_view kDeclaration = "xmlns:";
  for (const auto* attribute = root().FirstAttribute(); attribute != nullptr; attribute = attribute->Next()) {
    const std::string_view name = attribute->Name();
    const std::string_view value = attribute->Value();
    if (name == "xmlns") namespaces_.is_default_scxml = value == kScxmlNamespace || value.empty();
    if (!name.starts_with(kDeclaration)) continue;
    const std::string prefix = std::string(name.substr(kDeclaration.size())) + ":";
    if (value == kScxmlNamespace) namespaces_.scxml_prefix = prefix;
    if (value == kDavitChartNamespace) namespaces_.davit_prefixes.push_back(prefix);
  }
}

std::string_view ChartSource::NameOf(const tinyxml2::XMLElement& element) const {
  const std::string_view name = element.Name();
  if (!namespaces_.scxml_prefix.empty() && name.starts_with(namespaces_.scxml_prefix))
    return name.substr(namespaces_.scxml_prefix.size());
  if (!namespaces_.is_default_scxml || name.find(':') != std::string_view::npos) return {};
  if (const char* own = element.Attribute("xmlns");
      own != nullptr && own != kScxmlNamespace && *own != '\0') {
    return {};
  }
  return name;
}

std::vector<const tinyxml2::XMLElement*> ChartSource::ChildrenOf(const tinyxml2::XMLElement& element) const {
  std::vector<const tinyxml2::XMLElement*> children;
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (!NameOf(*child).empty()) children.push_back(child);
  }
  return children;
}

const char* ChartSource::FindDavit(const tinyxml2::XMLElement& element, std::string_view attribute) const {
  for (const std::string& prefix : namespaces_.davit_prefixes) {
    if (const char* value = element.Attribute((prefix + std::string(attribute)).c_str())) return value;
  }
  return nullptr;
}

std::string ChartSource::TextOf(const tinyxml2::XMLElement& element) {
  std::string text;
  for (const auto* node = element.FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node->ToText() != nullptr) text += node->Value();
  }
  return text;
}

}  // namespace davit
