#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace davit {

/// A picture of `width` by `height` points as a PNG (ISO/IEC 15948), not compressed: it goes into an archive
/// that is. `colours` are 0xRRGGBB, row by row.
std::string WritePng(std::uint32_t width, std::uint32_t height, std::span<const std::uint32_t> colours);

}  // namespace davit
