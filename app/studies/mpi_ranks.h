#pragma once

#include <memory>
#include <string>

#include "analysis/study/rank_channel.h"

namespace davit {

/// The processes that mpirun has started. Loads davit_mpi.so, which lies beside the program or in
/// ../lib/davit. Pre: IsStartedByMpi; once in a process. Throws std::runtime_error with reason and remedy
/// where that is not possible. The destructor waits for all processes.
std::unique_ptr<RankChannel> JoinMpi();

}  // namespace davit
