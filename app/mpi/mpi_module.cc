// davit_mpi.so: the part of the program that is linked with MPI, and with METIS where that is installed.

#include "app/mpi/mpi_module.h"

#include <mpi.h>
#ifdef DAVIT_HAS_METIS
#include <metis.h>
#endif

#include <limits>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace {

/// A message that MPI has not passed on yet.
struct Sending {
  MPI_Request request = MPI_REQUEST_NULL;
  std::string bytes;
};

/// MPI is one for a process, and so is this.
std::list<Sending>& Sendings() {
  static std::list<Sending> sendings;
  return sendings;
}

bool ForgetSent() {
  for (auto it = Sendings().begin(); it != Sendings().end();) {
    int is_done = 0;
    if (MPI_Test(&it->request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (is_done == 0) break;  // later ones wait for it, or soon will be looked at
    it = Sendings().erase(it);
  }
  return true;
}

bool Start(int* rank, int* size) {
  int provided = 0;
  // Other threads run cases meanwhile, but only this one speaks.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return false;
  return provided >= MPI_THREAD_FUNNELED && MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
         MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

bool Send(DavitMpi::Lane lane, int to, const char* bytes, std::size_t count) {
  if (count > static_cast<std::size_t>(std::numeric_limits<int>::max()) || !ForgetSent()) return false;
  Sending& sending = Sendings().emplace_back();
  sending.bytes.assign(bytes, count);
  return MPI_Isend(sending.bytes.data(), static_cast<int>(count), MPI_BYTE, to, lane, MPI_COMM_WORLD,
                   &sending.request) == MPI_SUCCESS;
}

bool Look(DavitMpi::Lane lane, bool waits, bool* has_come, int* from, std::size_t* count) {
  MPI_Status status;
  int flag = 1;
  const int code = waits ? MPI_Probe(MPI_ANY_SOURCE, lane, MPI_COMM_WORLD, &status)
                         : MPI_Iprobe(MPI_ANY_SOURCE, lane, MPI_COMM_WORLD, &flag, &status);
  if (code != MPI_SUCCESS) return false;
  *has_come = flag != 0;
  if (!*has_come) return true;
  int size = 0;
  if (MPI_Get_count(&status, MPI_BYTE, &size) != MPI_SUCCESS || size < 0) return false;
  *from = status.MPI_SOURCE;
  *count = static_cast<std::size_t>(size);
  return true;
}

bool Receive(DavitMpi::Lane lane, int from, char* bytes, std::size_t count) {
  return MPI_Recv(bytes, static_cast<int>(count), MPI_BYTE, from, lane, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ==
         MPI_SUCCESS;
}

#ifdef DAVIT_HAS_METIS
bool Cut(int vertices, const int* first, const int* neighbours, const int* weights, const int* edge_weights,
         int parts, int* part) {
  const auto copy = [](const int* begin, int count) { return std::vector<idx_t>(begin, begin + count); };
  std::vector<idx_t> offsets = copy(first, vertices + 1);
  const int edges = first[vertices];
  std::vector<idx_t> ends = copy(neighbours, edges), vertex_weights = copy(weights, vertices),
                     weights_of_edges = copy(edge_weights, edges), result(static_cast<std::size_t>(vertices));
  idx_t n = vertices, constraints = 1, wanted = parts, cut = 0;
  // Recursive bisection gives the more even parts where there are few vertices.
  constexpr int kFew = 8;
  const auto method = parts <= kFew ? METIS_PartGraphRecursive : METIS_PartGraphKway;
  if (method(&n, &constraints, offsets.data(), ends.data(), vertex_weights.data(), nullptr,
             weights_of_edges.data(), &wanted, nullptr, nullptr, nullptr, &cut, result.data()) != METIS_OK)
    return false;
  for (int i = 0; i < vertices; ++i) part[i] = static_cast<int>(result[static_cast<std::size_t>(i)]);
  return true;
}
#else
bool Cut(int, const int*, const int*, const int*, const int*, int, int*) { return false; }
#endif

bool End() {
  bool is_well = true;
  for (Sending& sending : Sendings())
    is_well = MPI_Wait(&sending.request, MPI_STATUS_IGNORE) == MPI_SUCCESS && is_well;
  Sendings().clear();
  return MPI_Finalize() == MPI_SUCCESS && is_well;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const DavitMpi* davit_mpi() {
  static constexpr DavitMpi kModule{DavitMpi::kVersion, Start, Send, Look, Receive, Cut, End};
  return &kModule;
}
