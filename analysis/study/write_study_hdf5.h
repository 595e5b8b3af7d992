#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/study/study_table.h"

namespace davit {

/// Writes the table of a study as HDF5: a dataset for each column, numbers in SI. Throws OutputFailure.
void WriteStudyHdf5(const std::filesystem::path& file, const std::vector<StudyColumn>& columns,
                    const std::map<std::uint64_t, std::string>& rows);

}  // namespace davit
