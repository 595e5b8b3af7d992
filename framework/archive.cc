#include "framework/archive.h"

#include <fmt/format.h>

namespace davit {
namespace {

constexpr std::size_t kWord = 8;
constexpr std::string_view kMark = "davit snapshot\r\n";  // a change of line ends is seen here
/// What Block says; of a block with more data it has compared the wrong number.
constexpr std::string_view kNotFinite = "a value is not a finite number";
constexpr std::uint64_t kFormat = 2;
constexpr std::size_t kHead = kMark.size() + 2 * kWord;  // mark, format, length of the content

void AppendWord(std::string& bytes, std::uint64_t word) {
  for (std::size_t i = 0; i < kWord; ++i) bytes.push_back(static_cast<char>((word >> (8 * i)) & 0xFFU));
}

void PutWord(std::string& bytes, std::size_t at, std::uint64_t word) {
  for (std::size_t i = 0; i < kWord; ++i) bytes[at + i] = static_cast<char>((word >> (8 * i)) & 0xFFU);
}

/// Pre: 8 bytes are there.
std::uint64_t ReadWord(std::string_view bytes, std::size_t at) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWord; ++i) {
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return word;
}

/// FNV-1a, 64 bit (G. Fowler, L. C. Noll, K.-P. Vo): any change of a single byte changes it.
std::uint64_t Checksum(std::string_view bytes) {
  std::uint64_t sum = 0xCBF29CE484222325U;
  for (const char byte : bytes) sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
  return sum;
}

}  // namespace

void Archive::Word(std::uint64_t& word) {
  if (!is_loading_) return AppendWord(bytes_, word);
  if (!is_good()) return;
  if (Rest() < kWord) return Refuse("values are missing at its end");
  word = ReadWord(bytes_, at_);
  at_ += kWord;
}

void Archive::Text(std::string& text) {
  std::uint64_t size = text.size();
  Word(size);
  if (!is_loading_) {
    bytes_ += text;
    return;
  }
  if (!is_good()) return;
  if (size > Rest()) return Refuse("a text is truncated");
  text.assign(bytes_, at_, static_cast<std::size_t>(size));
  at_ += static_cast<std::size_t>(size);
}

std::size_t Archive::BeginBlock(std::string_view name) {
  std::string found(name);
  Text(found);
  std::uint64_t size = 0;
  const std::size_t outer_end = end_;
  if (!is_loading_) end_ = bytes_.size();
  Word(size);
  if (!is_loading_ || !is_good()) return outer_end;
  if (found != name) {
    Refuse(fmt::format("'{}' is found where '{}' is expected", found, name));
  } else if (size > Rest()) {
    Refuse(fmt::format("'{}' is truncated", name));
  } else {
    end_ = at_ + static_cast<std::size_t>(size);
  }
  return outer_end;
}

void Archive::EndBlock(std::string_view name, std::size_t outer_end) {
  if (!is_loading_) {
    PutWord(bytes_, end_, bytes_.size() - (end_ + kWord));
  } else if (!is_good() && (at_ == end_ || fault_ != kNotFinite)) {
    fault_ = fmt::format("{}: {}", name, fault_);
  } else if (at_ != end_) {
    fault_ = fmt::format("{} contains more data than this version reads", name);
  }
  end_ = outer_end;
}

std::string SealArchive(std::string_view content) {
  std::string file(kMark);
  file.reserve(kHead + content.size() + kWord);
  AppendWord(file, kFormat);
  AppendWord(file, content.size());
  file += content;
  AppendWord(file, Checksum(file));
  return file;
}

std::optional<std::string> OpenArchive(std::string_view file, std::string* fault) {
  constexpr std::string_view kAdvice = "; name a file that --save-state has written";
  if (!file.starts_with(kMark) && !kMark.starts_with(file)) {
    *fault = "is not a snapshot" + std::string(kAdvice);
    return std::nullopt;
  }
  if (file.size() < kHead + kWord) {
    *fault = "is cut off" + std::string(kAdvice);
    return std::nullopt;
  }
  const std::uint64_t format = ReadWord(file, kMark.size());
  if (format != kFormat) {
    *fault = fmt::format(
        "has format {}, but this davit reads format {}; save a new one with this version of davit", format,
        kFormat);
    return std::nullopt;
  }
  const std::size_t size = file.size() - kHead - kWord;
  if (ReadWord(file, kMark.size() + kWord) != size) {
    *fault = "is cut off, or something was added" + std::string(kAdvice);
    return std::nullopt;
  }
  if (ReadWord(file, file.size() - kWord) != Checksum(file.substr(0, file.size() - kWord))) {
    *fault = "was changed since it was written" + std::string(kAdvice);
    return std::nullopt;
  }
  return std::string(file.substr(kHead, size));
}

}  // namespace davit
