#pragma once

#include <string>
#include <string_view>

namespace davit {

/// The SHA-256 of bytes (FIPS 180-4) as 64 hexadecimal digits.
std::string Sha256Digits(std::string_view bytes);

}  // namespace davit
