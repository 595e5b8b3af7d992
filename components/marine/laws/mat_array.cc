#include "components/marine/laws/mat_array.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <boost/beast/zlib/inflate_stream.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace davit {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as the file has them");

// Types of elements.
enum : std::uint32_t {
  kInt8 = 1,
  kUint8 = 2,
  kInt16 = 3,
  kUint16 = 4,
  kInt32 = 5,
  kUint32 = 6,
  kSingle = 7,
  kDouble = 9,
  kInt64 = 12,
  kUint64 = 13,
  kMatrix = 14,
  kCompressed = 15,
};
// Classes of arrays.
enum : unsigned { kCellArray = 1, kStructure = 2, kFirstOfNumbers = 6, kLastOfNumbers = 15 };

constexpr std::size_t kHeader = 128;               // bytes
constexpr std::size_t kMostInflated = 32'000'000;  // bytes
constexpr std::size_t kMostDimensions = 32, kMostNumbers = 2'000'000;

struct Element {
  std::uint32_t type = 0;
  std::string_view content = {};
};

std::uint32_t Word(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

/// Takes the first element off `bytes`; nothing at the end, or if the element is longer than the bytes.
std::optional<Element> Take(std::string_view& bytes) {
  if (bytes.size() < 8) return std::nullopt;
  Element element{.type = Word(bytes, 0)};
  if (const std::size_t small = element.type >> 16; small > 0) {  // it is in the second word
    if (small > 4) return std::nullopt;
    element.type &= 0xffffU;
    element.content = bytes.substr(4, small);
    bytes.remove_prefix(8);
    return element;
  }
  const std::size_t length = Word(bytes, 4);
  if (length > bytes.size() - 8) return std::nullopt;
  element.content = bytes.substr(8, length);
  const std::size_t padded = element.type == kCompressed ? length : (length + 7) / 8 * 8;
  bytes.remove_prefix(std::min(8 + padded, bytes.size()));
  return element;
}

template <class T>
std::vector<double> NumbersOf(std::string_view content) {
  std::vector<double> numbers(content.size() / sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    T number;
    std::memcpy(&number, content.data() + i * sizeof number, sizeof number);
    numbers[i] = static_cast<double>(number);
  }
  return numbers;
}

/// Empty for other types.
std::vector<double> NumbersOf(const Element& element) {
  switch (element.type) {
    case kInt8: return NumbersOf<std::int8_t>(element.content);
    case kUint8: return NumbersOf<std::uint8_t>(element.content);
    case kInt16: return NumbersOf<std::int16_t>(element.content);
    case kUint16: return NumbersOf<std::uint16_t>(element.content);
    case kInt32: return NumbersOf<std::int32_t>(element.content);
    case kUint32: return NumbersOf<std::uint32_t>(element.content);
    case kSingle: return NumbersOf<float>(element.content);
    case kDouble: return NumbersOf<double>(element.content);
    case kInt64: return NumbersOf<std::int64_t>(element.content);
    case kUint64: return NumbersOf<std::uint64_t>(element.content);
    default: return {};
  }
}

/// What a zlib stream contains, at most `most` bytes of it; nothing if it is broken, or longer.
std::optional<std::string> Inflate(std::string_view stream, std::size_t most) {
  namespace zlib = boost::beast::zlib;
  constexpr std::size_t kStreamHeader = 2, kPiece = 1 << 16;
  if (stream.size() < kStreamHeader) return std::nullopt;
  stream.remove_prefix(kStreamHeader);
  zlib::inflate_stream inflater;
  zlib::z_params state;
  state.next_in = stream.data();
  state.avail_in = stream.size();
  std::string text;
  boost::beast::error_code error;
  while (!error) {
    const std::size_t size = text.size();
    if (size >= most) return std::nullopt;
    text.resize(std::min(std::max(2 * size, kPiece), most));
    state.next_out = text.data() + size;
    state.avail_out = text.size() - size;
    inflater.write(state, zlib::Flush::sync, error);
    text.resize(text.size() - state.avail_out);
  }
  if (error != zlib::error::end_of_stream) return std::nullopt;
  return text;
}

}  // namespace

