#include "analysis/linear/linearize.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "analysis/linear/extrapolated_difference.h"
#include "analysis/linear/index_reduction.h"
#include "analysis/linear/network_equations.h"
#include "framework/nearest_name.h"
#include "framework/tree/glob.h"
#include "session/record_plan.h"
#include "simulator/component_fault.h"
#include "simulator/evaluation_failure.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using LinearUnknown = NetworkEquations::Unknown;

constexpr double kFirstShare = 1e-2;  // of an unknown's size: the largest step of the differences
/// Of the scaled algebraic equations: smallest share that a pivot may have of the largest.
constexpr double kRegular = 1e-12;
constexpr std::size_t kMostNotedKinks = 5;

bool IsFreeInput(const Item& item) {
  return item.causality() == Item::Causality::kInput &&
         (item.kind() == Item::Kind::kInput || item.kind() == Item::Kind::kInputElement);
}

bool IsPossibleInput(const Item& item) {
  if (item.kind() == Item::Kind::kInput || item.kind() == Item::Kind::kInputElement) return true;
  return item.kind() == Item::Kind::kParameter && item.is_writable();
}

/// All inputs without a route, in the order of the file.
std::vector<Item> FreeInputs(System& system) {
  std::vector<Item> inputs;
  for (Component* component : system.components()) {
    for (const Item& item : system.ItemsOf(*component)) {
      if (IsFreeInput(item)) inputs.push_back(item);
    }
  }
  return inputs;
}

/// What is separated by blanks in one text.
std::vector<std::string> LinearWords(const std::vector<std::string>& texts) {
  std::vector<std::string> words;
  for (const std::string& text : texts) {
    std::size_t begin = 0;
    while ((begin = text.find_first_not_of(" \t\n,", begin)) != std::string::npos) {
      const std::size_t end = std::min(text.find_first_of(" \t\n,", begin), text.size());
      words.push_back(text.substr(begin, end - begin));
      begin = end;
    }
  }
  return words;
}

void AddOnce(const Item& item, std::vector<Item>& items) {
  const auto is_same = [&](const Item& other) { return other.path() == item.path(); };
  if (std::ranges::none_of(items, is_same)) items.push_back(item);
}

/// The derivatives of all that NetworkEquations has, of one of its arguments.
struct Derivatives {
  MatrixXd of_unknowns, of_slopes, of_inputs;  ///< rows: equations, outputs, flows
};

class Differentiator {
 public:
  explicit Differentiator(NetworkEquations& equations, Linearization& result)
      : equations_(equations),
        result_(result),
        values_(equations.values()),
        slopes_(equations.slopes()),
        inputs_(equations.input_values()) {
    size_ = Stack(equations_.Evaluate(values_, slopes_, inputs_)).size();
  }

  Derivatives Run() {
    Derivatives d;
    const auto n = values_.size();
    d.of_unknowns.resize(size_, n);
    d.of_slopes = MatrixXd::Zero(size_, n);
    d.of_inputs.resize(size_, inputs_.size());
    for (Index j = 0; j < n; ++j) {
      const LinearUnknown& u = equations_.unknowns()[static_cast<std::size_t>(j)];
      const double size = std::max(std::abs(values_[j]), u.scale);
      Column(u.name, values_[j], kFirstShare * size, d.of_unknowns.col(j));
      if (u.kind == LinearUnknown::Kind::kResidual)
        Column(u.name + ".ddt", slopes_[j], std::max(std::abs(slopes_[j]), u.scale), d.of_slopes.col(j));
    }
    for (Index j = 0; j < inputs_.size(); ++j) {
      const auto i = static_cast<std::size_t>(j);
      Column(result_.model.inputs[i].name, inputs_[j], kFirstShare * equations_.InputScale(i),
             d.of_inputs.col(j));
    }
    TellErrors(d);
    return d;
  }

 private:
  static VectorXd Stack(const NetworkEquations::Values& values) {
    VectorXd all(values.equations.size() + values.outputs.size() + values.flows.size());
    all << values.equations, values.outputs, values.flows;
    return all;
  }

