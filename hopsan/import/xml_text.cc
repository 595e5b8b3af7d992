#include "hopsan/import/xml_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/escape.h"

namespace davit::hopsan {

XmlText::XmlText() { Add("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"); }

void XmlText::Add(std::string_view text) {
  line_ += static_cast<int>(std::ranges::count(text, '\n'));
  text_ += text;
}

void XmlText::Indent(int level) { text_.append(2 * static_cast<std::size_t>(level), ' '); }

void XmlText::PadTo(int line) {
  while (line_ < line) Add("\n");
}

void XmlText::Begin(std::string_view element, int level) {
  Indent(level);
  text_ += '<';
  text_ += element;
}

void XmlText::Attribute(std::string_view name, std::string_view value) {
  text_ += fmt::format(" {}=\"{}\"", name,
                       Escape(value, {{'&', "&amp;"}, {'<', "&lt;"}, {'"', "&quot;"}, {'\n', "&#10;"}}));
}

void XmlText::Attribute(std::string_view name, double value) { Attribute(name, fmt::format("{}", value)); }

void XmlText::EndOfTag(bool has_content) { Add(has_content ? ">\n" : "/>\n"); }

void XmlText::End(std::string_view element, int level) {
  Indent(level);
  Add(fmt::format("</{}>\n", element));
}

void XmlText::Line(std::string_view text, int level) {
  Indent(level);
  Add(std::string(text) + '\n');
}

void XmlText::Comment(std::string_view text, int level) {
  Indent(level);
  std::string safe(text);
  for (std::size_t at = safe.find("--"); at != std::string::npos; at = safe.find("--", at))
    safe[at + 1] = '_';
  Add(fmt::format("<!-- {} -->\n", safe));
}

}  // namespace davit::hopsan
