#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "framework/xml/file_source.h"

namespace davit {

/// White space between the words of an XML text.
inline constexpr std::string_view kXmlSpaces = " \t\r\n";

/// Gives the memory of a document back where it was taken: to the heap of this library. `delete` would leave
/// that to the code of tinyxml2, and inside an FMU this has another heap wherever the program that loads it
/// has an `operator delete` of its own.
struct DeleteXml {
  void operator()(tinyxml2::XMLDocument* document) const;
};
using XmlDocument = std::unique_ptr<tinyxml2::XMLDocument, DeleteXml>;

/// A document with exactly one root element, or what is wrong with its text.
struct XmlResult {
  XmlDocument document;  ///< null where there is a fault
  int line = 0;          ///< of the fault
  std::string fault;     ///< what is wrong; what would be right
};

/// What an XML text should be; for messages, and how deep its elements may be nested.
struct XmlKind {
  std::string_view noun = "system file";
  std::string_view root = "System";
  std::size_t most_levels = 64;  ///< at most 98, what tinyxml2 can read
  std::string_view remedy = "a system file needs about three levels";
};

/// Reads an XML text in UTF-8. Refused are document types and entities of one's own, more than 256 attributes
/// on an element, more than 4 million elements, and elements nested deeper than `kind` allows: time and
/// memory stay proportional to the text.
XmlResult ParseXml(std::string_view text, const XmlKind& kind = {});

/// The largest file that is read as a text.
inline constexpr std::size_t kLargestText = std::size_t{64} << 20;

/// Reads a regular file of at most kLargestText. `noun` is what messages call it.
TextResult ReadTextFile(const std::filesystem::path& file, std::string_view noun = "system file");

}  // namespace davit
