#include "fmi/runtime/resource_path.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>
#include <string>

namespace davit {

std::filesystem::path ReadResourcePath(std::string_view text) {
  constexpr std::string_view kScheme = "file:";
  if (!text.starts_with(kScheme)) {
    if (text.find("://") == std::string_view::npos) return text;
    throw std::invalid_argument(fmt::format(
        "the resources are at '{}'; only folders of this machine can be read: file:///path", text));
  }
  std::string_view rest = text.substr(kScheme.size());
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    constexpr std::string_view kHost = "localhost";
    if (rest.starts_with(kHost)) rest.remove_prefix(kHost.size());
  }
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    unsigned code = 0;
    if (rest[i] == '%' && i + 2 < rest.size() &&
        std::from_chars(rest.data() + i + 1, rest.data() + i + 3, code, 16).ptr == rest.data() + i + 3) {
      path += static_cast<char>(code);
      i += 2;
    } else {
      path += rest[i];
    }
  }
  return path;
}

}  // namespace davit
