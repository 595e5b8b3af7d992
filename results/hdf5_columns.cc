#include "results/hdf5_columns.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "results/hdf5_handle.h"
#include "results/output_failure.h"
#include "results/output_file.h"

namespace davit {
namespace {

bool WriteUnit(hid_t of, const std::string& unit) {
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), std::max<std::size_t>(unit.size(), 1));
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle attribute(H5Acreate2(of, "unit", type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
                             H5Aclose);
  return attribute.is_open() && H5Awrite(attribute.get(), type.get(), unit.c_str()) >= 0;
}

bool WriteHdf5Column(hid_t file, const Hdf5Column& column) {
  const hsize_t size = std::max(column.numbers.size(), column.texts.size());
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle layout(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(layout.get(), false);  // the same table writes the same bytes
  const Hdf5Handle text_type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(text_type.get(), H5T_VARIABLE);
  H5Tset_cset(text_type.get(), H5T_CSET_UTF8);
  const bool has_texts = !column.texts.empty();
  const hid_t type = has_texts ? text_type.get() : H5T_IEEE_F64LE;
  const Hdf5Handle dataset(
      H5Dcreate2(file, column.name.c_str(), type, space.get(), H5P_DEFAULT, layout.get(), H5P_DEFAULT),
      H5Dclose);
  if (!dataset.is_open() || !WriteUnit(dataset.get(), column.unit)) return false;
  if (!has_texts)
    return H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column.numbers.data()) >=
           0;
  std::vector<const char*> texts;
  texts.reserve(column.texts.size());
  for (const std::string& text : column.texts) texts.push_back(text.c_str());
  return H5Dwrite(dataset.get(), text_type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) >= 0;
}

bool WriteHdf5File(const std::filesystem::path& path, const std::vector<Hdf5Column>& columns) {
  const Hdf5Handle options(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_obj_track_times(options.get(), false);
  H5Pset_link_creation_order(options.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, options.get(), H5P_DEFAULT), H5Fclose);
  if (!file.is_open()) return false;
  for (const Hdf5Column& column : columns) {
    if (!WriteHdf5Column(file.get(), column)) return false;
  }
  return file.Close();
}

}  // namespace

void WriteHdf5Columns(const std::filesystem::path& path, const std::vector<Hdf5Column>& columns) {
  OutputFile(path).Close();  // says what is wrong with the path
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  errno = 0;
  if (WriteHdf5File(path, columns)) return;
  const int error = errno;
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  throw OutputFailure(path.string() + ": cannot be written as HDF5; is the disk full?", error);
}

}  // namespace davit
