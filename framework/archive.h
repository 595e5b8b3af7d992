#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace davit {

class Archive;

/// A type that lists its own memory: `void ArchiveMemory(Archive& archive) { archive(x_, y_); }`.
template <class T>
concept HasMemory = requires(T& value, Archive& archive) {
  value.ArchiveMemory(archive);
};

/// Takes values apart into bytes, or puts them together again: one list of members serves both ways.
///
///     void ArchiveMemory(Archive& archive) { archive(step_, inner_, delay_); }
///
/// Numbers, enumerations, texts, arrays, vectors and types with an ArchiveMemory of their own can be listed.
/// The bytes are the same on every machine: 8 for each number, the lowest first. What is read is checked:
/// where something does not fit, the archive says so in fault() and gives no more values from then on; what
/// it was read into is then worthless. Reading ends at the end of the bytes, whatever they say.
class Archive {
 public:
  /// To be filled.
  Archive() = default;
  /// To be read.
  explicit Archive(std::string bytes) : bytes_(std::move(bytes)), end_(bytes_.size()), is_loading_(true) {}

  bool is_loading() const { return is_loading_; }
  bool is_good() const { return fault_.empty(); }
  bool is_at_end() const { return at_ == end_; }
  /// What does not fit; empty while everything does.
  const std::string& fault() const { return fault_; }
  /// Says what does not fit. The first word counts.
  void Refuse(std::string fault) {
    if (fault_.empty()) fault_ = std::move(fault);
  }
  /// What was filled in.
  std::string Take() { return std::move(bytes_); }

  template <class... Values>
  void operator()(Values&... values) {
    (One(values), ...);
  }
  /// A list of any length; a plain vector must have its length already.
  template <class T>
  void List(std::vector<T>& items) {
    std::uint64_t size = items.size();
    Word(size);
    if (is_loading_) {
      if (!is_good() || size > Rest()) return Refuse("a list is cut off");
      items.resize(static_cast<std::size_t>(size));
    }
    for (T& item : items) One(item);
  }
  /// What `body` archives, under a name. A reader must find that name, take all that is there, and find as
  /// many numbers that are not finite as were written.
  template <class Body>
  void Block(std::string_view name, Body body) {
    if (!is_good()) return;
    const std::size_t outer_end = BeginBlock(name);
    if (!is_good()) return;
    const std::uint64_t outer_not_finite = std::exchange(not_finite_, 0);
    body();
    std::uint64_t known = not_finite_;
    Word(known);
    // Some are: limits that are not there. A state that has become one would be found by nobody.
    if (is_good() && known != not_finite_) Refuse("a value is not a finite number");
    not_finite_ += outer_not_finite;
    EndBlock(name, outer_end);
  }

 private:
  template <class T>
  void One(T& value) {
    if constexpr (HasMemory<T>) {
      value.ArchiveMemory(*this);
    } else if constexpr (std::is_same_v<T, double>) {
      auto word = std::bit_cast<std::uint64_t>(value);
      Word(word);
      if (is_loading_ && is_good()) value = std::bit_cast<double>(word);
      if (!std::isfinite(value)) ++not_finite_;
    } else {
      static_assert(std::is_integral_v<T> || std::is_enum_v<T>,
                    "give the type a member void ArchiveMemory(Archive& archive)");
      auto word = static_cast<std::uint64_t>(value);
      Word(word);
      if (!is_loading_ || !is_good()) return;
      const T read = static_cast<T>(word);
      if (static_cast<std::uint64_t>(read) != word) return Refuse("a number is out of range");
      value = read;
    }
  }
  void One(std::string& text) { Text(text); }
  template <class T, std::size_t size>
  void One(std::array<T, size>& items) {
    for (T& item : items) One(item);
  }
  template <class T>
  void One(std::vector<T>& items) {
    Fixed(items);
  }
  template <class T>
  void One(std::deque<T>& items) {
    Fixed(items);
  }
  void Fixed(auto& items) {
    std::uint64_t size = items.size();
    Word(size);
    if (is_loading_ && is_good() && size != items.size()) return Refuse("a list has another length");
    for (auto& item : items) One(item);
  }

  std::size_t Rest() const { return end_ - at_; }
  void Word(std::uint64_t& word);
  void Text(std::string& text);
  std::size_t BeginBlock(std::string_view name);
  void EndBlock(std::string_view name, std::size_t outer_end);

  std::string bytes_;
  std::size_t at_ = 0;
  std::size_t end_ = 0;  ///< of what may be read; when filling, position of the size of the present block
  bool is_loading_ = false;
  std::uint64_t not_finite_ = 0;  ///< numbers in the present block that are not finite
  std::string fault_;
};

/// What an archive holds, as a file: with a mark, a number of the format, the length and a checksum.
std::string SealArchive(std::string_view content);
/// The content of such a file. Nothing, and what is wrong; what would be right, where it is none, is cut off
/// or changed.
std::optional<std::string> OpenArchive(std::string_view file, std::string* fault);

}  // namespace davit
