#include "framework/xml/xml_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "framework/nearest_name.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostElements = 4'000'000;
/// tinyxml2 compares each attribute with those before it.
constexpr std::size_t kMostAttributes = 256;

std::string NoElement(const XmlKind& kind) {
  return fmt::format("the file has no element; it should have a <{}>", kind.root);
}

/// Characters to look for. std::string_view::find_first_of calls memchr for each character of the text.
class CharacterSet {
 public:
  constexpr explicit CharacterSet(std::string_view characters) {
    for (const char c : characters) has_[static_cast<unsigned char>(c)] = true;
  }
  /// The first of them from `position` on, or npos.
  std::size_t FindIn(std::string_view text, std::size_t position) const {
    for (; position < text.size(); ++position) {
      if (has_[static_cast<unsigned char>(text[position])]) return position;
    }
    return std::string_view::npos;
  }

 private:
  std::array<bool, 256> has_{};
};

/// Finds what tinyxml2 would pass over in silence, what it would take a time for that grows with the square
/// of the text, and faults whose place it does not report. Whatever else is wrong is left to tinyxml2.
class Scanner {
 public:
  Scanner(std::string_view text, const XmlKind& kind) : text_(text), kind_(kind) {}

  /// The fault, or nothing.
  std::optional<XmlResult> Scan() {
    if (IsUtf16()) return Fault(0, "the file is written in UTF-16; save it as UTF-8");
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
      return Fault(nul, "the file has a zero byte, so it is not text; name an XML file in UTF-8");
    }
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    const std::size_t begin =
        text_.find_first_not_of(kXmlSpaces, text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
    if (begin == std::string_view::npos) return Fault(0, NoElement(kind_));
    if (text_[begin] != '<')
      return Fault(begin,
                   fmt::format("the file begins with text, so it is not XML; begin with <{}>", kind_.root));
    while ((at_ = text_.find('<', at_)) != std::string_view::npos) {
      std::optional<XmlResult> fault = ScanMarkup();
      if (fault) return fault;
    }
    if (open_.empty()) return std::nullopt;
    return Fault(open_.back().position,
                 "the element " + Quoted(open_.back().name) +
                     " is not closed before the file ends; the file seems to be cut off");
  }

 private:
  struct OpenElement {
    std::string_view name;
    std::size_t position;
  };

  bool IsUtf16() const {
    return text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff") ||
           (text_.size() >= 2 && (text_[0] == '\0') != (text_[1] == '\0'));
  }

  /// From `<` to behind the `>`.
  std::optional<XmlResult> ScanMarkup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) return Skip("<!--", "-->", "comment");
    if (rest.starts_with("<![CDATA[")) return Skip("<![CDATA[", "]]>", "CDATA section");
    if (rest.starts_with("<?")) return Skip("<?", "?>", "declaration");
    if (rest.starts_with("<!")) {
      return Fault(at_, fmt::format("document types and entities are not allowed in a {}; remove the <!...>",
                                    kind_.noun));
    }
    if (rest.starts_with("</")) return ScanEndTag();
    if (++elements_ > kMostElements) {
      return Fault(at_, fmt::format("the file has more than {} elements; split the system into several files",
                                    kMostElements));
    }
    return ScanTag();
  }

  std::optional<XmlResult> Skip(std::string_view begin, std::string_view end, std::string_view what) {
    const std::size_t close = text_.find(end, at_ + begin.size());
    if (close == std::string_view::npos) {
      return Fault(at_, fmt::format("the {} that begins here is not closed; write {} at its end", what, end));
    }
    at_ = close + end.size();
    return std::nullopt;
  }

  /// The name that begins at `position`.
  std::string_view NameAt(std::size_t position) const {
    static constexpr CharacterSet kEnds(" \t\r\n/>\"'<=");
    const std::size_t end = kEnds.FindIn(text_, position);
    return text_.substr(position, end == std::string_view::npos ? end : end - position);
  }

  std::optional<XmlResult> ScanEndTag() {
    const std::string_view name = NameAt(at_ + 2);
    if (open_.empty()) return Fault(at_, "</" + std::string(name) + "> closes nothing; remove it");
    const OpenElement open = open_.back();
    if (name != open.name) {
      return Fault(
          at_, fmt::format("the element {} of line {} is closed by {}; close each element by its own name",
                           Quoted(open.name), LineAt(open.position), Quoted(name)));
    }
    open_.pop_back();
    at_ += 2;
    return std::nullopt;
  }

  std::optional<XmlResult> ScanTag() {
    const std::size_t begin = at_;
    const std::string_view name = NameAt(begin + 1);
    const auto not_ended = [&] {
      return Fault(
          begin,
          "the element " + Quoted(name) +
              " has no '>' at its end, or a quote too many or too few; write <name attribute=\"value\"/>");
    };
    static constexpr CharacterSet kMarks("\"'<>");
    std::size_t attributes = 0;
    for (++at_; (at_ = kMarks.FindIn(text_, at_)) != std::string_view::npos;) {
      if (text_[at_] == '<') return not_ended();
      if (text_[at_] == '>') {
        if (text_[at_ - 1] != '/') open_.push_back({name, begin});
        if (open_.size() > kind_.most_levels) {
          return Fault(begin, fmt::format("elements are nested too deeply; {}", kind_.remedy));
        }
        return std::nullopt;
      }
      const std::size_t close = text_.find(text_[at_], at_ + 1);
      if (close == std::string_view::npos) return not_ended();
      if (++attributes > kMostAttributes) {
        return Fault(
            begin,
            fmt::format("an element has more than {} attributes; look for attributes that belong elsewhere",
                        kMostAttributes));
      }
      for (std::size_t i = at_; (i = text_.substr(0, close).find('&', i)) != std::string_view::npos; ++i) {
        if (std::optional<XmlResult> fault = ScanReference(i)) return fault;
      }
      at_ = close + 1;
    }
    return not_ended();
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

  int LineAt(std::size_t position) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(position);
    return static_cast<int>(std::count(text_.begin(), end, '\n')) + 1;
  }
  XmlResult Fault(std::size_t position, std::string fault) const {
    return {nullptr, LineAt(position), std::move(fault)};
  }

  std::string_view text_;
  const XmlKind& kind_;
  std::size_t at_ = 0;
  std::size_t elements_ = 0;
  std::vector<OpenElement> open_;
};