  /// `moving` is an element of values_, slopes_ or inputs_.
  void Column(const std::string& name, double& moving, double step, Eigen::Ref<VectorXd> column) {
    const double at = moving;
    const DirectionalDerivative derivative = Differentiate(at, step, [&](double x) {
      moving = x;
      try {
        return Stack(equations_.Evaluate(values_, slopes_, inputs_));
      } catch (const EvaluationFailure&) {
        return VectorXd(VectorXd::Constant(size_, std::numeric_limits<double>::quiet_NaN()));
      }
    });
    moving = at;
    column = derivative.slope;
    errors_.emplace_back(derivative.error, name);
    for (Index i = 0; i < size_; ++i) {
      if (derivative.has_kink[i]) kinks_.emplace_back(i, name);
    }
    if (!column.allFinite()) {
      Index row = 0;
      column.array().isFinite().minCoeff(&row);
      throw std::runtime_error(
          fmt::format("{} has no derivative by {} at the operating point: its equations have no finite "
                      "values near it; take "
                      "another time (--at) or start values",
                      NameOfRow(row), name));
    }
  }

  std::string NameOfRow(Index row) const {
    const auto& unknowns = equations_.unknowns();
    const auto i = static_cast<std::size_t>(row);
    if (i < unknowns.size()) return "the equation of " + unknowns[i].name;
    const std::size_t output = i - unknowns.size();
    return output < equations_.output_count() ? result_.model.outputs[output].name : "a flow into a line";
  }

  void TellErrors(const Derivatives& d) {
    // By row, so that pascals do not hide metres.
    VectorXd largest = d.of_unknowns.cwiseAbs().rowwise().maxCoeff();
    if (d.of_inputs.cols() > 0) largest = largest.cwiseMax(d.of_inputs.cwiseAbs().rowwise().maxCoeff());
    for (const auto& [error, name] : errors_) {
      for (Index i = 0; i < size_; ++i) {
        if (largest[i] > 0) result_.error = std::max(result_.error, error[i] / largest[i]);
      }
    }
    for (std::size_t k = 0; k < std::min(kinks_.size(), kMostNotedKinks); ++k) {
      result_.notes.push_back(
          fmt::format("{} has a kink over {} at the operating point: its slopes to both sides differ, their "
                      "mean is taken",
                      NameOfRow(kinks_[k].first), kinks_[k].second));
    }
    if (kinks_.size() > kMostNotedKinks)
      result_.notes.push_back(fmt::format("{} further kinks", kinks_.size() - kMostNotedKinks));
  }

  NetworkEquations& equations_;
  Linearization& result_;
  VectorXd values_, slopes_, inputs_;
  Index size_ = 0;
  std::vector<std::pair<VectorXd, std::string>> errors_;
  std::vector<std::pair<Index, std::string>> kinks_;
};

/// Makes a LinearModel of derivatives: eliminates what has no memory.
class LinearReduction {
 public:
  LinearReduction(const NetworkEquations& equations, const Derivatives& d, Linearization& result)
      : equations_(equations), d_(d), result_(result), model_(result.model) {
    for (const LinearUnknown& u : equations.unknowns()) ++counts_[u.kind];
    n_ = static_cast<Index>(equations.unknowns().size());
    rates_ = counts_[LinearUnknown::Kind::kRate];
    residuals_ = counts_[LinearUnknown::Kind::kResidual];
    lines_ = counts_[LinearUnknown::Kind::kLineWave];
    scale_.resize(n_);
    for (Index i = 0; i < n_; ++i) scale_[i] = Of(i).scale;
  }

