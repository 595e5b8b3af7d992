#include "server/http_query.h"

#include <algorithm>
#include <cctype>

namespace davit {
namespace {

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string ToLowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

/// `localhost` of `localhost:7689`, `::1` of `[::1]:7689`.
std::string NameOfHost(std::string_view host) {
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos || (end + 1 < host.size() && host[end + 1] != ':')) return {};
    return ToLowerCase(host.substr(1, end - 1));
  }
  return ToLowerCase(host.substr(0, host.rfind(':')));
}

/// Four numbers with dots, or anything with two colons: no name of a domain looks so.
bool IsAddress(std::string_view name) {
  if (std::ranges::count(name, ':') >= 2)
    return std::ranges::all_of(name, [](char c) { return DigitOf(c) >= 0 || c == ':' || c == '.'; });
  return std::ranges::count(name, '.') == 3 &&
         std::ranges::all_of(name, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

bool IsOwnName(std::string_view name, const std::vector<std::string>& names) {
  return name == "localhost" || IsAddress(name) ||
         std::ranges::any_of(names, [&](const std::string& own) { return ToLowerCase(own) == name; });
}

}  // namespace

std::string_view HttpQuery::Find(std::string_view name) const {
  for (const auto& [key, value] : parameters) {
    if (key == name) return value;
  }
  return {};
}

std::vector<std::string> HttpQuery::FindAll(std::string_view name) const {
  std::vector<std::string> found;
  for (const auto& [key, value] : parameters) {
    if (key == name) found.push_back(value);
  }
  return found;
}

std::string DecodeUrl(std::string_view text, bool is_query) {
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && DigitOf(text[i + 1]) >= 0 && DigitOf(text[i + 2]) >= 0) {
      decoded += static_cast<char>(16 * DigitOf(text[i + 1]) + DigitOf(text[i + 2]));
      i += 2;
    } else {
      decoded += is_query && text[i] == '+' ? ' ' : text[i];
    }
  }
  return decoded;
}

bool ReadTarget(std::string_view target, std::string_view prefix, HttpQuery& query) {
  target = target.substr(0, target.find('#'));
  const std::size_t mark = target.find('?');
  const std::string path = DecodeUrl(target.substr(0, mark), false);
  if (!path.starts_with(prefix)) return false;
  query.path = path.substr(prefix.size());
  if (query.path.empty()) query.path = "/";
  if (!query.path.starts_with('/')) return false;
  if (mark == std::string_view::npos) return true;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    query.parameters.emplace_back(
        DecodeUrl(pair.substr(0, equals), true),
        equals == std::string_view::npos ? std::string() : DecodeUrl(pair.substr(equals + 1), true));
  }
  return true;
}

bool IsOwnHost(std::string_view host, const std::vector<std::string>& names) {
  return !host.empty() && IsOwnName(NameOfHost(host), names);
}

bool IsOwnOrigin(std::string_view origin, std::string_view host, const std::vector<std::string>& names) {
  const std::size_t begin = origin.find("://");
  if (begin == std::string_view::npos) return false;
  const std::string_view of_page = origin.substr(begin + 3);
  if (ToLowerCase(of_page) == ToLowerCase(host)) return true;
  // Behind a proxy the page has the name of the proxy, which the user has allowed.
  const std::string name = NameOfHost(of_page);
  return std::ranges::any_of(names, [&](const std::string& own) { return ToLowerCase(own) == name; });
}

std::string FindCookie(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    std::string_view pair = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(cookies.size(), pair.size() + 1));
    while (pair.starts_with(' ')) pair.remove_prefix(1);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name)
      return std::string(pair.substr(equals + 1));
  }
  return {};
}

}  // namespace davit
