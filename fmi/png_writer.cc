#include "fmi/png_writer.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string_view>

#include "fmi/crc32.h"

namespace davit {
namespace {

/// Of the highest byte first.
std::string BigEndian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 0xffU);
  return bytes;
}

/// Adler-32 of RFC 1950.
std::uint32_t Adler(std::string_view bytes) {
  constexpr std::uint32_t kModulus = 65521;
  std::uint32_t a = 1, b = 0;
  for (const char byte : bytes) {
    a = (a + static_cast<std::uint8_t>(byte)) % kModulus;
    b = (b + a) % kModulus;
  }
  return b << 16U | a;
}

/// A zlib stream of stored blocks (RFC 1951, section 3.2.4).
std::string Store(std::string_view bytes) {
  constexpr std::size_t kMostStored = 65535;
  std::string stream = "\x78\x01";
  for (std::size_t begin = 0; begin < bytes.size(); begin += kMostStored) {
    const std::string_view block = bytes.substr(begin, kMostStored);
    const auto size = static_cast<std::uint32_t>(block.size());
    stream += begin + kMostStored >= bytes.size() ? '\x01' : '\x00';
    for (const std::uint32_t half : {size, ~size}) {
      stream += static_cast<char>(half & 0xffU);
      stream += static_cast<char>(half >> 8U & 0xffU);
    }
    stream += block;
  }
  return stream + BigEndian(Adler(bytes));
}

std::string Chunk(std::string_view type, std::string_view data) {
  const std::string body = std::string(type) + std::string(data);
  Crc32 crc;
  crc.Add(body);
  return BigEndian(static_cast<std::uint32_t>(data.size())) + body + BigEndian(crc.value());
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