/// The name of the element at which tinyxml2 stopped, or nothing.
std::string ElementAtFault(const tinyxml2::XMLDocument& document) {
  constexpr std::string_view kKey = "name=";
  const std::string_view text = document.ErrorStr();
  const std::size_t begin = text.rfind(kKey);
  return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin + kKey.size()));
}

/// What tinyxml2 found wrong, in plain words.
std::string FaultText(const tinyxml2::XMLDocument& document, const XmlKind& kind) {
  const std::string element = ElementAtFault(document);
  switch (document.ErrorID()) {
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute of " + Quoted(element) +
             " cannot be read; write name=\"value\" with each name once, and both quotes";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT:
      return "an element cannot be read; write <name attribute=\"value\"/>";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "there is text outside of the root element; remove it";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return NoElement(kind);
    default:
      return std::string("not well-formed XML (") + document.ErrorName() +
             "); check the file with an XML editor";
  }
}

}  // namespace

void DeleteXml::operator()(tinyxml2::XMLDocument* document) const {
  document->tinyxml2::XMLDocument::~XMLDocument();
  ::operator delete(document, sizeof *document);
}

XmlResult ParseXml(std::string_view text, const XmlKind& kind) {
  if (std::optional<XmlResult> fault = Scanner(text, kind).Scan()) return std::move(*fault);
  XmlDocument document(new tinyxml2::XMLDocument);
  document->Parse(text.data(), text.size());
  if (document->Error()) return {nullptr, document->ErrorLineNum(), FaultText(*document, kind)};
  const tinyxml2::XMLElement* root = document->RootElement();
  if (root == nullptr) return {nullptr, 0, NoElement(kind)};
  for (const tinyxml2::XMLNode* node = document->FirstChild(); node != nullptr; node = node->NextSibling()) {
    if (node == root || (node->ToElement() == nullptr && node->ToText() == nullptr)) continue;
    if (node->ToText() != nullptr) {
      return {nullptr, node->GetLineNum(), "text outside of the root element; remove it"};
    }
    return {nullptr, node->GetLineNum(),
            fmt::format("there is more than one root element; put all into one <{}>", kind.root)};
  }
  return {std::move(document), 0, {}};
}

TextResult ReadTextFile(const fs::path& file, std::string_view noun) {
  const auto refuse = [&](const std::string& why) {
    return TextResult{{}, "cannot read " + Quoted(file.string()) + ": " + why};
  };
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return refuse(fmt::format("no such file; name a readable {}", noun));
  if (fs::is_directory(status)) return refuse(fmt::format("it is a folder; name a {} in it", noun));
  if (!fs::is_regular_file(status)) return refuse(fmt::format("not a file; name a readable {}", noun));
  // What looks like a file may be a device, such as /proc/kmsg, and would be waited for.
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return refuse("permission denied; check its permissions");
  TextResult result;
  constexpr std::size_t kBlock = 1U << 20;
  ssize_t count = 1;
  while (count > 0 && result.text.size() <= kLargestText) {
    const std::size_t size = result.text.size();
    result.text.resize(size + kBlock);
    do {
      count = ::read(descriptor, result.text.data() + size, kBlock);
    } while (count < 0 && errno == EINTR);
    result.text.resize(size + static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  }
  const int fault = count < 0 ? errno : 0;
  ::close(descriptor);
  if (fault != 0)
    return refuse(fmt::format("{}; name a readable {}", std::generic_category().message(fault), noun));
  if (result.text.size() > kLargestText) {
    return refuse(fmt::format("it has more than {} MiB; a {} has less", kLargestText >> 20U, noun));
  }
  return result;
}

}  // namespace davit
