#include "results/result_writer.h"

#include "results/csv_writer.h"
#include "results/hdf5_writer.h"
#include "results/mat_writer.h"

namespace davit {

std::unique_ptr<ResultWriter> MakeResultWriter(const std::filesystem::path& path,
                                               const std::vector<ResultColumn>& columns) {
  if (path.extension() == ".mat") return std::make_unique<MatWriter>(path, columns);
  if (path.extension() == ".h5") return std::make_unique<Hdf5Writer>(path, columns);
  std::vector<std::string> names, units;
  std::vector<std::vector<std::string>> options;
  for (const ResultColumn& column : columns) {
    names.push_back(column.path);
    units.push_back(column.unit);
    options.push_back(column.options);
  }
  return std::make_unique<CsvWriter>(path, names, units, options);
}

}  // namespace davit
