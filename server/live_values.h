#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/live_run.h"
#include "server/node_tree.h"
#include "server/value_feed.h"

namespace davit {

/// A row of the feed that has come.
struct LiveRow {
  std::uint64_t number = 0;  ///< counted from 0
  std::uint64_t wall = 0;    ///< UTC [ns]
  double t = 0;              ///< simulated [s]
  std::shared_ptr<const RowLayout> layout;
  std::vector<double> values = {};
};

/// What clients watch: numbers come in rows, of which the last few seconds are kept for all clients together;
/// texts are asked for a few times a second. Used by the thread of the server alone.
class LiveValues {
 public:
  /// Does something in the thread of the server, soon.
  using PostToServer = std::function<void(std::function<void()>)>;

  /// All must outlive it.
  LiveValues(LiveRun& run, const NodeTree& tree, PostToServer post);

  /// From now on the node is watched, once more. Pre: it shows what may change.
  void Watch(std::uint32_t node);
  void Unwatch(std::uint32_t node);
  /// Takes what has come; to be called every few milliseconds.
  void Poll();

  const std::deque<LiveRow>& rows() const { return rows_; }
  std::uint64_t next_row() const { return next_row_; }
  /// A text that is watched: its number changes with each change; 0 as long as it is not known.
  struct Text {
    std::uint64_t version = 0;
    std::uint64_t wall = 0;  ///< UTC [ns]
    std::string text;
  };
  const Text* FindText(std::uint32_t node) const;
  /// After a write: the texts are asked for at once.
  void AskForTexts();
  /// Rows that found no room.
  std::uint64_t dropped() const;
  std::size_t watched() const { return numbers_.size() + texts_.size(); }

 private:
  struct WatchedText {
    std::uint32_t count = 0;
    Text text;
  };

  void Drain(ValueFeed& feed);
  void ChangeFeed();
  void ForgetOldRows();

  LiveRun& run_;
  const NodeTree& tree_;
  const PostToServer post_;
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;  ///< how often each is watched
  std::unordered_map<std::uint32_t, WatchedText> texts_;
  std::uint64_t text_version_ = 0;
  std::shared_ptr<ValueFeed> feed_;  ///< in use
  std::shared_ptr<ValueFeed> next_;  ///< asked for
  bool has_changed_ = false;         ///< the choice, since the last feed was made
  bool is_asking_ = false;           ///< for texts
  RunHost::Clock::time_point next_change_, next_texts_;
  std::deque<LiveRow> rows_;
  std::vector<std::vector<double>> spare_;
  std::size_t numbers_kept_ = 0;
  std::uint64_t next_row_ = 0;
  std::uint64_t dropped_before_ = 0;
};

}  // namespace davit
