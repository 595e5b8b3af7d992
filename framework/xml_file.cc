#include "framework/xml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>

#include "framework/nearest_name.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 64U << 20;
constexpr std::size_t kMostElements = 4'000'000;
/// tinyxml2 compares each attribute with those before it.
constexpr std::size_t kMostAttributes = 256;
constexpr std::string_view kNoElement = "the file has no element; it should have a <System>";

/// Finds what tinyxml2 would pass over in silence, or read in a time that grows with the square of the text.
/// Whatever else is wrong is left to tinyxml2.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  /// The fault, or nothing.
  std::optional<XmlResult> Scan() {
    if (IsUtf16()) return Fault(0, "the file is written in UTF-16; save it as UTF-8");
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
      return Fault(nul, "the file has a zero byte, so it is no text; name an XML file in UTF-8");
    }
    while ((at_ = text_.find('<', at_)) != std::string_view::npos) {
      if (Skip("<!--", "-->") || Skip("<![CDATA[", "]]>") || Skip("<?", "?>")) continue;
      if (StartsWith("<!")) {
        return Fault(at_, "document types and entities are not allowed in a system file; remove the <!...>");
      }
      if (++elements_ > kMostElements) {
        return Fault(at_,
                     fmt::format("the file has more than {} elements; split the system into several files",
                                 kMostElements));
      }
      if (std::optional<XmlResult> fault = ScanTag()) return fault;
    }
    return std::nullopt;
  }

 private:
  bool IsUtf16() const {
    return text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff") ||
           (text_.size() >= 2 && (text_[0] == '\0') != (text_[1] == '\0'));
  }
  bool StartsWith(std::string_view begin) const { return text_.substr(at_).starts_with(begin); }

  bool Skip(std::string_view begin, std::string_view end) {
    if (!StartsWith(begin)) return false;
    const std::size_t close = text_.find(end, at_ + begin.size());
    at_ = close == std::string_view::npos ? text_.size() : close + end.size();
    return true;
  }

  /// From `<` to behind the `>`.
  std::optional<XmlResult> ScanTag() {
    const std::size_t begin = at_;
    std::size_t attributes = 0;
    while ((at_ = text_.find_first_of("\"'>", at_)) != std::string_view::npos) {
      if (text_[at_] == '>') return std::nullopt;
      const std::size_t close = text_.find(text_[at_], at_ + 1);
      if (close == std::string_view::npos) return std::nullopt;
      if (++attributes > kMostAttributes) {
        return Fault(begin,
                     fmt::format("an element has more than {} attributes; look for what belongs elsewhere",
                                 kMostAttributes));
      }
      for (std::size_t i = at_; (i = text_.substr(0, close).find('&', i)) != std::string_view::npos; ++i) {
        if (std::optional<XmlResult> fault = ScanReference(i)) return fault;
      }
      at_ = close + 1;
    }
    return std::nullopt;
  }

  /// `&amp;`, `&#176;`, `&#xb0;`
  std::optional<XmlResult> ScanReference(std::size_t begin) const {
    constexpr std::size_t kLongest = 10;
    const std::string_view rest = text_.substr(begin + 1, kLongest);
    const std::string_view name = rest.substr(0, rest.find(';'));
    if (name.size() < rest.size()) {
      for (const std::string_view known : {"amp", "lt", "gt", "quot", "apos"}) {
        if (name == known) return std::nullopt;
      }
      if (name.starts_with('#')) {
        const bool is_hex = name.starts_with("#x");
        const std::string_view digits = name.substr(is_hex ? 2 : 1);
        std::uint32_t code = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
        constexpr std::uint32_t kLastCode = 0x10ffff;
        const bool is_whole = error == std::errc() && end == digits.data() + digits.size();
        if (is_whole && code > 0 && code <= kLastCode) return std::nullopt;
      }
      return Fault(
          begin, "unknown entity " + Quoted('&' + std::string(name) + ';') + "; write the character itself");
    }
    return Fault(begin, "a lone '&' in a value; write &amp; for it");
  }

  XmlResult Fault(std::size_t position, std::string fault) const {
    const auto newlines =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(position), '\n');
    return {nullptr, static_cast<int>(newlines) + 1, std::move(fault)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t elements_ = 0;
};

/// The name of the element at which tinyxml2 stopped, or nothing.
std::string ElementAtFault(const tinyxml2::XMLDocument& document) {
  constexpr std::string_view kKey = "name=";
  const std::string_view text = document.ErrorStr();
  const std::size_t begin = text.rfind(kKey);
  return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin + kKey.size()));
}

/// What tinyxml2 found wrong, in plain words.
std::string FaultText(const tinyxml2::XMLDocument& document) {
  const std::string element = ElementAtFault(document);
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "the element " + Quoted(element) +
             " is not closed, or by another name; close each element by its own name";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute of " + Quoted(element) +
             " cannot be read; write name=\"value\" with each name once, and both quotes";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element cannot be read; write <name attribute=\"value\"/>";
    case tinyxml2::XML_ERROR_PARSING_TEXT:
    case tinyxml2::XML_ERROR_PARSING_COMMENT:
    case tinyxml2::XML_ERROR_PARSING_CDATA:
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN:
    case tinyxml2::XML_ERROR_PARSING:
      return "the file ends in the middle of an element or comment, or has text outside of the elements; "
             "check its "
             "begin and end";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return std::string(kNoElement);
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested too deeply; a system file needs about three levels";
    default:
      return std::string("not well-formed XML (") + document.ErrorName() +
             "); check the file with an XML editor";
  }
}

}  // namespace

XmlResult ParseXml(std::string_view text) {
  if (std::optional<XmlResult> fault = Scanner(text).Scan()) return std::move(*fault);
  auto document = std::make_unique<tinyxml2::XMLDocument>();
  document->Parse(text.data(), text.size());
  if (document->Error()) return {nullptr, document->ErrorLineNum(), FaultText(*document)};
  const tinyxml2::XMLElement* root = document->RootElement();
  if (root == nullptr) return {nullptr, 0, std::string(kNoElement)};
  for (const tinyxml2::XMLNode* node = document->FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node == root || (node->ToElement() == nullptr && node->ToText() == nullptr)) continue;
    return {nullptr, node->GetLineNum(), "there is more than one root element; put all into one <System>"};
  }
  return {std::move(document), 0, {}};
}

TextResult ReadTextFile(const fs::path& file) {
  const auto refuse = [&](const std::string& why) {
    return TextResult{{}, "cannot read " + Quoted(file.string()) + ": " + why};
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return refuse("no such file; name a readable system file");
  if (fs::is_directory(status)) return refuse("it is a folder; name a system file in it");
  if (!fs::is_regular_file(status)) return refuse("not a file; name a readable system file");
  std::ifstream stream(file, std::ios::binary);
  TextResult result;
  constexpr std::size_t kBlock = 1U << 20;
  while (stream && result.text.size() <= kLargestFile) {
    const std::size_t size = result.text.size();
    result.text.resize(size + kBlock);
    stream.read(result.text.data() + size, kBlock);
    result.text.resize(size + static_cast<std::size_t>(stream.gcount()));
  }
  if (!stream.eof() && result.text.size() <= kLargestFile) return refuse("check its permissions");
  if (result.text.size() > kLargestFile) {
    return refuse(fmt::format("it is larger than {} MiB; a system file is smaller", kLargestFile >> 20U));
  }
  return result;
}

}  // namespace davit
