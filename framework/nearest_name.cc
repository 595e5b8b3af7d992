#include "framework/nearest_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace davit {
namespace {

constexpr std::size_t kMaxCompared = 128;
constexpr std::size_t kMaxListed = 12;
constexpr std::size_t kMaxQuoted = 60;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsSame(char a, char b) { return a == b; }
bool IsSameLetter(char a, char b) { return Lower(a) == Lower(b); }

/// Damerau-Levenshtein distance in its optimal string alignment form (no edit inside a swapped pair), or
/// limit + 1 as soon as it must exceed `limit`. Both texts have at most kMaxCompared characters.
template <typename IsEqual>
std::size_t Distance(std::string_view a, std::string_view b, std::size_t limit, IsEqual is_equal) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  using Row = std::array<std::size_t, kMaxCompared + 1>;
  std::array<Row, 3> rows;
  Row* before_last = &rows[0];
  Row* last = &rows[1];
  Row* current = &rows[2];
  for (std::size_t j = 0; j <= b.size(); ++j) (*last)[j] = j;
  std::size_t last_best = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    (*current)[0] = i;
    std::size_t best = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = (*last)[j - 1] + (is_equal(a[i - 1], b[j - 1]) ? 0 : 1);
      std::size_t cost = std::min({replaced, (*last)[j] + 1, (*current)[j - 1] + 1});
      const bool is_swapped = i > 1 && j > 1 && is_equal(a[i - 1], b[j - 2]) && is_equal(a[i - 2], b[j - 1]);
      if (is_swapped) cost = std::min(cost, (*before_last)[j - 2] + 1);
      (*current)[j] = cost;
      best = std::min(best, cost);
    }
    // A swap reaches back two rows, so only two poor rows prove that the limit is exceeded.
    if (best > limit && last_best > limit) return limit + 1;
    last_best = best;
    Row* const free_row = std::exchange(before_last, last);
    last = std::exchange(current, free_row);
  }
  return std::min((*last)[b.size()], limit + 1);
}

bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// `text` in at most kMaxQuoted bytes and without control characters.
std::string Shown(std::string_view text) {
  static constexpr std::string_view kDots = "...";
  std::string shown(text.substr(0, kMaxQuoted));
  if (text.size() > kMaxQuoted) {
    std::size_t end = kMaxQuoted - kDots.size();
    while (end > 0 && IsUtf8Continuation(text[end])) --end;
    shown.resize(end);
    shown += kDots;
  }
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return shown;
}

}  // namespace

std::optional<std::string> FindNearest(std::string_view name, std::span<const std::string> candidates) {
  if (name.empty() || name.size() > kMaxCompared) return std::nullopt;
  const std::size_t limit = 1 + name.size() / 4;
  const std::string* nearest = nullptr;
  std::size_t nearest_distance = limit;
  std::size_t nearest_case_distance = 0;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kMaxCompared) continue;
    const std::size_t distance = Distance(name, candidate, nearest_distance, IsSameLetter);
    if (distance > nearest_distance || distance >= std::max(name.size(), candidate.size())) continue;
    const std::size_t case_distance = Distance(name, candidate, kMaxCompared, IsSame);
    const bool is_nearer = nearest == nullptr || std::pair(distance, case_distance) <
                                                     std::pair(nearest_distance, nearest_case_distance);
    if (!is_nearer) continue;
    nearest = &candidate;
    nearest_distance = distance;
    nearest_case_distance = case_distance;
  }
  return nearest == nullptr ? std::nullopt : std::optional(*nearest);
}

std::string SuggestName(std::string_view what, std::string_view name,
                        std::span<const std::string> candidates) {
  if (const std::optional<std::string> nearest = FindNearest(name, candidates)) {
    return "did you mean " + Quoted(*nearest) + "?";
  }
  std::string text(what);
  if (!text.empty()) text += ' ';
  if (candidates.empty()) return text + "none";
  for (std::size_t i = 0; i < std::min(candidates.size(), kMaxListed); ++i) {
    if (i > 0) text += ", ";
    text += Shown(candidates[i]);
  }
  if (candidates.size() > kMaxListed) text += ", ...";
  return text;
}

std::string Quoted(std::string_view text) { return "'" + Shown(text) + "'"; }

}  // namespace davit
