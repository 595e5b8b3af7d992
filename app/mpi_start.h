#pragma once

namespace davit {

/// Whether mpirun, or another launcher of MPI that sets its variables, has started this process together with
/// others.
bool IsStartedByMpi();

/// Whether a command with these arguments hands out cases, or runs one system over the ranks; all others are
/// for rank 0 alone.
bool IsForAllRanks(int argc, const char* const* argv);

}  // namespace davit
