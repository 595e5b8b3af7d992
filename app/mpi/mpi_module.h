#pragma once

#include <cstddef>

/// What davit_mpi.so offers: the few calls of MPI that studies need. The program loads it where mpirun has
/// started it, so it needs MPI only there. All calls come from one thread; each returns whether it has
/// succeeded.
extern "C" struct DavitMpi {
  static constexpr int kVersion = 1;
  int version;
  /// Once, before all others.
  bool (*start)(int* rank, int* size);
  bool (*send)(int to, const char* bytes, std::size_t count);
  /// Whether a message has come; with `waits` only when one has. Its sender and size.
  bool (*look)(bool waits, bool* has_come, int* from, std::size_t* count);
  /// Takes the message that `look` has seen.
  bool (*receive)(int from, char* bytes, std::size_t count);
  /// Once, after all others; waits for all processes.
  bool (*end)();
};

/// The name of the function of davit_mpi.so that gives a const DavitMpi*.
inline constexpr const char* kDavitMpiEntry = "davit_mpi";
