#include <stdexcept>

#include "results/csv_writer.h"
#include "results/load_result.h"
#include "results/result_writer.h"

namespace davit {

// Nothing records to a file inside an FMU: the master does. So the libraries of result files are no part of
// it.

bool IsResultFile(const std::filesystem::path& /*path*/) { return false; }

std::filesystem::path UnitsFileOf(const std::filesystem::path& result) { return result; }

std::unique_ptr<ResultWriter> MakeResultWriter(const std::filesystem::path& path,
                                               const std::vector<ResultColumn>& /*columns*/) {
  throw std::runtime_error(path.string() + ": an FMU writes no result files");
}

}  // namespace davit
