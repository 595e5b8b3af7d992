#include "simulator/charts/chart_set.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace davit {
namespace {

/// Requests and events that a chart may make in a step, on average.
constexpr std::size_t kShare = 16;
constexpr std::size_t kLeastCapacity = 256;

bool ActsBefore(const auto& a, const auto& b) {
  return a.rank != b.rank ? a.rank < b.rank : a.number < b.number;
}

}  // namespace

void ChartSet::Finish(RequestQueue& queue, Diagnostics& diagnostics) {
  queue_ = &queue;
  for (ChartBinding* chart : charts_) chart->Finish(diagnostics);
  if (!ranks_.empty()) return;
  std::vector<ChartBinding*> by_path = charts_;
  std::ranges::sort(by_path, {}, [](const ChartBinding* chart) { return chart->node().path(); });
  for (std::uint32_t i = 0; i < by_path.size(); ++i) ranks_.emplace(by_path[i], i);
  for (SymbolId i = 0; i < symbols_->size(); ++i) events_by_name_.emplace(symbols_->Text(i), i);
  capacity_ = charts_.empty() ? 0 : std::max(kLeastCapacity, kShare * charts_.size());
  events_.reserve(capacity_);
  arriving_.reserve(capacity_);
  awake_.reserve(charts_.size());
}

ChartBinding* ChartSet::Find(const Component& node) const {
  const auto found = std::ranges::find(charts_, &node, [](const ChartBinding* c) { return &c->node(); });
  return found == charts_.end() ? nullptr : *found;
}

SymbolId ChartSet::FindEvent(std::string_view event) const {
  const auto found = events_by_name_.find(event);
  return found == events_by_name_.end() ? kNoSymbol : found->second;
}

void ChartSet::Enter(double t) {
  events_.clear();
  for (ChartBinding* chart : charts_) chart->ClearOutputs();
  for (ChartBinding* chart : charts_) chart->Enter(t);
  for (ChartBinding* chart : charts_) chart->Publish(t);
}

void ChartSet::Settle(double t) {
  for (ChartBinding* chart : charts_) chart->Settle();
  for (ChartBinding* chart : charts_) chart->Publish(t);
}

void ChartSet::Step(double t) {
  DeliverEvents();
  awake_.clear();
  for (ChartBinding* chart : charts_) {
    if (!chart->IsAsleep()) awake_.push_back(chart);
  }
  for (ChartBinding* chart : awake_) chart->Step(t);
  for (ChartBinding* chart : awake_) {
    chart->Publish(t);
    chart->ReportTroubles();
  }
}

void ChartSet::DeliverEvents() {
  arriving_.swap(events_);
  std::ranges::sort(arriving_, [](const SentEvent& a, const SentEvent& b) { return ActsBefore(a, b); });
  for (SentEvent& sent : arriving_) sent.receiver->Deliver(std::move(sent.event));
  arriving_.clear();
}

bool ChartSet::Ask(ChartBinding& sender, const ChartBinding::Write& write, double value) {
  return queue_->Ask({.sender = &sender,
                      .rank = ranks_.at(&sender),
                      .item = &write.target,
                      .gate_item = write.gate_item,
                      .value = value});
}

bool ChartSet::Ask(ChartBinding& sender, const MessageCall& message) {
  return queue_->Ask({.sender = &sender, .rank = ranks_.at(&sender), .message = message});
}

bool ChartSet::Send(const ChartBinding& sender, ChartBinding& receiver, Event&& event) {
  if (events_.size() == capacity_) return false;  // counted by the sender
  const auto number = static_cast<std::uint32_t>(events_.size());
  events_.push_back({ranks_.at(&sender), number, &receiver, std::move(event)});
  return true;
}

std::uint64_t ChartSet::transitions() const {
  return std::transform_reduce(
      charts_.begin(), charts_.end(), std::uint64_t{0}, std::plus<>(),
      [](const ChartBinding* chart) { return chart->is_default() ? 0 : chart->transitions(); });
}

std::uint64_t ChartSet::livelocks() const {
  return std::transform_reduce(charts_.begin(), charts_.end(), std::uint64_t{0}, std::plus<>(),
                               [](const ChartBinding* chart) { return chart->livelocks(); });
}

std::uint64_t ChartSet::lost_events() const {
  return std::transform_reduce(charts_.begin(), charts_.end(), std::uint64_t{0}, std::plus<>(),
                               [](const ChartBinding* chart) { return chart->lost_events(); });
}

void ChartSet::ArchiveMemory(Archive& archive) {
  if (archive.is_loading()) {
    events_.clear();
  } else {
    DeliverEvents();
  }
  for (ChartBinding* chart : charts_) {
    archive.Block(chart->node().path(), [&] { archive(*chart); });
  }
}

void ChartSet::ResetCounters() {
  for (ChartBinding* chart : charts_) chart->ResetCounters();
}

}  // namespace davit
