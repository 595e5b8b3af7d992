#include "fmi/crc32.h"

#include <array>
#include <cstddef>

namespace davit {
namespace {

/// kTables[k][b]: what the byte b contributes when k more bytes follow it; eight bytes are one step then.
constexpr auto kTables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xedb88320U : crc >> 1U;
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = before >> 8U ^ tables[0][before & 0xffU];
    }
  }
  return tables;
}();

}  // namespace

void Crc32::Add(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return std::uint32_t{static_cast<std::uint8_t>(bytes[i])}; };
  std::uint32_t crc = crc_;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    crc ^= byte(0) | byte(1) << 8U | byte(2) << 16U | byte(3) << 24U;
    crc = kTables[7][crc & 0xffU] ^ kTables[6][crc >> 8U & 0xffU] ^ kTables[5][crc >> 16U & 0xffU] ^
          kTables[4][crc >> 24U] ^ kTables[3][byte(4)] ^ kTables[2][byte(5)] ^ kTables[1][byte(6)] ^
          kTables[0][byte(7)];
  }
  for (; !bytes.empty(); bytes.remove_prefix(1)) crc = crc >> 8U ^ kTables[0][(crc ^ byte(0)) & 0xffU];
  crc_ = crc;
}

}  // namespace davit
