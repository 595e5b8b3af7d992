#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "simulator/parts/part_channel.h"

namespace davit {

/// Messages between the processes of one parallel job; they have run the same command line and are numbered
/// by ranks from 0 on. One thread of each process makes all calls. Messages from one rank to another arrive
/// in the order they were sent. Calls throw std::runtime_error where a message cannot be passed on.
class RankChannel {
 public:
  struct Message {
    int from = 0;
    std::string bytes;
  };

  virtual ~RankChannel() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void Send(int to, std::string_view bytes) = 0;
  /// The next message from any rank; waits for it.
  virtual Message Receive() = 0;
  /// The same where one has come; else nothing, at once.
  virtual std::optional<Message> Poll() = 0;

  /// The same processes as the parts of one run; null where it cannot serve them.
  virtual PartChannel* parts() { return nullptr; }

  // What the protocol of studies remembers (CasePool, ServeCases, DismissRanks).
  std::set<int> gone = {};  ///< of rank 0: ranks that run no more cases
  bool is_over = false;     ///< of the others: rank 0 has none any more
};

}  // namespace davit
