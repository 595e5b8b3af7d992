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

void ValueBoard::WriteAll(std::span<const Write> writes, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  for (const auto& [item, value] : writes) {
    values_[item] = value;
    is_written_[item] = 1;
    written_at_[item] = now;
    has_writes_ = true;
  }
}

}  // namespace davit
