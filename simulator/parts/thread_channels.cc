#include "simulator/parts/thread_channels.h"

#include <utility>

namespace davit {

ThreadChannels::ThreadChannels(int size) {
  for (int rank = 0; rank < size; ++rank) channels_.push_back(std::make_unique<Channel>(*this, rank));
}

void ThreadChannels::Channel::Send(int to, std::string_view bytes) {
  Channel& receiver = *all_.channels_[static_cast<std::size_t>(to)];
  const std::scoped_lock lock(receiver.mutex_);
  receiver.arrived_.push_back({rank_, std::string(bytes)});
}

std::optional<PartChannel::Message> ThreadChannels::Channel::Poll() {
  const std::scoped_lock lock(mutex_);
  if (arrived_.empty()) return std::nullopt;
  Message message = std::move(arrived_.front());
  arrived_.pop_front();
  return message;
}

}  // namespace davit
