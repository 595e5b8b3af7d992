#pragma once

#include <cstdint>
#include <string_view>

namespace davit {

/// The CRC-32 of ISO 3309, as zip archives and PNG have it, of bytes that come in pieces.
class Crc32 {
 public:
  void Add(std::string_view bytes);
  std::uint32_t value() const { return ~crc_; }

 private:
  std::uint32_t crc_ = 0xffffffffU;
};

}  // namespace davit
