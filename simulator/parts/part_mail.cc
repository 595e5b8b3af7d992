#include "simulator/parts/part_mail.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>

#include "simulator/step_interrupted.h"

namespace davit {
namespace {

/// That this thread has had the processor.
double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void PartMail::Send(int to, Kind kind, std::string_view bytes) {
  std::string message(1, static_cast<char>(kind));
  message += bytes;
  channel_.Send(to, message);
  ++messages_;
  bytes_ += message.size();
}

void PartMail::SendToAll(Kind kind, std::string_view bytes) {
  for (int rank = 0; rank < size(); ++rank) {
    if (rank != this->rank()) Send(rank, kind, bytes);
  }
}

bool PartMail::Take() {
  bool has_come = false;
  while (auto message = channel_.Poll()) {
    has_come = true;
    const auto kind = message->bytes.empty() ? kKinds : static_cast<std::size_t>(message->bytes.front());
    if (kind >= kKinds) throw std::runtime_error("a message between the parts of the run makes no sense");
    queues_[static_cast<std::size_t>(message->from)][kind].push_back(message->bytes.substr(1));
  }
  return has_come;
}

void PartMail::NoteFailures() {
  for (int rank = 0; rank < size(); ++rank) {
    for (std::deque<std::string>& queue = Queue(rank, Kind::kFailure); !queue.empty(); queue.pop_front()) {
      const std::string& bytes = queue.front();
      double t = 0;
      if (bytes.size() < sizeof t) continue;
      std::memcpy(&t, bytes.data(), sizeof t);
      if (!failure_ || t < failure_->time()) failure_.emplace(bytes.substr(sizeof t), t);
    }
  }
}

void PartMail::ThrowFailureBefore(double t) {
  NoteFailures();
  if (failure_ && failure_->time() <= t) throw SimulationFailure(*failure_);
}

const SimulationFailure* PartMail::FindFirstFailure() {
  NoteFailures();
  return failure_ ? &*failure_ : nullptr;
}

void PartMail::Pause(std::uint64_t times) {
  // Short waits are answered at once; in long ones, those for whom is waited get the processor, if they share
  // it.
  constexpr std::uint64_t kSpins = 500;
  if (times < kSpins) return std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void PartMail::WaitFor(int from, Kind kind, double t) {
  Take();
  if (!Queue(from, kind).empty()) return;
  const auto begin = std::chrono::steady_clock::now();
  const double begin_of_work = ProcessorSeconds();
  for (std::uint64_t times = 0; Queue(from, kind).empty(); ++times) {
    if (Take()) continue;
    if (HasEnded(from)) {
      if (const SimulationFailure* failure = FindFirstFailure()) throw SimulationFailure(*failure);
      throw StepInterrupted(t, t);
    }
    Pause(times);
  }
  idle_seconds_ += ProcessorSeconds() - begin_of_work;
  waited_for_[static_cast<std::size_t>(from)] +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string PartMail::Receive(int from, Kind kind, double t) {
  WaitFor(from, kind, t);
  std::string bytes = std::move(Queue(from, kind).front());
  Queue(from, kind).pop_front();
  return bytes;
}

void PartMail::SendFailure(const std::string& what, double t) {
  std::string bytes(sizeof t, '\0');
  std::memcpy(bytes.data(), &t, sizeof t);
  SendToAll(Kind::kFailure, bytes + what);
  if (!failure_ || t <= failure_->time()) failure_.emplace(what, t);
}

void PartMail::SendEnd(std::string_view bytes) {
  for (int rank = 0; rank < size(); ++rank) {
    if (rank != this->rank()) Send(rank, Kind::kEnd, rank == 0 ? bytes : std::string_view());
  }
}

bool PartMail::HaveAllEnded() {
  for (int rank = 0; rank < size(); ++rank) {
    if (rank != this->rank() && !HasEnded(rank)) return false;
  }
  return true;
}

}  // namespace davit
