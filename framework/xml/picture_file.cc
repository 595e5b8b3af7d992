#include "framework/xml/picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <system_error>
#include <utility>

#include "framework/nearest_name.h"
#include "framework/xml/file_source.h"
#include "framework/xml/xml_file.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostPixels = 8192;  // across and down
constexpr std::string_view kPngBegin = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kPngHeader = 24;  // up to the height [bytes]

PictureResult RefusePicture(std::string fault) { return {nullptr, std::move(fault)}; }

std::string TypeOfName(std::string_view name) {
  std::string ending = fs::path(name).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".png") return "image/png";
  return ending == ".svg" ? "image/svg+xml" : "";
}

/// Whether a path can only lead down from its folder, as it is written.
bool LeadsDown(std::string_view name) {
  if (name.empty() || name.find('\\') != std::string_view::npos || name.find('\0') != std::string_view::npos)
    return false;
  const fs::path path(name);
  return !path.is_absolute() && std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

/// Whether a file of the disk lies below a folder when all symbolic links are followed.
bool LiesBelow(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(file, error);
  if (error) return false;
  const fs::path root = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  if (error) return false;
  const fs::path below = real.lexically_relative(root);
  return !below.empty() && *below.begin() != "..";
}

std::uint32_t NumberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (std::size_t i = at; i < at + 4; ++i) number = number << 8U | static_cast<unsigned char>(bytes[i]);
  return number;
}

std::string FaultOfPng(std::string_view bytes) {
  if (!bytes.starts_with(kPngBegin) || bytes.size() < kPngHeader)
    return "it is not a PNG file; save the picture as PNG";
  const std::uint32_t width = NumberAt(bytes, kPngHeader - 8), height = NumberAt(bytes, kPngHeader - 4);
  if (width <= kMostPixels && height <= kMostPixels) return {};
  return fmt::format("it has {} x {} pixels; save it with at most {} across and down", width, height,
                     kMostPixels);
}

std::string FaultOfSvg(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return "it is not text; save the picture as SVG in UTF-8";
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string_view::npos; ++at) {
    const std::string_view rest = text.substr(at);
    const auto skip = [&](std::string_view end) { at = text.find(end, at); };
    if (rest.starts_with("<!--")) {
      skip("-->");
    } else if (rest.starts_with("<?")) {
      skip("?>");
    } else if (rest.starts_with("<!")) {
      skip(">");
      if (rest.substr(0, at == std::string_view::npos ? at : at + 1).find('[') != std::string_view::npos)
        return "it declares entities; save it without the <!...>";
    } else {
      const std::string_view name = rest.substr(1, rest.find_first_of(" \t\r\n/>", 1) - 1);
      if (name == "svg" || name.ends_with(":svg")) return {};
      break;
    }
    if (at == std::string_view::npos) break;
  }
  return "it has no <svg>; save the picture as SVG";
}

}  // namespace

PictureResult ReadPicture(const FileSource* files, const fs::path& folder, std::string_view name) {
  const std::string type = TypeOfName(name);
  if (type.empty())
    return RefusePicture(fmt::format("{} is not a picture; name a .png or .svg file", Quoted(name)));
  const fs::path file = folder / fs::path(name);
  if (!LeadsDown(name) || !LiesBelow(file, folder)) {
    return RefusePicture(fmt::format(
        "{} leads out of the folder of the system file; copy the picture into that folder", Quoted(name)));
  }
  if (files != nullptr) {
    std::string fault = files->FaultOf(file);
    if (!fault.empty()) return RefusePicture(std::move(fault));
  }
  TextResult read = ReadTextFile(file, "picture");
  if (!read.fault.empty()) return RefusePicture(std::move(read.fault));
  const auto refuse = [&](std::string_view why) {
    return RefusePicture(fmt::format("cannot use {}: {}", Quoted(name), why));
  };
  if (read.text.size() > kLargestPicture)
    return refuse(fmt::format("it has more than {} MiB; save a smaller picture", kLargestPicture >> 20U));
  const std::string fault = type == "image/png" ? FaultOfPng(read.text) : FaultOfSvg(read.text);
  if (!fault.empty()) return refuse(fault);
  return {std::make_shared<const DrawingPicture>(DrawingPicture{type, std::move(read.text)}), {}};
}

std::string ToDataUri(const DrawingPicture& picture) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string& bytes = picture.bytes;
  std::string uri = "data:" + picture.type + ";base64,";
  uri.reserve(uri.size() + (bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8U | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) uri += k <= count ? kDigits[three >> (18 - 6 * k) & 63U] : '=';
  }
  return uri;
}

}  // namespace davit
