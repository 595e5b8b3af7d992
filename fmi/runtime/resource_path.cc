#include "fmi/runtime/resource_path.h"

#include <fmt/format.h>

#include <stdexcept>

#include "fmi/manifest/percent_encoding.h"

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
  return DecodePercent(rest);
}

}  // namespace davit
