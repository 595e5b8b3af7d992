#include "app/mpi_start.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace davit {
namespace {

int NumberOfVariable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

}  // namespace

bool IsStartedByMpi() {
  // mpirun of OpenMPI, srun --mpi=pmi2 and srun --mpi=pmix, which tells the ranks only.
  const bool is_by_pmix = std::getenv("PMIX_RANK") != nullptr && NumberOfVariable("SLURM_STEP_NUM_TASKS") > 1;
  return is_by_pmix || NumberOfVariable("OMPI_COMM_WORLD_SIZE") > 1 || NumberOfVariable("PMI_SIZE") > 1;
}

bool IsForAllRanks(int argc, const char* const* argv) {
  static constexpr std::array<std::string_view, 6> kCommands{"sweep",       "optimize", "fit",
                                                             "sensitivity", "study",    "run"};
  return argc > 1 && std::ranges::find(kCommands, std::string_view(argv[1])) != kCommands.end();
}

}  // namespace davit
