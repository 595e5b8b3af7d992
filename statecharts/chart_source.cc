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

const ChartSource* ChartSource::AddPart(const tinyxml2::XMLElement& include, std::string text,
                                        const std::filesystem::path& file, std::vector<std::string> scopes,
                                        Diagnostics& diagnostics) {
  std::unique_ptr<ChartSource> part = Parse(std::move(text), file, {}, diagnostics);
  if (part == nullptr) return nullptr;
  part->scopes_ = std::move(scopes);
  part->number_ = static_cast<std::uint32_t>(parts_.size() + 1);
  part_of_document_.emplace(part->document_.get(), part.get());
  part_of_include_.emplace(&include, part.get());
  return parts_.emplace_back(std::move(part)).get();
}

const ChartSource& ChartSource::PartOf(const tinyxml2::XMLElement& element) const {
  if (parts_.empty()) return *this;
  const auto found = part_of_document_.find(element.GetDocument());
  return found == part_of_document_.end() ? *this : *found->second;
}

const tinyxml2::XMLElement* ChartSource::FindIncluded(const tinyxml2::XMLElement& include) const {
  const auto found = part_of_include_.find(&include);
  return found == part_of_include_.end() ? nullptr : &found->second->root();
}

std::string_view ChartSource::NameOf(const tinyxml2::XMLElement& element) const {
  const ChartNamespaces& namespaces = PartOf(element).namespaces_;
  const std::string_view name = element.Name();
  if (!namespaces.scxml_prefix.empty() && name.starts_with(namespaces.scxml_prefix))
    return name.substr(namespaces.scxml_prefix.size());
  if (!namespaces.is_default_scxml || name.find(':') != std::string_view::npos) return {};
  if (const char* own = element.Attribute("xmlns");
      own != nullptr && own != kScxmlNamespace && *own != '\0') {
    return {};
  }
  return name;
}

std::string_view ChartSource::DavitNameOf(const tinyxml2::XMLElement& element) const {
  const std::string_view name = element.Name();
  for (const std::string& prefix : PartOf(element).namespaces_.davit_prefixes) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return {};
}

std::vector<const tinyxml2::XMLElement*> ChartSource::ElementsOf(const tinyxml2::XMLElement& element) const {
  std::vector<const tinyxml2::XMLElement*> elements;
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (const tinyxml2::XMLElement* included = FindIncluded(*child)) {
      const auto inner = ElementsOf(*included);
      elements.insert(elements.end(), inner.begin(), inner.end());
    } else if (!NameOf(*child).empty() || !DavitNameOf(*child).empty()) {
      elements.push_back(child);
    }
  }
  return elements;
}

const tinyxml2::XMLElement* ChartSource::InitialHolder(const tinyxml2::XMLElement* state) const {
  if (Has(*state, "initial") || parts_.empty()) return state;
  for (const auto* child = state->FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const tinyxml2::XMLElement* included = FindIncluded(*child);
    if (included == nullptr) continue;
    const tinyxml2::XMLElement* holder = InitialHolder(included);
    if (Has(*holder, "initial")) return holder;
  }
  return state;
}

std::vector<const tinyxml2::XMLElement*> ChartSource::ChildrenOf(const tinyxml2::XMLElement& element) const {
  std::vector<const tinyxml2::XMLElement*> children = ElementsOf(element);
  std::erase_if(children, [this](const tinyxml2::XMLElement* child) { return NameOf(*child).empty(); });
  return children;
}

const tinyxml2::XMLAttribute* ChartSource::FindDavitAttribute(const tinyxml2::XMLElement& element,
                                                              std::string_view attribute) const {
  for (const std::string& prefix : PartOf(element).namespaces_.davit_prefixes) {
    if (const auto* found = element.FindAttribute((prefix + std::string(attribute)).c_str())) return found;
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
