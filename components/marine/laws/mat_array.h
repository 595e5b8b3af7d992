#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace davit {

/// An array in a MAT-file of level 5 (MathWorks, MAT-File Format). A view of its bytes, which must outlive
/// it; only what is asked for is read.
class MatArray {
 public:
  /// From what an element of type miMATRIX contains; nothing if these bytes are no array.
  static std::optional<MatArray> Read(std::string_view bytes);

  /// Of each dimension; at least two.
  const std::vector<std::size_t>& size() const { return size_; }
  /// The variable, in a file; empty inside of cells and structures.
  std::string_view name() const { return name_; }
  /// Of a structure of size 1.
  std::optional<MatArray> Field(std::string_view name) const;
  std::optional<MatArray> Cell(std::size_t i) const;
  /// Real numbers of any type, the first dimension running fastest; nothing for other arrays.
  std::optional<std::vector<double>> Numbers() const;

 private:
  std::size_t count() const;

  unsigned type_ = 0;
  bool is_complex_ = false;
  std::vector<std::size_t> size_;
  std::string_view name_;
  std::string_view content_;  ///< what follows the name
};

/// The variables of a MAT-file as MATLAB and GNU Octave save it with -v6 or -v7.
class MatFile {
 public:
  /// `bytes` must outlive this.
  explicit MatFile(std::string_view bytes);

  /// Why it cannot be read; empty if it can.
  const std::string& fault() const { return fault_; }
  const std::vector<MatArray>& variables() const { return variables_; }

 private:
  std::deque<std::string> inflated_;  ///< what variables of compressed elements are views of
  std::vector<MatArray> variables_;
  std::string fault_;
};

}  // namespace davit
