#include "fmi/png_writer.h"

#include <zlib.h>

#include <cassert>
#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace davit {
namespace {

/// Of the highest byte first.
std::string BigEndian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xffU);
  return bytes;
}

/// A zlib stream (RFC 1950) of blocks that are not compressed.
std::string Store(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string stream(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(stream.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), Z_NO_COMPRESSION) != Z_OK)
    throw std::runtime_error("zlib has no memory for a picture");
  stream.resize(size);
  return stream;
}

std::string Chunk(std::string_view type, std::string_view data) {
  const std::string body = std::string(type) + std::string(data);
  const uLong crc = crc32_z(0, reinterpret_cast<const Bytef*>(body.data()), body.size());
  return BigEndian(static_cast<std::uint32_t>(data.size())) + body +
         BigEndian(static_cast<std::uint32_t>(crc));
}

}  // namespace

std::string WritePng(std::uint32_t width, std::uint32_t height, std::span<const std::uint32_t> colours) {
  assert(colours.size() == std::size_t{width} * height);
  // 8 bits each of red, green and blue; each row begins with the number of its filter, none.
  std::string rows;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (i % width == 0) rows += '\0';
    rows += BigEndian(colours[i]).substr(1);
  }
  const std::string header = BigEndian(width) + BigEndian(height) + std::string("\x08\x02\x00\x00\x00", 5);
  return "\x89PNG\r\n\x1a\n" + Chunk("IHDR", header) + Chunk("IDAT", Store(rows)) + Chunk("IEND", "");
}

}  // namespace davit
