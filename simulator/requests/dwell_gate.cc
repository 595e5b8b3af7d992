#include "simulator/requests/dwell_gate.h"

#include <algorithm>

namespace davit {
namespace {

constexpr double kLongAgo = -std::numeric_limits<double>::infinity();
/// Rounding of step points [s].
constexpr double kTolerance = 1e-9;

}  // namespace

std::size_t DwellGate::AddItem(const Component& owner) {
  auto place = std::find(owners_.begin(), owners_.end(), &owner);
  if (place == owners_.end()) {
    place = owners_.insert(owners_.end(), &owner);
    last_.push_back(kLongAgo);
  }
  items_.push_back({static_cast<std::uint64_t>(place - owners_.begin()), 0, 0});
  return items_.size() - 1;
}

void DwellGate::Reset() {
  std::fill(last_.begin(), last_.end(), kLongAgo);
  for (Item& item : items_) item.number = 0;
  waiting_ = number_ = 0;
}

void DwellGate::Ask(std::size_t item, double value) {
  if (items_[item].number == 0) ++waiting_;
  items_[item].number = ++number_;
  items_[item].value = value;
}

std::size_t DwellGate::TakeDue(double t, double* value) {
  std::size_t first = kNone;
  for (std::size_t i = 0; waiting_ > 0 && i < items_.size(); ++i) {
    const Item& item = items_[i];
    const double last = last_[item.owner];
    // What is asked for together acts together.
    const bool may_switch = last == t || t - last >= dwell_ - kTolerance;
    if (item.number == 0 || !may_switch) continue;
    if (first == kNone || item.number < items_[first].number) first = i;
  }
  if (first == kNone) return kNone;
  last_[items_[first].owner] = t;
  items_[first].number = 0;
  --waiting_;
  *value = items_[first].value;
  return first;
}

}  // namespace davit
