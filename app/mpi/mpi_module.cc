// davit_mpi.so: the part of the program that is linked with MPI.

#include "app/mpi/mpi_module.h"

#include <mpi.h>

#include <limits>

namespace {

constexpr int kTag = 1;

bool Start(int* rank, int* size) {
  int provided = 0;
  // Other threads run cases meanwhile, but only this one speaks.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return false;
  return provided >= MPI_THREAD_FUNNELED && MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
         MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

bool Send(int to, const char* bytes, std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) return false;
  return MPI_Send(bytes, static_cast<int>(count), MPI_BYTE, to, kTag, MPI_COMM_WORLD) == MPI_SUCCESS;
}

bool Look(bool waits, bool* has_come, int* from, std::size_t* count) {
  MPI_Status status;
  int flag = 1;
  const int code = waits ? MPI_Probe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &status)
                         : MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &flag, &status);
  if (code != MPI_SUCCESS) return false;
  *has_come = flag != 0;
  if (!*has_come) return true;
  int size = 0;
  if (MPI_Get_count(&status, MPI_BYTE, &size) != MPI_SUCCESS || size < 0) return false;
  *from = status.MPI_SOURCE;
  *count = static_cast<std::size_t>(size);
  return true;
}

bool Receive(int from, char* bytes, std::size_t count) {
  return MPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
         MPI_SUCCESS;
}

bool End() { return MPI_Finalize() == MPI_SUCCESS; }

}  // namespace

extern "C" __attribute__((visibility("default"))) const DavitMpi* davit_mpi() {
  static constexpr DavitMpi kModule{DavitMpi::kVersion, Start, Send, Look, Receive, End};
  return &kModule;
}
