#pragma once

#include <string>
#include <string_view>

namespace davit::hopsan {

/// Writes an XML text, element by element.
class XmlText {
 public:
  XmlText();
  /// Empty lines until the next element is in this line (1-based).
  void PadTo(int line);
  void Begin(std::string_view element, int level);
  void Attribute(std::string_view name, std::string_view value);
  /// The shortest text that reads back as the same number.
  void Attribute(std::string_view name, double value);
  void EndOfTag(bool has_content);
  void End(std::string_view element, int level);
  /// A line as it is.
  void Line(std::string_view text, int level);
  void Comment(std::string_view text, int level);
  std::string Take() { return std::move(text_); }

 private:
  void Add(std::string_view text);
  void Indent(int level);

  std::string text_;
  int line_ = 1;
};

}  // namespace davit::hopsan
