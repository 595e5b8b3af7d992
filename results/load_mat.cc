#include "results/load_mat.h"

#include <fmt/format.h>
#include <matio.h>

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "results/option_names.h"

namespace davit {
namespace {

struct CloseMat {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeMatrix {
  void operator()(matvar_t* matrix) const { Mat_VarFree(matrix); }
};
using File = std::unique_ptr<mat_t, CloseMat>;
using Matrix = std::unique_ptr<matvar_t, FreeMatrix>;

std::size_t Rows(const matvar_t& m) { return m.dims[0]; }
std::size_t Columns(const matvar_t& m) { return m.dims[1]; }

/// A number of a matrix of any numeric class that the layout has.
double At(const matvar_t& m, std::size_t row, std::size_t column) {
  const std::size_t i = column * Rows(m) + row;
  switch (m.data_type) {
    case MAT_T_DOUBLE: return static_cast<const double*>(m.data)[i];
    case MAT_T_SINGLE: return static_cast<const float*>(m.data)[i];
    case MAT_T_INT32: return static_cast<const std::int32_t*>(m.data)[i];
    case MAT_T_INT16: return static_cast<const std::int16_t*>(m.data)[i];
    default: return std::nan("");
  }
}

char CharAt(const matvar_t& m, std::size_t row, std::size_t column) {
  return static_cast<const char*>(m.data)[column * Rows(m) + row];
}

/// The texts of a matrix of characters; one in each column, or in each row.
std::vector<std::string> Texts(const matvar_t& m, bool is_by_column) {
  const std::size_t count = is_by_column ? Columns(m) : Rows(m);
  const std::size_t length = is_by_column ? Rows(m) : Columns(m);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text;
    for (std::size_t k = 0; k < length; ++k) text += is_by_column ? CharAt(m, k, i) : CharAt(m, i, k);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
    texts.push_back(std::move(text));
  }
  return texts;
}

/// The last thing between two brackets.
std::string LastBetween(char open, char close, const std::string& description) {
  const std::size_t begin = description.rfind(open);
  if (begin == std::string::npos || !description.ends_with(close)) return {};
  return description.substr(begin + 1, description.size() - begin - 2);
}

/// `Pressure [Pa]`.
std::string UnitOf(const std::string& description) { return LastBetween('[', ']', description); }

/// `Level of detail {Ideal|Standard|Advanced}`.
std::vector<std::string> OptionsOf(const std::string& description) {
  return SplitOptions(LastBetween('{', '}', description));
}

}  // namespace

std::optional<ResultTable> LoadMat(const std::filesystem::path& path, std::string* fault) {
  const auto fail = [&](std::string text) {
    *fault = std::move(text);
    return std::nullopt;
  };
  const File file(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (file == nullptr) return fail("cannot be read as a MAT file; run the simulation again");
  const auto read = [&](const char* name) { return Matrix(Mat_VarRead(file.get(), name)); };
  const Matrix kind = read("Aclass"), names = read("name"), description = read("description");
  const Matrix info = read("dataInfo"), constants = read("data_1"), data = read("data_2");
  for (const Matrix* m : {&kind, &names, &info, &data}) {
    const bool is_good = *m != nullptr && (*m)->rank == 2 && ((*m)->data != nullptr || (*m)->nbytes == 0);
    if (!is_good) return fail("has not the layout of Dymola: Aclass, name, dataInfo, data_1, data_2");
  }
  const bool is_transposed = Rows(*kind) >= 4 && CharAt(*kind, 3, 3) == 'T';  // binTrans
  const std::vector<std::string> all = Texts(*names, is_transposed);
  const std::vector<std::string> about = description == nullptr || description->data == nullptr
                                             ? std::vector<std::string>()
                                             : Texts(*description, is_transposed);
  const auto place = [&](std::size_t signal, std::size_t which) {
    return is_transposed ? At(*info, which, signal) : At(*info, signal, which);
  };
  const std::size_t times = is_transposed ? Columns(*data) : Rows(*data);
  const std::size_t signals = is_transposed ? Rows(*data) : Columns(*data);
  const bool fits = (is_transposed ? Columns(*info) : Rows(*info)) == all.size() &&
                    (is_transposed ? Rows(*info) : Columns(*info)) >= 2;
  if (all.empty() || !fits) return fail("has tables that do not fit together");
  if (all.size() > kMostResultValues / std::max<std::size_t>(times, 1))
    return fail("is too large to be read");
  const auto value = [&](std::size_t signal, std::size_t t) {
    return is_transposed ? At(*data, signal, t) : At(*data, t, signal);
  };
  ResultTable table;
  for (std::size_t t = 0; t < times; ++t) table.time.push_back(value(0, t));
  std::set<std::string> seen;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double matrix = place(i, 0);
    const double signed_at = place(i, 1);
    const auto at = static_cast<std::size_t>(std::abs(signed_at)) - 1;
    const double sign = signed_at < 0 ? -1 : 1;
    const bool is_constant = matrix == 1;
    const std::size_t most = !is_constant           ? signals
                             : constants == nullptr ? 0
                             : is_transposed        ? Rows(*constants)
                                                    : Columns(*constants);
    if ((matrix != 1 && matrix != 2) || signed_at == 0 || at >= most)
      return fail(fmt::format("has no place for the signal '{}'", all[i]));
    if (!seen.insert(all[i]).second) return fail(fmt::format("has the signal '{}' twice", all[i]));
    table.names.push_back(all[i]);
    table.units.push_back(i < about.size() ? UnitOf(about[i]) : std::string());
    table.options.push_back(i < about.size() ? OptionsOf(about[i]) : std::vector<std::string>());
    std::vector<double>& column = table.columns.emplace_back();
    column.reserve(times);
    for (std::size_t t = 0; t < times; ++t) {
      column.push_back(sign * (!is_constant    ? value(at, t)
                               : is_transposed ? At(*constants, at, 0)
                                               : At(*constants, 0, at)));
    }
  }
  return table;
}

}  // namespace davit
