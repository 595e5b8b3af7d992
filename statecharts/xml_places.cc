#include "statecharts/xml_places.h"

#include <algorithm>

namespace davit {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

/// The length of what encodes one character of a value at `at`: a reference such as &lt;, or one byte.
std::size_t LengthAt(std::string_view text, std::size_t at) {
  if (text.substr(at).starts_with("\r\n")) return 2;
  if (text[at] != '&') return 1;
  const std::size_t end = text.find(';', at);
  return end == std::string_view::npos ? 1 : end + 1 - at;
}

/// Behind the '>' of the tag that begins at `at`; quoted values may contain '>'.
std::size_t EndOfTag(std::string_view text, std::size_t at) {
  while ((at = text.find_first_of("\"'>", at)) != std::string_view::npos) {
    if (text[at] == '>') return at + 1;
    at = text.find(text[at], at + 1);
    if (at == std::string_view::npos) break;
    ++at;
  }
  return text.size();
}

}  // namespace

XmlPlaces::XmlPlaces(std::string_view text, const tinyxml2::XMLDocument& document) : text_(text) {
  line_begins_.push_back(0);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') line_begins_.push_back(i + 1);
  }
  std::vector<std::size_t> open;
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos;) {
    const std::string_view rest = text.substr(at);
    const auto skip = [&](std::string_view end) {
      const std::size_t found = text.find(end, at);
      at = found == std::string_view::npos ? text.size() : found + end.size();
    };
    if (rest.starts_with("<!--")) {
      skip("-->");
    } else if (rest.starts_with("<![CDATA[")) {
      skip("]]>");
    } else if (rest.starts_with("<?")) {
      skip("?>");
    } else if (rest.starts_with("</")) {
      if (!open.empty()) {
        spans_[open.back()].inner_end = at;
        open.pop_back();
      }
      skip(">");
    } else {
      const std::size_t end = EndOfTag(text, at);
      spans_.push_back({at, end, end});
      if (end < 2 || text[end - 2] != '/') open.push_back(spans_.size() - 1);
      at = end;
    }
  }

  const tinyxml2::XMLElement* element = document.RootElement();
  for (std::size_t i = 0; element != nullptr; ++i) {
    order_.emplace(element, i);
    if (const auto* child = element->FirstChildElement()) {
      element = child;
      continue;
    }
    while (element != nullptr && element->NextSiblingElement() == nullptr) {
      const tinyxml2::XMLNode* parent = element->Parent();
      element = parent == nullptr ? nullptr : parent->ToElement();
    }
    if (element != nullptr) element = element->NextSiblingElement();
  }
}

XmlPlaces::Place XmlPlaces::OfElement(const tinyxml2::XMLElement& element) const {
  const auto found = order_.find(&element);
  if (found == order_.end() || found->second >= spans_.size()) return {element.GetLineNum(), 0};
  return At(spans_[found->second].begin);
}

XmlPlaces::Place XmlPlaces::OfAttribute(const tinyxml2::XMLElement& element, std::string_view attribute,
                                        std::size_t offset) const {
  const auto found = order_.find(&element);
  if (found == order_.end() || found->second >= spans_.size()) return {element.GetLineNum(), 0};
  const Span& span = spans_[found->second];
  std::size_t at = text_.find_first_of(" \t\r\n/>", span.begin);
  while (at < span.inner_begin) {
    at = text_.find_first_not_of(kSpaces, at);
    const std::size_t name_end = text_.find_first_of(" \t\r\n=/>", at);
    const std::size_t open = text_.find_first_of("\"'>", name_end);
    if (open == std::string_view::npos || text_[open] == '>') break;
    const std::size_t close = text_.find(text_[open], open + 1);
    if (close == std::string_view::npos) break;
    if (text_.substr(at, name_end - at) == attribute) {
      std::size_t position = open + 1;
      for (; offset > 0 && position < close; --offset) position += LengthAt(text_, position);
      return At(std::min(position, close));
    }
    at = close + 1;
  }
  return At(span.begin);
}

std::size_t XmlPlaces::SizeOf(const tinyxml2::XMLElement& element) const {
  const auto found = order_.find(&element);
  if (found == order_.end() || found->second >= spans_.size()) return 0;
  return spans_[found->second].inner_end - spans_[found->second].begin;
}

std::string_view XmlPlaces::InnerText(const tinyxml2::XMLElement& element) const {
  const auto found = order_.find(&element);
  if (found == order_.end() || found->second >= spans_.size()) return {};
  const Span& span = spans_[found->second];
  return text_.substr(span.inner_begin, span.inner_end - span.inner_begin);
}

XmlPlaces::Place XmlPlaces::At(std::size_t position) const {
  const auto after = std::ranges::upper_bound(line_begins_, position);
  const auto line = after - line_begins_.begin();
  return {static_cast<int>(line), static_cast<int>(position - *(after - 1)) + 1};
}

}  // namespace davit
