#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// Replaces the characters from `start` up to `end` (not included). Places count UTF-16 units, as browsers
/// do.
struct SharedEdit {
  std::size_t start = 0;
  std::size_t end = 0;
  std::string text;  ///< UTF-8
};

/// A change that all editors of a text make in the same order.
struct SharedChange {
  std::string client;  ///< the page that has made it; empty: the disk
  std::string user;
  std::string label;  ///< what was done: `Rename pump`
  /// In order of their places, which are those of the text before the change; no two overlap.
  std::vector<SharedEdit> edits = {};
  std::string saved_hash = {};  ///< not empty: the text was saved as it is here, and has this hash
};

/// A text that several edit at once: who sends a change must know all changes before it. So the order is the
/// same for everybody, and each page moves its own edits past those of others before it sends them.
class SharedText {
 public:
  static constexpr std::size_t kMostChanges = 1'000;        ///< that are kept for those who are behind
  static constexpr std::size_t kLargestChanges = 4U << 20;  ///< of their texts together [bytes]

  /// `text`: as on disk, with its hash.
  SharedText(std::string_view text, std::string hash);

  /// Grows by one with each change.
  std::uint64_t version() const { return first_version_ + changes_.size(); }
  /// UTF-8; empty optional: an edit has left half of a character.
  std::optional<std::string> text() const;
  const std::string& saved_hash() const { return saved_hash_; }
  /// Its length [UTF-16 units].
  std::size_t size() const { return text_.size(); }
  /// Whether it differs from what was saved.
  bool is_edited() const;

  /// Makes a change of somebody who knows all versions up to now. Result: why it is refused; empty when done.
  std::string Change(SharedChange change);
  /// Takes over what the disk has now.
  void Replace(std::string_view text, std::string client, std::string user);
  /// The text is on disk as it is now.
  void MarkSaved(std::string hash, std::string client, std::string user);

  /// The version that had the text of a hash when it was read or saved; nothing if it is not known (any
  /// more).
  std::optional<std::uint64_t> FindVersion(std::string_view hash) const;
  /// The changes from `version` on; nothing if they are not kept any more, or the version has yet to come.
  std::optional<std::vector<const SharedChange*>> ChangesSince(std::uint64_t version) const;

 private:
  struct SavedVersion {
    std::string hash;
    std::uint64_t version = 0;
  };

  void Keep(SharedChange change);

  std::u16string text_;
  std::deque<SharedChange> changes_;
  std::uint64_t first_version_ = 0;  ///< of `changes_`
  std::size_t kept_ = 0;             ///< [bytes]
  std::string saved_hash_;
  std::u16string saved_text_;
  std::deque<SavedVersion> saved_versions_;
};

}  // namespace davit
