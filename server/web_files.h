#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace davit {

/// A file of the web page, which the build made from the folder web/ and put into the program.
struct WebFile {
  std::string_view path;          ///< Below the address of the page, without leading slash: "assets/app.js".
  std::string_view content_type;  ///< What HTTP says it is: "text/javascript; charset=utf-8".
  std::span<const std::byte> bytes;
};

/// All files of the page; "index.html" is the page itself. Empty where the program was built without the
/// page, because npm was missing or could not fetch the packages.
std::span<const WebFile> WebFiles();

}  // namespace davit
