#include "analysis/study/write_study_hdf5.h"

#include <limits>

#include "analysis/study/study_text.h"
#include "results/csv_text.h"
#include "results/hdf5_columns.h"

namespace davit {

void WriteStudyHdf5(const std::filesystem::path& file, const std::vector<StudyColumn>& columns,
                    const std::map<std::uint64_t, std::string>& rows) {
  std::vector<Hdf5Column> datasets;
  datasets.reserve(columns.size());
  for (const StudyColumn& column : columns) datasets.push_back({.name = column.name, .unit = column.unit});
  for (const auto& [number, row] : rows) {
    const std::vector<std::string> cells = SplitCsvLine(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!columns[i].is_number) {
        datasets[i].texts.push_back(cells[i]);
        continue;
      }
      double value = std::numeric_limits<double>::quiet_NaN();
      ParseLeadingNumber(cells[i], value);
      datasets[i].numbers.push_back(value);
    }
  }
  WriteHdf5Columns(file, datasets);
}

}  // namespace davit
