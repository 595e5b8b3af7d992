// Saving and restoring running charts.

#include <utility>

#include "statecharts/chart_archive.h"
#include "statecharts/session_table.h"

namespace davit {
namespace {

void ArchiveQueue(ChartArchive& archive, EventQueue& queue) {
  std::size_t size = queue.size();
  archive.Value(size);
  if (size > queue.capacity() || !archive.is_good()) return archive.Refuse();
  if (archive.is_loading()) queue.Clear();
  for (std::size_t i = 0; i < size; ++i) {
    if (archive.is_loading()) {
      Event event;
      archive.OneEvent(event);
      queue.Push(std::move(event));
    } else {
      Event event = queue[i].Copy();
      archive.OneEvent(event);
    }
  }
}

}  // namespace

void Interpreter::Archive(ChartArchive& archive) {
  archive.Same(chart_->states.size());
  archive.Same(chart_->transitions.size());
  archive.Same(chart_->expressions.size());
  archive.Value(number_);
  archive.Value(invoke_id_);
  archive.Value(done_event_);
  archive.Value(phase_);
  archive.Value(has_reached_final_);
  archive.Value(is_cancelled_);
  archive.Value(is_stuck_);
  archive.Value(lost_events_);
  archive.Value(macrosteps_);
  archive.Value(generated_ids_);
  archive.Set(configuration_);
  archive.Set(last_configuration_);
  archive.Set(states_to_invoke_);
  archive.Set(initialized_);
  archive.Set(history_.known);
  for (StateSet& set : history_.sets) archive.Set(set);
  archive.Fixed(std::span(entered_));
  archive.Fixed(std::span(true_since_));
  ArchiveQueue(archive, internal_queue_);
  ArchiveQueue(archive, external_queue_);
  archive.Value(has_event_);
  archive.OneEvent(event_);
  archive.OneEvent(given_);
  archive.OneEvent(done_data_);
  if (data_model_ == nullptr) return archive.Refuse();
  data_model_->Archive(archive);
  if (archive.is_loading()) data_model_->SetEvent(has_event_ ? &event_ : nullptr);
}

void SessionTable::Archive(ChartArchive& archive) {
  archive.Value(time_);
  archive.Value(next_number_);
  archive.Same(sessions_.size());
  const auto place_of = [this](const Interpreter* session) {
    std::size_t place = 0;
    while (place < sessions_.size() && sessions_[place].get() != session) ++place;
    return place;
  };
  const auto link = [&](Interpreter*& session) {
    std::size_t place = place_of(session);
    archive.Value(place);
    if (archive.is_loading()) session = place < sessions_.size() ? sessions_[place].get() : nullptr;
  };
  for (const auto& session : sessions_) {
    if (!archive.is_good()) return;
    session->Archive(archive);
    link(session->parent_);
    for (Interpreter*& child : session->children_) link(child);
  }
  delayed_.Archive(archive, [&](DelayedEvent& delayed) {
    // The <send> by its place in the chart of the session that has sent it.
    for (const auto& session : sessions_) {
      const std::vector<Send>& sends = session->chart_->sends;
      if (session->number_ != delayed.session) continue;
      std::size_t place = archive.is_loading() ? 0 : static_cast<std::size_t>(delayed.send - sends.data());
      archive.Value(place);
      if (place >= sends.size()) return archive.Refuse();
      delayed.send = &sends[place];
      return;
    }
    archive.Refuse();
  });
}

std::vector<std::byte> SessionTable::Save() {
  ChartArchive archive;
  Archive(archive);
  return archive.is_good() ? archive.Take() : std::vector<std::byte>();
}

bool SessionTable::Restore(std::span<const std::byte> bytes) {
  for (const auto& session : sessions_) {
    if (session->data_model_ == nullptr) session->Prepare(0, nullptr, kNoSymbol, {});
  }
  ChartArchive archive(bytes);
  Archive(archive);
  return archive.is_good() && archive.is_at_end();
}

}  // namespace davit
