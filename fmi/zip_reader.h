#pragma once

#include <filesystem>

namespace davit {

/// Unpacks a zip archive into a folder, which is made. What a hostile archive could do is refused before
/// anything is written: names that lead out of the folder, links, doubled names, encryption, more than
/// 100,000 files or 4 GiB. Throws std::runtime_error with the archive, its entry, what is wrong and what
/// would be right.
void UnpackZip(const std::filesystem::path& archive, const std::filesystem::path& folder);

}  // namespace davit
