#include "fmi/xml_encoding.h"

#include <fmt/format.h>
#include <iconv.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

namespace davit {
namespace {

/// Nothing where the encoding is not known or the bytes are none of it.
std::optional<std::string> Convert(const std::string& bytes, const std::string& encoding) {
  const iconv_t converter = iconv_open("UTF-8", encoding.c_str());
  if (converter == iconv_t(-1)) return std::nullopt;
  std::string text(4 * bytes.size() + 4, '\0');  // no character of UTF-8 is longer
  char* from = const_cast<char*>(bytes.data());  // iconv does not write there
  char* to = text.data();
  std::size_t left = bytes.size(), room = text.size();
  const std::size_t result = iconv(converter, &from, &left, &to, &room);
  iconv_close(converter);
  if (result == static_cast<std::size_t>(-1)) return std::nullopt;
  text.resize(text.size() - room);
  return text;
}

/// In capital letters; empty where the text says none. All encodings but UTF-16 write the declaration as
/// ASCII does.
std::string DeclaredEncoding(std::string_view bytes) {
  constexpr std::string_view kName = "encoding";
  const std::string_view head = bytes.substr(0, bytes.find("?>"));
  if (head.size() == bytes.size() || head.find("<?xml") == std::string_view::npos) return {};
  const std::size_t name = head.find(kName);
  if (name == std::string_view::npos) return {};
  const std::size_t begin = head.find_first_of("\"'", name);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = head.find(head[begin], begin + 1);
  if (end == std::string_view::npos) return {};
  std::string encoding(head.substr(begin + 1, end - begin - 1));
  std::ranges::transform(encoding, encoding.begin(), [](char c) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  });
  return encoding;
}

}  // namespace

Utf8Text ToUtf8(std::string bytes) {
  const bool is_16 = bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
  const std::string encoding = is_16 ? "UTF-16" : DeclaredEncoding(bytes);
  const bool is_8 = encoding.empty() || encoding == "UTF-8" || encoding == "UTF8" || encoding == "US-ASCII";
  if (!is_8) {
    if (std::optional<std::string> text = Convert(bytes, encoding)) return {std::move(*text), {}, {}};
    return {
        {},
        fmt::format("the encoding '{}' is not known, or the text is none of it; FMI wants UTF-8", encoding),
        {}};
  }
  if (Convert(bytes, "UTF-8")) return {std::move(bytes), {}, {}};
  std::optional<std::string> text = Convert(bytes, "CP1252");
  if (!text) text = Convert(bytes, "ISO-8859-1");  // which has all bytes
  if (!text) return {{}, "the text is no UTF-8", {}};
  return {std::move(*text), {}, "the text is no UTF-8; it is read as windows-1252"};
}

}  // namespace davit