  void Run() {
    const Index p = static_cast<Index>(equations_.output_count());
    const Index m = d_.of_inputs.cols(), s = n_ - rates_, z = residuals_;
    K_ = d_.of_unknowns.topRows(n_);
    B_ = d_.of_inputs.topRows(n_);
    MakeLineRows();
    // Unknowns (x, s), s = (z, w): the states among z are T z.
    const MatrixXd E = -d_.of_slopes.block(rates_, rates_, z, z);
    const DifferentialPart part = FindDifferentialPart(E, scale_.segment(rates_, z));
    const Index r = part.T.rows();
    NameStates(part);

    // H = Q [R; 0]: the rows of Q2' are free of derivatives.
    const MatrixXd H = Balanced(part.H);
    Eigen::ColPivHouseholderQR<MatrixXd> qr;
    MatrixXd Q = MatrixXd::Identity(z, z);
    if (r > 0) {
      qr.compute(H);
      Q = qr.householderQ() * MatrixXd::Identity(z, z);
    }
    const MatrixXd Kz = row_scale_.asDiagonal() * K_.middleRows(rates_, z);
    const MatrixXd Bz = row_scale_.asDiagonal() * B_.middleRows(rates_, z);
    const MatrixXd free = Q.rightCols(z - r).transpose();

    // M s = right [x; zeta; u; v]
    MatrixXd M = MatrixXd::Zero(s, s);
    MatrixXd right = MatrixXd::Zero(s, rates_ + r + m + lines_);
    M.topLeftCorner(r, z) = part.T;
    right.block(0, rates_, r, r).setIdentity();
    M.middleRows(r, z - r) = free * Kz.rightCols(s);
    right.block(r, 0, z - r, rates_) = -free * Kz.leftCols(rates_);
    right.block(r, rates_ + r, z - r, m) = -free * Bz;
    const Index waves = s - z;
    M.bottomRows(waves) = K_.bottomRows(waves).rightCols(s);
    right.bottomLeftCorner(waves, rates_) = -K_.bottomRows(waves).leftCols(rates_);
    right.block(z, rates_ + r, waves, m) = -B_.bottomRows(waves);
    right.bottomRightCorner(lines_, lines_) = -MatrixXd::Identity(lines_, lines_);
    const MatrixXd solved = Solve(M, right);

    // All unknowns by the states, inputs and delayed waves.
    MatrixXd by(n_, rates_ + r + m + lines_);
    by.topRows(rates_) = MatrixXd::Identity(rates_, by.cols());
    by.bottomRows(s) = solved;
    MatrixXd slopes(rates_ + r, by.cols());
    slopes.topRows(rates_) = K_.topRows(rates_) * by;
    slopes.block(0, rates_ + r, rates_, m) += B_.topRows(rates_);
    if (r > 0) {
      MatrixXd of_z = Kz * by;
      of_z.middleCols(rates_ + r, m) += Bz;
      slopes.bottomRows(r) = qr.solve(of_z);
    }
    MatrixXd outputs = d_.of_unknowns.middleRows(n_, p) * by;
    outputs.middleCols(rates_ + r, m) += d_.of_inputs.middleRows(n_, p);
    AddSlopesOf(outputs, by, slopes);

    const Index states = rates_ + r;
    model_.SetZero();
    model_.A = slopes.leftCols(states);
    model_.B = slopes.middleCols(states, m);
    model_.B_delay = slopes.rightCols(lines_);
    model_.C = outputs.leftCols(states);
    model_.D = outputs.middleCols(states, m);
    model_.D_delay = outputs.rightCols(lines_);
    const MatrixXd delayed = line_of_unknowns_ * by;
    model_.C_delay = delayed.leftCols(states);
    model_.D_input = delayed.middleCols(states, m) + line_of_inputs_;
    model_.D_wave = delayed.rightCols(lines_);
  }

 private:
  const LinearUnknown& Of(Index i) const { return equations_.unknowns()[static_cast<std::size_t>(i)]; }

  /// Each equation of an algebraic island in units of its largest element; keeps the factors.
  MatrixXd Balanced(const MatrixXd& H) {
    row_scale_.resize(residuals_);
    for (Index i = 0; i < residuals_; ++i) {
      double largest = (K_.row(rates_ + i).array() * scale_.transpose().array()).abs().maxCoeff();
      largest = std::max(largest, H.cols() == 0 ? 0.0 : H.row(i).cwiseAbs().maxCoeff());
      row_scale_[i] = largest > 0 ? 1 / largest : 1;
    }
    return row_scale_.asDiagonal() * H;
  }

