#pragma once

#include <string>
#include <string_view>

#include "framework/xml/xml_file.h"

namespace davit {

/// A system as elements with values as written: what a system file says, made in code or from a file of
/// another program. LoadSystem reads it as it is, without a text in between.
class SystemDescription {
 public:
  /// Of a parsed text.
  explicit SystemDescription(XmlDocument document) : document_(std::move(document)) {}
  /// `<System name="...">`, empty inside.
  explicit SystemDescription(std::string_view name);

  tinyxml2::XMLElement& root() { return *document_->RootElement(); }
  const tinyxml2::XMLElement& root() const { return *document_->RootElement(); }
  SystemDescription Copy() const;
  /// The text of a system file.
  std::string ToXml() const;

 private:
  XmlDocument document_;
};

/// Adds an element as the last inside of `parent`. `line`: where the file has it that it comes from; 0:
/// unknown.
tinyxml2::XMLElement& AddElement(tinyxml2::XMLElement& parent, std::string_view name, int line = 0);

/// Makes an empty element a copy of another one, except for its name and line.
void CopyInto(const tinyxml2::XMLElement& from, tinyxml2::XMLElement& to);

/// Where the file has an element, also one that was added; 0: unknown.
int LineOf(const tinyxml2::XMLElement& element);

}  // namespace davit
