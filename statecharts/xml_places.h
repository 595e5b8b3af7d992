#pragma once

#include <tinyxml2.h>

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace davit {

/// Line and column of attribute values and texts of an XML document, which tinyxml2 does not keep.
class XmlPlaces {
 public:
  struct Place {
    int line = 0;
    int column = 0;  ///< from 1, in bytes
  };

  /// `document` was parsed from `text`; both must outlive this object.
  XmlPlaces(std::string_view text, const tinyxml2::XMLDocument& document);

  Place OfElement(const tinyxml2::XMLElement& element) const;
  /// Where byte `offset` of the value of an attribute is in the file.
  Place OfAttribute(const tinyxml2::XMLElement& element, std::string_view attribute,
                    std::size_t offset) const;
  /// How many bytes an element takes in the file, up to its end tag.
  std::size_t SizeOf(const tinyxml2::XMLElement& element) const;
  /// The markup between the start tag and the end tag of an element, as written.
  std::string_view InnerText(const tinyxml2::XMLElement& element) const;

 private:
  struct Span {
    std::size_t begin = 0;        ///< of the start tag
    std::size_t inner_begin = 0;  ///< behind its '>'
    std::size_t inner_end = 0;    ///< the end tag, or inner_begin where there is none
  };
  Place At(std::size_t position) const;

  std::string_view text_;
  std::vector<std::size_t> line_begins_;
  std::vector<Span> spans_;  ///< in document order
  std::unordered_map<const tinyxml2::XMLElement*, std::size_t> order_;
};

}  // namespace davit