  /// w = v + terms without delay; and what is sent into the delays.
  void MakeLineRows() {
    const Index first = n_ - lines_, m = d_.of_inputs.cols();
    const Index flows = n_ + static_cast<Index>(equations_.output_count());
    line_of_unknowns_ = MatrixXd::Zero(lines_, n_);
    line_of_inputs_ = MatrixXd::Zero(lines_, m);
    model_.delays.assign(static_cast<std::size_t>(lines_), {});
    for (Index i = 0; i < lines_; ++i) {
      K_.row(first + i).setZero();
      B_.row(first + i).setZero();
      K_(first + i, first + i) = -1;
      model_.delays[static_cast<std::size_t>(i)].name = Of(first + i).name;
    }
    for (std::size_t k = 0; k < equations_.line_terms().size(); ++k) {
      const NetworkEquations::LineTerm& term = equations_.line_terms()[k];
      const auto to = static_cast<Index>(term.to);
      const Index flow = flows + static_cast<Index>(k);
      if (term.delay > 0) {
        model_.delays[term.to].time = term.delay;
        if (term.from != NetworkEquations::kNone)
          line_of_unknowns_(to, first + static_cast<Index>(term.from)) += term.of_wave;
        line_of_unknowns_.row(to) += term.of_flow * d_.of_unknowns.row(flow);
        line_of_inputs_.row(to) += term.of_flow * d_.of_inputs.row(flow);
      } else {
        K_.row(first + to) += term.of_flow * d_.of_unknowns.row(flow);
        B_.row(first + to) += term.of_flow * d_.of_inputs.row(flow);
      }
    }
  }

  void NameStates(const DifferentialPart& part) {
    for (Index i = 0; i < rates_; ++i)
      model_.states.push_back({Of(i).name, Of(i).unit, equations_.values()[i]});
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(residuals_));
    for (Index i = 0; i < residuals_; ++i) names.push_back(Of(rates_ + i).name);
    for (Index k = 0; k < part.T.rows(); ++k) {
      model_.states.push_back({NameCombination(part.T.row(k), names),
                               Of(rates_ + part.pivots[static_cast<std::size_t>(k)]).unit,
                               part.T.row(k) * equations_.values().segment(rates_, residuals_)});
    }
  }

  MatrixXd Solve(const MatrixXd& M, const MatrixXd& right) const {
    const Index s = M.rows();
    if (s == 0) return MatrixXd::Zero(0, right.cols());
    const auto sizes = scale_.tail(s);
    MatrixXd scaled = M * sizes.asDiagonal();
    const VectorXd rows = scaled.cwiseAbs().rowwise().maxCoeff().cwiseMax(1e-300).cwiseInverse();
    scaled = rows.asDiagonal() * scaled;
    Eigen::FullPivLU<MatrixXd> lu(scaled);
    lu.setThreshold(kRegular);
    if (!lu.isInvertible()) {
      Index worst = 0;
      lu.kernel().col(0).cwiseAbs().maxCoeff(&worst);
      throw std::runtime_error(
          fmt::format("the algebraic equations do not determine {} at the operating point, so the index is "
                      "above 1 or they "
                      "are singular; give it a separate equation, or a small storage (a capacity, a mass)",
                      Of(rates_ + worst).name));
    }
    return sizes.asDiagonal() * MatrixXd(lu.solve(rows.asDiagonal() * right));
  }

  /// Outputs that read the derivatives of an algebraic island.
  void AddSlopesOf(MatrixXd& outputs, const MatrixXd& by, const MatrixXd& slopes) {
    const Index p = outputs.rows(), states = slopes.rows();
    const MatrixXd of_slopes = d_.of_slopes.block(n_, rates_, p, residuals_);
    if (of_slopes.size() == 0 || of_slopes.isZero(0)) return;
    const MatrixXd z = by.middleRows(rates_, residuals_);
    outputs += of_slopes * z.leftCols(states) * slopes;
    const MatrixXd jump = of_slopes * z.rightCols(z.cols() - states);
    for (Index i = 0; i < p; ++i) {
      const double largest = jump.row(i).size() == 0 ? 0 : jump.row(i).cwiseAbs().maxCoeff();
      if (largest <= 1e-9 * std::max(1.0, outputs.row(i).cwiseAbs().maxCoeff())) continue;
      result_.notes.push_back(fmt::format(
          "{} reads the derivative of an unknown that jumps with the inputs; that part is ignored",
          model_.outputs[static_cast<std::size_t>(i)].name));
    }
  }

  const NetworkEquations& equations_;
  const Derivatives& d_;
  Linearization& result_;
  LinearModel& model_;
  std::map<LinearUnknown::Kind, Index> counts_;
  Index n_ = 0, rates_ = 0, residuals_ = 0, lines_ = 0;
  VectorXd scale_, row_scale_;
  MatrixXd K_, B_;
  MatrixXd line_of_unknowns_, line_of_inputs_;
};

