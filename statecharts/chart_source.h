#pragma once

#include <tinyxml2.h>

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/xml/xml_file.h"
#include "statecharts/xml_places.h"

namespace davit {

inline constexpr std::string_view kScxmlNamespace = "http://www.w3.org/2005/07/scxml";
inline constexpr std::string_view kDavitChartNamespace = "urn:davit:chart:1";

/// What prefixes of names mean; a chart in a `<content>` has those of the chart around it.
struct ChartNamespaces {
  std::string scxml_prefix;                 ///< with its colon; often empty
  bool is_default_scxml = true;             ///< elements without prefix are SCXML
  std::vector<std::string> davit_prefixes;  ///< with their colons
};

/// The text of a chart with its elements and their places. Elements and attributes of other namespaces, which
/// editors put in, are passed over.
class ChartSource {
 public:
  /// Null after a fault, which is then in `diagnostics`. `file` is the name in messages and the base of
  /// relative names in the chart.
  static std::unique_ptr<ChartSource> Parse(std::string text, const std::filesystem::path& file,
                                            const ChartNamespaces& inherited, Diagnostics& diagnostics);

  /// The file that a <davit:include> names, as part of this source; `scopes` as in scopes(). Elements of all
  /// parts may be given to all functions. Null after a fault; of `source` or of the place of the <include>.
  const ChartSource* AddPart(const tinyxml2::XMLElement& include, std::string text,
                             const std::filesystem::path& file, std::vector<std::string> scopes,
                             Diagnostics& diagnostics);
  /// The root element of the file that <davit:include> names; null where it could not be read.
  const tinyxml2::XMLElement* FindIncluded(const tinyxml2::XMLElement& include) const;
  /// The part that contains an element.
  const ChartSource& PartOf(const tinyxml2::XMLElement& element) const;
  /// The parts with a number above 0, in the order in which they were added.
  const std::vector<std::unique_ptr<ChartSource>>& parts() const { return parts_; }
  /// 0, or the number of this part.
  std::uint32_t number() const { return number_; }
  /// Prefixes of an id that is written in this part, in the order in which they are tried; the first
  /// is that of the ids of its own states and `<data>`, the last is empty.
  const std::vector<std::string>& scopes() const { return scopes_; }

  const std::filesystem::path& file() const { return file_; }
  const SourceLocation& location() const { return location_; }
  const tinyxml2::XMLElement& root() const { return *document_->RootElement(); }
  const ChartNamespaces& namespaces() const { return namespaces_; }
  const XmlPlaces& PlacesOf(const tinyxml2::XMLElement& element) const { return *PartOf(element).places_; }

  /// The place of an element, for a message.
  SourceLocation At(const tinyxml2::XMLElement& element) const {
    return {PartOf(element).location_.file, element.GetLineNum()};
  }

  /// The name of an element of SCXML without a prefix; empty for an element of another namespace.
  std::string_view NameOf(const tinyxml2::XMLElement& element) const;
  bool Is(const tinyxml2::XMLElement& element, std::string_view name) const {
    return NameOf(element) == name;
  }
  /// The same of an element in davit's namespace: `include` of <davit:include>.
  std::string_view DavitNameOf(const tinyxml2::XMLElement& element) const;
  /// The children that belong to SCXML or davit's namespace. A <davit:include> is replaced by what the
  /// file has in its `<scxml>`.
  std::vector<const tinyxml2::XMLElement*> ElementsOf(const tinyxml2::XMLElement& element) const;
  /// What has the attribute `initial` of a state: itself, or the `<scxml>` of the file it includes.
  const tinyxml2::XMLElement* InitialHolder(const tinyxml2::XMLElement* state) const;
  /// Those of them that belong to SCXML.
  std::vector<const tinyxml2::XMLElement*> ChildrenOf(const tinyxml2::XMLElement& element) const;
  /// Whether there is an attribute, and its value. `davit:` means davit's namespace.
  static bool Has(const tinyxml2::XMLElement& element, const char* attribute) {
    return element.Attribute(attribute) != nullptr;
  }
  static std::string Get(const tinyxml2::XMLElement& element, const char* attribute) {
    const char* value = element.Attribute(attribute);
    return value == nullptr ? std::string() : std::string(value);
  }
  /// An attribute of davit's namespace by its local name, or null.
  const char* FindDavit(const tinyxml2::XMLElement& element, std::string_view attribute) const {
    const tinyxml2::XMLAttribute* found = FindDavitAttribute(element, attribute);
    return found == nullptr ? nullptr : found->Value();
  }
  const tinyxml2::XMLAttribute* FindDavitAttribute(const tinyxml2::XMLElement& element,
                                                   std::string_view attribute) const;

  /// The text of an element and of its CDATA sections.
  static std::string TextOf(const tinyxml2::XMLElement& element);
  /// Whether an element has any element in it.
  static bool HasElements(const tinyxml2::XMLElement& element) {
    return element.FirstChildElement() != nullptr;
  }

 private:
  ChartSource() = default;
  void ReadPrefixes();

  std::string text_;
  std::filesystem::path file_;
  SourceLocation location_;
  XmlDocument document_;
  std::unique_ptr<XmlPlaces> places_;
  ChartNamespaces namespaces_;
  std::uint32_t number_ = 0;
  std::vector<std::string> scopes_{""};
  std::vector<std::unique_ptr<ChartSource>> parts_;
  std::unordered_map<const tinyxml2::XMLDocument*, const ChartSource*> part_of_document_;
  std::unordered_map<const tinyxml2::XMLElement*, const ChartSource*> part_of_include_;
};

}  // namespace davit
