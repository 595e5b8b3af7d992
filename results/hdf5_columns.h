#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace davit {

/// A column of a table that is no run: numbers, or texts.
struct Hdf5Column {
  std::string name;
  std::string unit;  ///< SI; empty without
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};  ///< where these are given, there are no numbers
};

/// Writes a table as HDF5: a dataset for each column, in their order, with the attribute `unit`; texts as
/// UTF-8 of variable length. Throws OutputFailure where the file cannot be written; none is left then.
void WriteHdf5Columns(const std::filesystem::path& path, const std::vector<Hdf5Column>& columns);

}  // namespace davit
