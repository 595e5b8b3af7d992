#include "analysis/linear/linear_model_mat.h"

#include <matio.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

namespace davit {
namespace {

struct CloseMat {
  void operator()(mat_t* file) const { Mat_Close(file); }
};
struct FreeMat {
  void operator()(matvar_t* variable) const { Mat_VarFree(variable); }
};

class LinearMatFile {
 public:
  explicit LinearMatFile(const std::filesystem::path& path)
      : path_(path.string()), file_(Mat_CreateVer(path_.c_str(), nullptr, MAT_FT_MAT5)) {
    if (file_ == nullptr) Fail("cannot be created; is there such a folder, and may it be written?");
  }
  void Write(const char* name, const Eigen::MatrixXd& matrix) {
    std::array<std::size_t, 2> sizes{static_cast<std::size_t>(matrix.rows()),
                                     static_cast<std::size_t>(matrix.cols())};
    Write(Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes.data(), const_cast<double*>(matrix.data()),
                        0));
  }
  void Write(const char* name, const std::vector<std::complex<double>>& column) {
    std::vector<double> real, imaginary;
    for (const auto& value : column) {
      real.push_back(value.real());
      imaginary.push_back(value.imag());
    }
    std::array<std::size_t, 2> sizes{column.size(), 1};
    mat_complex_split_t split{real.data(), imaginary.data()};
    Write(Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes.data(), &split, MAT_F_COMPLEX));
  }
  /// A character matrix, one row a text.
  void Write(const char* name, const std::vector<std::string>& texts) {
    std::size_t width = 0;
    for (const std::string& text : texts) width = std::max(width, text.size());
    std::string by_column(texts.size() * width, ' ');
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t j = 0; j < texts[i].size(); ++j) by_column[j * texts.size() + i] = texts[i][j];
    }
    std::array<std::size_t, 2> sizes{texts.size(), width};
    Write(Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, sizes.data(), by_column.data(), 0));
  }

 private:
  [[noreturn]] void Fail(const std::string& fault) const { throw std::runtime_error(path_ + ": " + fault); }
  void Write(matvar_t* variable) {
    const std::unique_ptr<matvar_t, FreeMat> owned(variable);
    if (variable == nullptr || Mat_VarWrite(file_.get(), variable, MAT_COMPRESSION_NONE) != 0)
      Fail("cannot be written; is there room?");
  }

  std::string path_;
  std::unique_ptr<mat_t, CloseMat> file_;
};

template <class List>
std::vector<std::string> NamesIn(const List& list) {
  std::vector<std::string> names;
  names.reserve(list.size());
  for (const auto& one : list) names.push_back(one.name);
  return names;
}

}  // namespace

void SaveLinearModelMat(const Linearization& linearization, const std::vector<LinearMode>& modes,
                        const std::filesystem::path& path) {
  const LinearModel& model = linearization.model;
  LinearMatFile file(path);
  file.Write("A", model.A);
  file.Write("B", model.B);
  file.Write("C", model.C);
  file.Write("D", model.D);
  file.Write("states", NamesIn(model.states));
  file.Write("inputs", NamesIn(model.inputs));
  file.Write("outputs", NamesIn(model.outputs));
  file.Write("eigenvalues", EigenvaluesOf(modes));
  if (model.delays.empty()) return;
  Eigen::MatrixXd times(static_cast<Eigen::Index>(model.delays.size()), 1);
  for (Eigen::Index i = 0; i < times.rows(); ++i)
    times(i, 0) = model.delays[static_cast<std::size_t>(i)].time;
  file.Write("delays", NamesIn(model.delays));
  file.Write("delay_times", times);
  file.Write("B_delay", model.B_delay);
  file.Write("D_delay", model.D_delay);
  file.Write("C_delay", model.C_delay);
  file.Write("D_input", model.D_input);
  file.Write("D_wave", model.D_wave);
}

}  // namespace davit
