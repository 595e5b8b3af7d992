#pragma once

#include <memory>
#include <string>

#include "analysis/study/rank_channel.h"

namespace davit {

/// Whether mpirun, or another launcher of MPI that sets its variables, has started this process together with
/// others.
bool IsStartedByMpi();

/// The processes that mpirun has started. Loads davit_mpi.so, which lies beside the program or in
/// ../lib/davit. Pre: IsStartedByMpi; once in a process. Throws std::runtime_error with reason and remedy
/// where that is not possible. The destructor waits for all processes.
std::unique_ptr<RankChannel> JoinMpi();

/// Whether a command with these arguments hands out cases, or runs one system over the ranks; all others are
/// for rank 0 alone.
bool IsForAllRanks(int argc, const char* const* argv);

}  // namespace davit
