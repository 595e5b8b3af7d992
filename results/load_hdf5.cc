#include "results/load_hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "results/hdf5_handle.h"
#include "results/option_names.h"

namespace davit {
namespace {

std::string ReadAttribute(hid_t of, const char* name) {
  if (H5Aexists(of, name) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(of, name, H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) > 0) return {};
  std::string text(H5Tget_size(type.get()), '\0');
  if (H5Aread(attribute.get(), type.get(), text.data()) < 0) return {};
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

/// Length of a dataset of one dimension; nothing where it is of another kind.
std::optional<std::size_t> LengthOf(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  hsize_t size = 0;
  if (H5Sget_simple_extent_ndims(space.get()) != 1) return std::nullopt;
  H5Sget_simple_extent_dims(space.get(), &size, nullptr);
  return size;
}

bool Read(hid_t dataset, std::vector<double>& values) {
  return values.empty() ||
         H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
}

herr_t AddName(hid_t /*group*/, const char* name, const H5L_info_t* /*info*/, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

std::optional<ResultTable> LoadHdf5(const std::filesystem::path& path, std::string* fault) {
  const auto fail = [&](std::string text) {
    *fault = std::move(text);
    return std::nullopt;
  };
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // faults are reported here
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.is_open()) return fail("cannot be read as an HDF5 file; run the simulation again");
  std::vector<std::string> names;
  // In the order in which they were made, where the file records it.
  if (H5Literate(file.get(), H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, AddName, &names) < 0) {
    names.clear();
    H5Literate(file.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, AddName, &names);
  }
  if (std::ranges::find(names, "time") == names.end())
    return fail("has no dataset 'time'; a result has one for the time and one for each signal");
  ResultTable table;
  std::optional<std::size_t> times;
  std::ranges::stable_partition(names, [](const std::string& name) { return name == "time"; });
  for (const std::string& name : names) {
    const Hdf5Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
    const std::optional<std::size_t> length = dataset.is_open() ? LengthOf(dataset.get()) : std::nullopt;
    if (!length) return fail(fmt::format("'{}' is not a signal, which is a dataset of one dimension", name));
    // A run that was cut off may have written more of some.
    times = std::min(times.value_or(*length), *length);
    if (*length > kMostResultValues / names.size()) return fail("is too large to be read");
    std::vector<double> values(*length);
    if (!Read(dataset.get(), values)) return fail(fmt::format("'{}' cannot be read as numbers", name));
    if (name == "time") {
      table.time = std::move(values);
      continue;
    }
    table.names.push_back(name);
    table.units.push_back(ReadAttribute(dataset.get(), "unit"));
    table.options.push_back(SplitOptions(ReadAttribute(dataset.get(), "options")));
    table.columns.push_back(std::move(values));
  }
  table.time.resize(*times);
  for (std::vector<double>& column : table.columns) column.resize(*times);
  return table;
}

}  // namespace davit
