#include "framework/xml/escape_xml.h"

#include "framework/escape.h"

namespace davit {

std::string EscapeXml(std::string_view text) {
  return Escape(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

}  // namespace davit
