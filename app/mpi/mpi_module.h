#pragma once

#include <cstddef>

/// What davit_mpi.so offers: the few calls of MPI that studies and runs over several processes need, and a
/// graph partitioner. The program loads it where mpirun has started it, so it needs MPI only there. All calls
/// come from one thread; each returns whether it has succeeded. Messages of two lanes do not see each other.
extern "C" struct DavitMpi {
  static constexpr int kVersion = 2;
  enum Lane : int { kCases = 1, kSteps = 2 };
  int version;
  /// Once, before all others.
  bool (*start)(int* rank, int* size);
  /// Returns before the message is taken; the bytes may change then.
  bool (*send)(Lane lane, int to, const char* bytes, std::size_t count);
  /// Whether a message has come; with `waits` only when one has. Its sender and size.
  bool (*look)(Lane lane, bool waits, bool* has_come, int* from, std::size_t* count);
  /// Takes the message that `look` has seen.
  bool (*receive)(Lane lane, int from, char* bytes, std::size_t count);
  /// Cuts a graph into `parts`: `first` and `neighbours` as METIS has them. False where it was built without.
  bool (*cut)(int vertices, const int* first, const int* neighbours, const int* weights,
              const int* edge_weights, int parts, int* part);
  /// Once, after all others; waits for all processes.
  bool (*end)();
};

/// The name of the function of davit_mpi.so that gives a const DavitMpi*.
inline constexpr const char* kDavitMpiEntry = "davit_mpi";
