#include "server/live_values.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace davit {
namespace {

using Clock = RunHost::Clock;

constexpr std::chrono::milliseconds kBetweenFeeds{20};
constexpr std::chrono::milliseconds kBetweenTexts{200};
constexpr std::uint64_t kKept = 3'000'000'000;  ///< of wall time [ns]
constexpr std::size_t kMostNumbersKept = 8'000'000;
constexpr std::size_t kMostRowsKept = 8'000;

}  // namespace

LiveValues::LiveValues(LiveRun& run, const NodeTree& tree, PostToServer post)
    : run_(run), tree_(tree), post_(std::move(post)) {}

void LiveValues::Watch(std::uint32_t node) {
  if (NodeTree::HasText(*tree_.Find(node))) {
    if (texts_[node].count++ == 0) AskForTexts();
  } else if (numbers_[node]++ == 0) {
    has_changed_ = true;
  }
}

void LiveValues::Unwatch(std::uint32_t node) {
  if (const auto text = texts_.find(node); text != texts_.end()) {
    if (--text->second.count == 0) texts_.erase(text);
  } else if (const auto number = numbers_.find(node); number != numbers_.end() && --number->second == 0) {
    numbers_.erase(number);
    has_changed_ = true;
  }
}

void LiveValues::Poll() {
  const Clock::time_point now = Clock::now();
  if (feed_ != nullptr) Drain(*feed_);
  if (has_changed_ && next_ == nullptr && now >= next_change_) {
    next_change_ = now + kBetweenFeeds;
    ChangeFeed();
  }
  if (!texts_.empty() && now >= next_texts_) AskForTexts();
  ForgetOldRows();
}

void LiveValues::ChangeFeed() {
  has_changed_ = false;
  std::vector<std::uint32_t> nodes;
  std::vector<ValueSource> sources;
  for (const auto& [node, count] : numbers_) {
    const std::optional<ValueSource> source = tree_.SourceOf(*tree_.Find(node));
    if (!source) continue;
    nodes.push_back(node);
    sources.push_back(*source);
  }
  next_ = std::make_shared<ValueFeed>(nodes, std::move(sources));
  const bool is_posted = run_.Post([this, feed = next_] {
    run_.set_feed(feed);
    post_([this, feed] {
      if (feed_ != nullptr) {
        Drain(*feed_);
        dropped_before_ += feed_->ring().dropped();
      }
      feed_ = feed;
      next_ = nullptr;
      Drain(*feed_);
    });
  });
  if (!is_posted) {
    next_ = nullptr;
    has_changed_ = true;
  }
}

void LiveValues::Drain(ValueFeed& feed) {
  ValueRing& ring = feed.ring();
  // At most what is there now: a run without pacing may write as fast as this reads.
  for (std::size_t n = 0; n < 1024 && !ring.is_empty(); ++n) {
    const ValueRing::RowView view = ring.Front();
    LiveRow& row = rows_.emplace_back();
    row.number = next_row_++;
    row.wall = view.wall;
    row.t = view.t;
    row.layout = feed.layout();
    if (!spare_.empty()) {
      row.values = std::move(spare_.back());
      spare_.pop_back();
    }
    row.values.assign(view.values.begin(), view.values.end());
    numbers_kept_ += row.values.size();
    ring.Pop();
    if (rows_.size() > kMostRowsKept) ForgetOldRows();
  }
}

void LiveValues::ForgetOldRows() {
  const std::uint64_t now = WallTime();
  while (rows_.size() > 1) {
    const LiveRow& oldest = rows_.front();
    if (rows_.size() <= kMostRowsKept && numbers_kept_ <= kMostNumbersKept && oldest.wall + kKept > now)
      break;
    numbers_kept_ -= oldest.values.size();
    if (spare_.size() < 64) spare_.push_back(std::move(rows_.front().values));
    rows_.pop_front();
  }
}

const LiveValues::Text* LiveValues::FindText(std::uint32_t node) const {
  const auto found = texts_.find(node);
  return found == texts_.end() ? nullptr : &found->second.text;
}

void LiveValues::AskForTexts() {
  if (is_asking_ || texts_.empty()) return;
  next_texts_ = Clock::now() + kBetweenTexts;
  std::vector<std::uint32_t> nodes;
  nodes.reserve(texts_.size());
  for (const auto& [node, text] : texts_) nodes.push_back(node);
  is_asking_ = run_.Post([this, nodes = std::move(nodes)] {
    std::vector<std::string> read;
    read.reserve(nodes.size());
    for (const std::uint32_t node : nodes) read.push_back(tree_.TextOf(*tree_.Find(node)));
    post_([this, nodes, read = std::move(read)] {
      is_asking_ = false;
      bool is_missing = false;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto found = texts_.find(nodes[i]);
        if (found == texts_.end()) continue;
        Text& text = found->second.text;
        if (text.version > 0 && text.text == read[i]) continue;
        text = {++text_version_, WallTime(), read[i]};
      }
      for (const auto& [node, text] : texts_) is_missing |= text.text.version == 0;
      if (is_missing) AskForTexts();  // watched meanwhile
    });
  });
}

std::uint64_t LiveValues::dropped() const {
  return dropped_before_ + (feed_ == nullptr ? 0 : feed_->ring().dropped());
}

}  // namespace davit
