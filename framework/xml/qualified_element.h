#pragma once

#include <tinyxml2.h>

#include <string>
#include <string_view>

namespace davit {

// Elements whose names have the prefix of a namespace, such as `ssv:Parameter`.

/// The name of an element without its prefix.
inline std::string_view LocalName(const tinyxml2::XMLElement& element) {
  const std::string_view name = element.Name();
  const std::size_t colon = name.find(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

/// The first child of this local name; null where there is none.
inline const tinyxml2::XMLElement* FindLocalChild(const tinyxml2::XMLElement& element,
                                                  std::string_view name) {
  const tinyxml2::XMLElement* child = element.FirstChildElement();
  while (child != nullptr && LocalName(*child) != name) child = child->NextSiblingElement();
  return child;
}

/// The text of an attribute; empty where there is none.
inline std::string AttributeText(const tinyxml2::XMLElement& element, const char* name) {
  const char* const text = element.Attribute(name);
  return text == nullptr ? std::string() : text;
}

}  // namespace davit
