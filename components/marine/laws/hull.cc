#include "components/marine/laws/hull.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "components/marine/item_numbers.h"
#include "components/marine/laws/response_table.h"
#include "framework/nearest_name.h"

namespace davit {
namespace {

/// Units of a row by its kind of motion and that of the column.
struct MatrixUnits {
  std::string_view linear_by_linear, linear_by_turn, turn_by_linear, turn_by_turn;

  std::string_view Of(std::size_t row, std::size_t column) const {
    if (row < 3) return column < 3 ? linear_by_linear : linear_by_turn;
    return column < 3 ? turn_by_linear : turn_by_turn;
  }
};
constexpr MatrixUnits kMassUnits{"kg", "kg.m", "kg.m", "kg.m2"};
constexpr MatrixUnits kDampingUnits{"N.s/m", "N.s/rad", "N.s", "N.m.s/rad"};
constexpr MatrixUnits kStiffnessUnits{"N/m", "N/rad", "N", "N.m/rad"};

/// Shares of a matrix that count as rounding.
constexpr double kRounding = 1e-9;

struct HullMatrix {
  std::string_view element;
  const MatrixUnits& units;
  Hull::Matrix& matrix;
  bool is_symmetric;
  std::array<std::array<bool, 6>, 6> is_given{};
  SourceLocation first = {};  ///< of its first row
};

class HullReader {
 public:
  HullReader(const Component& component, const UnitSystem& units, Diagnostics& diagnostics)
      : component_(component), units_(units), diagnostics_(diagnostics) {}

  Hull Read(const std::vector<ItemElement>& items) {
    for (const ItemElement& item : items) {
      if (item.kind == "Radiation") {
        ReadRadiation(item);
        continue;
      }
      for (HullMatrix& matrix : matrices_) {
        if (matrix.element == item.kind) ReadRow(item, matrix);
      }
    }
    if (!is_good_ || items.empty()) return {};
    for (HullMatrix& matrix : matrices_) Complete(matrix);
    CheckFree();
    if (is_good_) CheckMatrices();
    return is_good_ ? std::move(hull_) : Hull{};
  }

 private:
  void Error(const SourceLocation& at, std::string_view text) {
    diagnostics_.Error(at, component_.DisplayPath(), text);
    is_good_ = false;
  }

  std::optional<std::size_t> ReadDegree(const ItemElement& item, std::string_view name) {
    const ItemElement::Attribute* const attribute = item.Find(name);
    if (attribute == nullptr) {
      Error(item.location,
            fmt::format("{} needs the attribute '{}'; write {}=\"heave\"", item.kind, name, name));
      return std::nullopt;
    }
    const auto at = std::ranges::find(kVesselDegrees, attribute->value);
    if (at != kVesselDegrees.end()) return static_cast<std::size_t>(at - kVesselDegrees.begin());
    const std::vector<std::string> names(kVesselDegrees.begin(), kVesselDegrees.end());
    Error(attribute->location, fmt::format("{}: no degree of freedom {}; {}", name, Quoted(attribute->value),
                                           SuggestName("there is", attribute->value, names)));
    return std::nullopt;
  }

  void ReadRow(const ItemElement& item, HullMatrix& matrix) {
    const std::optional<std::size_t> row = ReadDegree(item, "degree");
    if (!row) return;
    if (matrix.first.line == 0) matrix.first = item.location;
    ItemElement rest = item;
    std::erase_if(rest.attributes, [](const auto& attribute) { return attribute.name == "degree"; });
    std::vector<ItemNumber> numbers;
    numbers.reserve(kVesselDegrees.size());
    std::array<double, 6> values{};
    for (std::size_t column = 0; column < values.size(); ++column)
      numbers.push_back({kVesselDegrees[column], matrix.units.Of(*row, column), &values[column]});
    is_good_ = ReadItemNumbers(rest, numbers, component_, units_, diagnostics_) && is_good_;
    for (std::size_t column = 0; column < values.size(); ++column) {
      if (rest.Find(kVesselDegrees[column]) == nullptr) continue;
      if (matrix.is_given[*row][column])
        Error(item.location, fmt::format("{}: {} and {} have a value already; keep one of them", item.kind,
                                         kVesselDegrees[*row], kVesselDegrees[column]));
      matrix.is_given[*row][column] = true;
      matrix.matrix(static_cast<Eigen::Index>(*row), static_cast<Eigen::Index>(column)) = values[column];
    }
  }

