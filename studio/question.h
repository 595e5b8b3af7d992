#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace davit {

/// A question about texts that are edited, whose answer takes time. One thread answers it; any may call Drop
/// and is_dropped.
class Question {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLongest{20};

  /// The time counts from here.
  void Begin() { begin_ = Clock::now(); }
  /// Nobody wants the answer any more.
  void Drop() { is_dropped_ = true; }
  bool is_dropped() const { return is_dropped_; }
  /// As LoadOptions::reason_to_stop.
  std::string ReasonToStop() const;

 private:
  std::atomic<bool> is_dropped_ = false;
  Clock::time_point begin_ = Clock::now();
};

/// The newest question of each client and kind. A newer one drops the one before. One thread calls it.
class QuestionList {
 public:
  /// `client` names who asks; empty: nobody who would ask again.
  std::shared_ptr<Question> Add(const std::string& kind, const std::string& client);

 private:
  std::map<std::pair<std::string, std::string>, std::weak_ptr<Question>> newest_;
};

}  // namespace davit
