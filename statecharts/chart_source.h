#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"
#include "framework/xml_file.h"
#include "statecharts/xml_places.h"

namespace davit {

inline constexpr std::string_view kScxmlNamespace = "http://www.w3.org/2005/07/scxml";
inline constexpr std::string_view kDavitChartNamespace = "urn:davit:chart:1";

/// What prefixes of names mean; a chart in a <content> has those of the chart around it.
struct ChartNamespaces {
  std::string scxml_prefix;                 ///< with its colon; often empty
  bool is_default_scxml = true;             ///< elements without prefix are SCXML
  std::vector<std::string> davit_prefixes;  ///< with their colons
};

/// The text of a chart with its elements and their places. Elements and attributes of other namespaces, which
/// editors put in, are passed over.
class ChartSource {
 public:
  /// Null after a fault, which is then in `diagnostics`. `file` stands in messages and is the base of
  /// relative names in the chart.
  static std::unique_ptr<ChartSource> Parse(std::string text, const std::filesystem::path& file,
                                            const ChartNamespaces& inherited, Diagnostics& diagnostics);

  const std::filesystem::path& file() const { return file_; }
  const SourceLocation& location() const { return location_; }
  const tinyxml2::XMLElement& root() const { return *document_->RootElement(); }
  const ChartNamespaces& namespaces() const { return namespaces_; }
  const XmlPlaces& places() const { return *places_; }

  /// The name of an element of SCXML without a prefix; empty for an element of another namespace.
  std::string_view NameOf(const tinyxml2::XMLElement& element) const;
  bool Is(const tinyxml2::XMLElement& element, std::string_view name) const {
    return NameOf(element) == name;
  }
  /// The children that belong to SCXML.
  std::vector<const tinyxml2::XMLElement*> ChildrenOf(const tinyxml2::XMLElement& element) const;
  /// Whether there is an attribute, and its value. `davit:` stands for davit's namespace.
  static bool Has(const tinyxml2::XMLElement& element, const char* attribute) {
    return element.Attribute(attribute) != nullptr;
  }
  static std::string Get(const tinyxml2::XMLElement& element, const char* attribute) {
    const char* value = element.Attribute(attribute);
    return value == nullptr ? std::string() : std::string(value);
  }
  /// An attribute of davit's namespace by its local name, or null.
  const char* FindDavit(const tinyxml2::XMLElement& element, std::string_view attribute) const;

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
  std::unique_ptr<tinyxml2::XMLDocument> document_;
  std::unique_ptr<XmlPlaces> places_;
  ChartNamespaces namespaces_;
};

}  // namespace davit