  /// What is given on one side of the diagonal counts for both.
  void Complete(HullMatrix& matrix) {
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
        double &below = matrix.matrix(row, column), &above = matrix.matrix(column, row);
        if (!matrix.is_given[j][i]) above = below;
        if (!matrix.is_given[i][j]) below = above;
        const double size = std::max(std::abs(above), std::abs(below));
        if (!matrix.is_symmetric || std::abs(above - below) <= kRounding * size) continue;
        Error(matrix.first,
              fmt::format("{} is not symmetric: {} by {} is {:.6g}, {} by {} is {:.6g}; give one of them, or "
                          "both alike",
                          matrix.element, kVesselDegrees[j], kVesselDegrees[i], above, kVesselDegrees[i],
                          kVesselDegrees[j], below));
      }
    }
  }

  void CheckFree() {
    const HullMatrix& mass = matrices_[0];
    for (std::size_t i = 0; i < 6; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double own = mass.matrix(row, row);
      hull_.is_free[i] = own > 0;
      if (mass.is_given[i][i] && !(own > 0))
        Error(mass.first, fmt::format("the mass of {} is {:.6g}, which must be > 0", kVesselDegrees[i], own));
    }
    if (!is_good_) return;
    if (std::ranges::none_of(hull_.is_free, [](bool is_free) { return is_free; })) {
      return Error(component_.location(),
                   "no degree of freedom has a mass; write for example <Mass degree=\"heave\" heave=\"4000 "
                   "t\"/> inside");
    }
    const auto require = [&](const SourceLocation& at, std::string_view element, std::size_t degree) {
      if (!hull_.is_free[degree])
        Error(at,
              fmt::format("{} has values of {}, which has no mass and only follows the waves; add <Mass "
                          "degree=\"{}\" {}=\"...\"/>",
                          element, kVesselDegrees[degree], kVesselDegrees[degree], kVesselDegrees[degree]));
    };
    for (const HullMatrix& matrix : matrices_) {
      for (std::size_t i = 0; i < 6; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        if ((matrix.matrix.row(row).array() != 0).any() || (matrix.matrix.col(row).array() != 0).any())
          require(matrix.first, matrix.element, i);
      }
    }
    for (std::size_t k = 0; k < hull_.radiation.size(); ++k) {
      require(radiation_at_[k], "Radiation", hull_.radiation[k].force);
      if (hull_.radiation[k].motion != hull_.radiation[k].force)
        require(radiation_at_[k], "Radiation", hull_.radiation[k].motion);
    }
  }

