#include "studio/shared_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/locale/encoding_utf.hpp>
#include <utility>

#include "studio/folder.h"

namespace davit {
namespace {

namespace conv = boost::locale::conv;

std::u16string ToUtf16(std::string_view text) {
  return conv::utf_to_utf<char16_t>(text.data(), text.data() + text.size());
}

std::string ToUtf8(std::u16string_view text) {
  return conv::utf_to_utf<char>(text.data(), text.data() + text.size());
}

std::size_t BytesOf(const SharedChange& change) {
  std::size_t bytes = 0;
  for (const SharedEdit& edit : change.edits) bytes += edit.text.size();
  return bytes;
}

/// Whether a unit is the second half of a character.
bool IsSecondHalf(char16_t unit) { return (unit & 0xfc00U) == 0xdc00U; }

}  // namespace

SharedText::SharedText(std::string_view text, std::string hash)
    : text_(ToUtf16(text)), saved_hash_(std::move(hash)), saved_text_(text_) {
  saved_versions_.push_back({saved_hash_, 0});
}

std::optional<std::string> SharedText::text() const {
  try {
    return conv::utf_to_utf<char>(text_.data(), text_.data() + text_.size(), conv::stop);
  } catch (const conv::conversion_error&) {
    return std::nullopt;
  }
}

bool SharedText::is_edited() const { return text_ != saved_text_; }

std::string SharedText::Change(SharedChange change) {
  std::size_t at = 0;
  for (const SharedEdit& edit : change.edits) {
    if (edit.start < at || edit.end < edit.start || edit.end > text_.size())
      return fmt::format(
          "the edit from {} to {} overlaps another one or ends behind the text of {} units; "
          "open the file again",
          edit.start, edit.end, text_.size());
    at = edit.end;
  }
  std::u16string text;
  text.reserve(text_.size() + BytesOf(change));
  at = 0;
  for (const SharedEdit& edit : change.edits) {
    text.append(text_, at, edit.start - at).append(ToUtf16(edit.text));
    at = edit.end;
  }
  text.append(text_, at);
  if (text.size() > Folder::kLargestFile)
    return fmt::format("the file would have more than {} MiB; split it into several files",
                       Folder::kLargestFile >> 20U);
  text_ = std::move(text);
  Keep(std::move(change));
  return {};
}

void SharedText::Replace(std::string_view text, std::string client, std::string user) {
  const std::u16string after = ToUtf16(text);
  if (after == text_) return;
  const std::size_t least = std::min(text_.size(), after.size());
  std::size_t begin = 0;
  while (begin < least && text_[begin] == after[begin]) ++begin;
  const auto is_second_half = [](const std::u16string& units, std::size_t at) {
    return at < units.size() && IsSecondHalf(units[at]);
  };
  if (begin > 0 && (is_second_half(text_, begin) || is_second_half(after, begin))) --begin;
  std::size_t tail = 0;
  while (tail < least - begin && text_[text_.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  if (tail > 0 && IsSecondHalf(text_[text_.size() - tail])) --tail;
  SharedEdit edit{begin, text_.size() - tail,
                  ToUtf8(std::u16string_view(after).substr(begin, after.size() - tail - begin))};
  text_ = after;
  Keep({.client = std::move(client),
        .user = std::move(user),
        .label = "Read from disk",
        .edits = {std::move(edit)}});
}

void SharedText::MarkSaved(std::string hash, std::string client, std::string user) {
  constexpr std::size_t kMostSavedVersions = 100;
  saved_hash_ = std::move(hash);
  saved_text_ = text_;
  Keep({.client = std::move(client), .user = std::move(user), .label = "Save", .saved_hash = saved_hash_});
  saved_versions_.push_back({saved_hash_, version()});
  if (saved_versions_.size() > kMostSavedVersions) saved_versions_.pop_front();
}

std::optional<std::uint64_t> SharedText::FindVersion(std::string_view hash) const {
  const auto found = std::find_if(saved_versions_.rbegin(), saved_versions_.rend(),
                                  [&](const SavedVersion& one) { return one.hash == hash; });
  if (found == saved_versions_.rend() || found->version < first_version_) return std::nullopt;
  return found->version;
}

std::optional<std::vector<const SharedChange*>> SharedText::ChangesSince(std::uint64_t version) const {
  if (version < first_version_ || version > this->version()) return std::nullopt;
  std::vector<const SharedChange*> changes;
  changes.reserve(static_cast<std::size_t>(this->version() - version));
  for (std::size_t i = static_cast<std::size_t>(version - first_version_); i < changes_.size(); ++i)
    changes.push_back(&changes_[i]);
  return changes;
}

void SharedText::Keep(SharedChange change) {
  kept_ += BytesOf(change);
  changes_.push_back(std::move(change));
  while (changes_.size() > kMostChanges || (kept_ > kLargestChanges && changes_.size() > 1)) {
    kept_ -= BytesOf(changes_.front());
    changes_.pop_front();
    ++first_version_;
  }
}

}  // namespace davit
