#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "simulator/parts/part_channel.h"

namespace davit {

/// Channels between threads of one process, each of which drives a simulation of its own.
class ThreadChannels {
 public:
  explicit ThreadChannels(int size);
  /// That of a rank; it lives as long as this.
  PartChannel& of(int rank) { return *channels_[static_cast<std::size_t>(rank)]; }

 private:
  class Channel final : public PartChannel {
   public:
    Channel(ThreadChannels& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(all_.channels_.size()); }
    void Send(int to, std::string_view bytes) override;
    std::optional<Message> Poll() override;

   private:
    ThreadChannels& all_;
    const int rank_;
    std::mutex mutex_;
    std::deque<Message> arrived_;
  };

  std::vector<std::unique_ptr<Channel>> channels_;
};

}  // namespace davit