  /// The smallest and the largest eigenvalue of the symmetric part, by the scale of the masses.
  std::pair<double, double> Extremes(const Hull::Matrix& matrix) const {
    Hull::Vector scale = Hull::Vector::Zero();
    for (Eigen::Index i = 0; i < 6; ++i) {
      if (hull_.is_free[static_cast<std::size_t>(i)]) scale[i] = 1 / std::sqrt(hull_.mass(i, i));
    }
    const Hull::Matrix scaled =
        scale.asDiagonal() * Hull::Matrix((matrix + matrix.transpose()) / 2) * scale.asDiagonal();
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < 6; ++i) {
      if (scale[i] > 0) free.push_back(i);
    }
    const Eigen::VectorXd values =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(scaled(free, free))).eigenvalues();
    return {values.minCoeff(), values.cwiseAbs().maxCoeff()};
  }

  void CheckMatrices() {
    const auto check = [&](const HullMatrix& matrix, double least, std::string_view meaning) {
      for (std::size_t i = 0; i < 6; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        const double own = matrix.matrix(row, row);
        if (own < 0)
          return Error(matrix.first, fmt::format("{} of {} is {:.6g}; {}", matrix.element, kVesselDegrees[i],
                                                 own, meaning));
      }
      const auto [smallest, largest] = Extremes(matrix.matrix);
      if (smallest >= least * largest) return;
      Error(matrix.first, fmt::format("{} is not positive {}; {}", matrix.element,
                                      least > 0 ? "definite" : "semidefinite", meaning));
    };
    check(matrices_[0], kRounding, "no body has such a mass: check the coupling of its degrees of freedom");
    check(matrices_[1], -kRounding, "added mass is not negative: check signs and axes");
    check(matrices_[2], -kRounding, "such damping drives the vessel: check signs and axes");
    check(matrices_[3], -kRounding, "such a vessel capsizes: check signs, axes and the loading condition");
  }

  /// Numbers between spaces; nothing where there is a fault.
  std::optional<std::vector<double>> ReadNumbers(const ItemElement& item, std::string_view name) {
    const ItemElement::Attribute* const attribute = item.Find(name);
    if (attribute == nullptr) {
      Error(item.location, fmt::format("Radiation needs the attribute '{}'; write {}=\"1 2\"", name, name));
      return std::nullopt;
    }
    std::vector<double> numbers;
    const char* rest = attribute->value.c_str();
    while (*(rest += std::strspn(rest, " \t\r\n")) != 0) {
      char* end = nullptr;
      const double number = std::strtod(rest, &end);
      if (end == rest || !std::isfinite(number)) {
        Error(attribute->location,
              fmt::format("{}: {} is not a list of numbers; write them in SI with spaces between", name,
                          Quoted(attribute->value)));
        return std::nullopt;
      }
      numbers.push_back(number);
      rest = end;
    }
    return numbers;
  }

  void ReadRadiation(const ItemElement& item) {
    constexpr std::array<std::string_view, 5> kNames{"force", "motion", "a", "b", "c"};
    for (const ItemElement::Attribute& attribute : item.attributes) {
      if (std::ranges::find(kNames, attribute.name) != kNames.end()) continue;
      const std::vector<std::string> names(kNames.begin(), kNames.end());
      Error(attribute.location, fmt::format("no attribute {} in Radiation; {}", Quoted(attribute.name),
                                            SuggestName("it has", attribute.name, names)));
    }
    const std::optional<std::size_t> force = ReadDegree(item, "force"), motion = ReadDegree(item, "motion");
    const auto a = ReadNumbers(item, "a"), b = ReadNumbers(item, "b"), c = ReadNumbers(item, "c");
    if (!force || !motion || !a || !b || !c) return;
    const std::size_t n = b->size();
    if (n == 0 || a->size() != n * n || c->size() != n) {
      return Error(item.location,
                   fmt::format("Radiation has {} numbers in b, {} in c and {} in a; n states need n in b and "
                               "c, and n*n in a, row by row",
                               n, c->size(), a->size()));
    }
    Hull::Radiation radiation{*force, *motion, {}, {}, {}};
    const auto size = static_cast<Eigen::Index>(n);
    radiation.A = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        a->data(), size, size);
    radiation.B = Eigen::Map<const Eigen::VectorXd>(b->data(), size);
    radiation.C = Eigen::Map<const Eigen::VectorXd>(c->data(), size);
    const double fastest =
        Eigen::EigenSolver<Eigen::MatrixXd>(radiation.A, false).eigenvalues().real().maxCoeff();
    if (!(fastest < 0))
      return Error(item.location,
                   fmt::format("Radiation grows by itself: a has an eigenvalue with the real part {:.3g} "
                               "1/s; all must be < 0, so take another fit",
                               fastest));
    hull_.radiation.push_back(std::move(radiation));
    radiation_at_.push_back(item.location);
  }

  const Component& component_;
  const UnitSystem& units_;
  Diagnostics& diagnostics_;
  bool is_good_ = true;
  Hull hull_;
  std::array<HullMatrix, 4> matrices_{{{"Mass", kMassUnits, hull_.mass, true},
                                       {"AddedMass", kMassUnits, hull_.added_mass, true},
                                       {"Damping", kDampingUnits, hull_.damping, false},
                                       {"Stiffness", kStiffnessUnits, hull_.stiffness, true}}};
  std::vector<SourceLocation> radiation_at_;
};

}  // namespace

std::vector<std::string> HullElements() { return {"Mass", "AddedMass", "Damping", "Stiffness", "Radiation"}; }

Hull ReadHull(const std::vector<ItemElement>& items, const Component& component, const UnitSystem& units,
              Diagnostics& diagnostics) {
  return HullReader(component, units, diagnostics).Read(items);
}

}  // namespace davit
