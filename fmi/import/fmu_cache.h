#pragma once

#include <filesystem>

namespace davit {

/// Where unpacked FMUs are kept: the environment variable DAVIT_FMU_CACHE, or else `davit/fmu` below
/// XDG_CACHE_HOME or `~/.cache`. Throws std::runtime_error where none of these is known.
std::filesystem::path FmuCacheFolder();

/// The folder in which an FMU is unpacked: one for each content, named by its SHA-256. It is unpacked once
/// and kept; processes that unpack it at the same time do not disturb each other. A folder whose files are
/// not those of the archive is replaced.
///
/// Throws std::runtime_error with what is wrong with the archive (see ZipReader) or if the cache cannot be
/// written.
std::filesystem::path UnpackToCache(const std::filesystem::path& fmu);

}  // namespace davit