std::optional<MatArray> MatArray::Read(std::string_view bytes) {
  MatArray array;
  const std::optional<Element> flags = Take(bytes), size = Take(bytes), name = Take(bytes);
  if (!flags || flags->type != kUint32 || flags->content.size() != 8 || !size || size->type != kInt32 ||
      size->content.size() > kMostDimensions * sizeof(std::int32_t) || !name || name->type != kInt8)
    return std::nullopt;
  array.type_ = Word(flags->content, 0) & 0xffU;
  array.is_complex_ = (Word(flags->content, 0) & 0x800U) != 0;
  for (const double length : NumbersOf(*size)) {
    if (length < 0) return std::nullopt;
    array.size_.push_back(static_cast<std::size_t>(length));
  }
  if (array.size_.size() < 2) return std::nullopt;
  array.name_ = name->content;
  array.content_ = bytes;
  return array;
}

std::size_t MatArray::count() const {
  double count = 1;  // of many long dimensions it has more than a std::size_t
  for (const std::size_t length : size_) count *= static_cast<double>(length);
  return static_cast<std::size_t>(std::min(count, 1e15));
}

std::optional<MatArray> MatArray::Field(std::string_view name) const {
  if (type_ != kStructure || count() != 1) return std::nullopt;
  std::string_view bytes = content_;
  const std::optional<Element> length = Take(bytes), names = Take(bytes);
  if (!length || length->content.size() != 4 || !names || Word(length->content, 0) == 0) return std::nullopt;
  const std::size_t width = Word(length->content, 0);
  for (std::string_view rest = names->content; rest.size() >= width; rest.remove_prefix(width)) {
    const std::optional<Element> value = Take(bytes);
    if (!value || value->type != kMatrix) return std::nullopt;
    const std::string_view field = rest.substr(0, width);
    if (field.substr(0, field.find('\0')) == name) return Read(value->content);
  }
  return std::nullopt;
}

std::optional<MatArray> MatArray::Cell(std::size_t i) const {
  if (type_ != kCellArray || i >= count()) return std::nullopt;
  std::string_view bytes = content_;
  std::optional<Element> value = Take(bytes);
  for (std::size_t k = 0; k < i && value; ++k) value = Take(bytes);
  if (!value || value->type != kMatrix) return std::nullopt;
  return Read(value->content);
}

std::optional<std::vector<double>> MatArray::Numbers() const {
  if (type_ < kFirstOfNumbers || type_ > kLastOfNumbers || is_complex_) return std::nullopt;
  std::string_view bytes = content_;
  const std::optional<Element> element = Take(bytes);
  const std::size_t expected = count();
  if (!element || expected > kMostNumbers || element->content.size() > expected * sizeof(double))
    return std::nullopt;
  std::vector<double> numbers = NumbersOf(*element);
  if (numbers.size() != expected) return std::nullopt;
  return numbers;
}

MatFile::MatFile(std::string_view bytes) {
  if (bytes.size() < kHeader || bytes.substr(kHeader - 4, 4) != std::string_view("\0\1IM", 4)) {
    fault_ =
        "it is not a MAT-file of version 6 or 7 with the least significant byte first; save the variable "
        "with "
        "the option -v7";
    return;
  }
  bytes.remove_prefix(kHeader);
  std::size_t inflated = 0;
  while (!bytes.empty()) {
    std::optional<Element> element = Take(bytes);
    if (element && element->type == kCompressed) {
      std::optional<std::string> text = Inflate(element->content, kMostInflated - inflated);
      if (text) {
        inflated += text->size();
        std::string_view inside = inflated_.emplace_back(std::move(*text));
        element = Take(inside);
      } else {
        element.reset();
      }
    }
    if (!element) {
      fault_ = fmt::format("it is broken after {} variables, or longer than {} MB; save it again",
                           variables_.size(), kMostInflated / 1'000'000);
      return;
    }
    if (element->type != kMatrix) continue;
    if (const std::optional<MatArray> array = MatArray::Read(element->content)) variables_.push_back(*array);
  }
}

}  // namespace davit
