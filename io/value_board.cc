#include "io/value_board.h"

#include <cassert>

namespace davit {

void ValueBoard::TakeWrites(std::vector<Write>& writes) {
  writes.clear();
  const std::lock_guard lock(mutex_);
  if (!has_writes_) return;
  has_writes_ = false;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (std::exchange(is_written_[i], 0) != 0) writes.emplace_back(i, values_[i]);
  }
}

void ValueBoard::Publish(std::span<const double> values) {
  assert(values.size() == values_.size());
  const std::lock_guard lock(mutex_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (is_written_[i] == 0) values_[i] = values[i];
  }
}

ValueBoard::Clock::time_point ValueBoard::written_at(std::size_t item) const {
  const std::lock_guard lock(mutex_);
  return written_at_[item];
}

bool ValueBoard::WaitForWrite(std::size_t item, double value, Clock::time_point since,
                              Clock::time_point until) const {
  std::unique_lock lock(mutex_);
  return has_changed_.wait_until(lock, until,
                                 [&] { return values_[item] == value && written_at_[item] > since; });
}

std::uint64_t ValueBoard::TakeRefusals() {
  const std::lock_guard lock(mutex_);
  return std::exchange(refusals_, 0);
}

std::string ValueBoard::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void ValueBoard::WriteAll(std::span<const Write> writes, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (const auto& [item, value] : writes) {
    values_[item] = value;
    is_written_[item] = 1;
    written_at_[item] = now;
    has_writes_ = true;
  }
  has_changed_.notify_one();
}

void ValueBoard::Refuse(std::string why) {
  const std::lock_guard lock(mutex_);
  ++refusals_;
  trouble_ = std::move(why);
}

void ValueBoard::set_trouble(std::string why) {
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(why);
}

}  // namespace davit