void TellRest(const NetworkEquations& equations, const VectorXd& values, Linearization& result) {
  for (std::size_t i = 0; i < equations.unknowns().size(); ++i) {
    const LinearUnknown& u = equations.unknowns()[i];
    const auto k = static_cast<Index>(i);
    double rate = 0;
    if (u.kind == LinearUnknown::Kind::kRate) rate = values[k];
    if (u.kind == LinearUnknown::Kind::kResidual) rate = equations.slopes()[k];
    rate = std::abs(rate) / std::max(u.scale, std::abs(equations.values()[k]));
    if (!(rate > result.largest_rate)) continue;
    result.largest_rate = rate;
    result.fastest = u.name;
  }
}

}  // namespace

LinearEnds FindLinearEnds(System& system, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, Diagnostics& diagnostics) {
  LinearEnds ends;
  const std::vector<Item> free = FreeInputs(system);
  if (inputs.empty()) ends.inputs = free;
  for (const std::string& word : LinearWords(inputs)) {
    if (IsGlob(word)) {
      bool is_found = false;
      for (const Item& item : free) {
        if (!MatchesGlob(item.path(), word)) continue;
        is_found = true;
        AddOnce(item, ends.inputs);
      }
      if (is_found) continue;
      std::vector<std::string> known;
      known.reserve(free.size());
      for (const Item& item : free) known.push_back(item.path());
      diagnostics.Error({}, "--inputs",
                        fmt::format("no input without a route matches {}; {}", Quoted(word),
                                    SuggestName("the system has", word, known)));
      continue;
    }
    Fault fault;
    const std::optional<Item> item = system.FindVariable(system.root(), word, &fault);
    if (!item) {
      diagnostics.Error({}, "--inputs", fault);
    } else if (!IsPossibleInput(*item)) {
      diagnostics.Error({}, "--inputs",
                        Quoted(word) +
                            " cannot be an input of a linear model; name an input of a component, or a "
                            "parameter that may be written during a run");
    } else {
      AddOnce(*item, ends.inputs);
    }
  }
  for (const Item& item : MakeRecordPlan(system, outputs, {}, diagnostics).columns) {
    if (item.value_kind() == ValueKind::kNumber) AddOnce(item, ends.outputs);
  }
  return ends;
}

Linearization Linearize(System& system, const LinearEnds& ends) {
  Linearization result;
  SimulatorManager& manager = SimulatorManager::Of(system);
  result.time = manager.time();
  for (const Item& item : ends.inputs) {
    const std::string unit = item.unit();
    result.model.inputs.push_back({item.path(), unit == kAnyUnit ? "" : unit, item.Read()});
  }
  for (const Item& item : ends.outputs) {
    const std::string unit = item.unit();
    result.model.outputs.push_back({item.path(), unit == kAnyUnit ? "" : unit, item.Read()});
  }
  try {
    NetworkEquations equations(system, ends.inputs, ends.outputs);
    if (equations.unknowns().size() > kMostLinearUnknowns) {
      throw std::runtime_error(fmt::format("the system has {} unknowns; at most {} can be linearised",
                                           equations.unknowns().size(), kMostLinearUnknowns));
    }
    for (const std::string& path : equations.unsettled()) {
      result.notes.push_back(path +
                             ": a component with fixed steps that does not define its waves (SettleWaves, "
                             "LineWaves); its values are taken as constant");
    }
    TellRest(equations,
             equations.Evaluate(equations.values(), equations.slopes(), equations.input_values()).equations,
             result);
    const Derivatives derivatives = Differentiator(equations, result).Run();
    LinearReduction(equations, derivatives, result).Run();
  } catch (const EvaluationFailure& failure) {
    throw std::runtime_error(fmt::format("{}: {}", failure.owner().DisplayPath(), failure.what()));
  }
  return result;
}

}  // namespace davit
