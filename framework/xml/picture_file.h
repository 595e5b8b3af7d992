#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "framework/drawing_note.h"

namespace davit {

class FileSource;

inline constexpr std::size_t kLargestPicture = 1U << 20;  ///< [bytes]

/// A picture, or why it cannot be used; the remedy.
struct PictureResult {
  std::shared_ptr<const DrawingPicture> picture;  ///< null after a fault
  std::string fault;
};

/// Reads a picture that a file of `folder` names. It is PNG or SVG by its name and by what it contains, has
/// at most kLargestPicture bytes, and lies in that folder or below it, also where it is a symbolic link.
/// `files` null: the disk.
PictureResult ReadPicture(const FileSource* files, const std::filesystem::path& folder,
                          std::string_view name);

/// The picture as an address that contains it: `data:image/png;base64,...`.
std::string ToDataUri(const DrawingPicture& picture);

}  // namespace davit
