#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/linear/linearize.h"
#include "analysis/linear/modes.h"
#include "analysis/linear/pair_analysis.h"
#include "analysis/studies/linear_model_json.h"
#include "analysis/studies/study.h"
#include "analysis/study/variation.h"

namespace davit {

struct LinearizationOptions : StudyOptions {
  // `vary` has the parameter of a root locus, at most one.
  std::vector<std::string> inputs = {}, outputs = {};  ///< paths and globs, see FindLinearEnds
  std::optional<VariationText> at = {};                ///< time of the operating point; nothing: the start
  std::vector<std::filesystem::path> files = {};       ///< .json, .mat, .csv
  std::optional<std::filesystem::path> response = {};  ///< table (.csv)
  std::uint64_t pade = 0;                              ///< order; 0: delays are kept
  std::optional<VariationText> from = {}, to = {};     ///< frequencies of the response and its pictures
  std::optional<std::filesystem::path> bode = {}, nyquist = {}, step = {}, poles = {};
  bool skips_zeros = false, skips_margins = false;  ///< of each pair of input and output
};

/// The system as it is linearised, with one of the values of a root locus or as it is.
struct LinearizedCase {
  CaseValue value;                               ///< of the parameter that is varied
  std::string shown;                             ///< the same with its unit; empty: nothing is varied
  std::optional<Linearization> linearization{};  ///< none: the message says why
  LinearModel closed = {};                       ///< without delays
  std::vector<LinearMode> modes = {};            ///< of `closed`
  std::vector<LinearPair> pairs = {};            ///< all whose input has a way to the output
  std::vector<PairAnalysis> analyses = {};       ///< none where they are too many
  std::string message = {};
};

/// The states that move in a mode, by participation, those with most of it: `load.x 50 %, load.v 50 %`.
std::string StatesOfMode(const LinearMode& mode, const LinearModel& model);

struct LinearizationResult {
  std::optional<VariedItem> varied;
  std::vector<LinearizedCase> cases;                                   ///< one, where nothing is varied
  std::vector<std::pair<std::filesystem::path, std::string>> written;  ///< files, and what they have
  bool is_complete = true;
};

/// The linear model of a system at an operating point: eigenvalues with frequency and damping, zeros and
/// margins of pairs of input and output, Bode and Nyquist diagrams, step responses, poles in the plane; with
/// a parameter that is varied the root locus.
class LinearizationStudy final : public Study {
 public:
  /// Pairs of input and output that are analysed or drawn.
  static constexpr std::size_t kMostPairs = 12;
  /// Order of the approximants where delays are kept but eigenvalues are asked for.
  static constexpr int kPadeOfModes = 4;

  explicit LinearizationStudy(LinearizationOptions given = {}) : Study(options), options(std::move(given)) {}
  static const StudyKind& Kind();
  const StudyKind& kind() const override { return Kind(); }
  StudyFacts Facts() const override;
  void WriteNoFiles() override;
  const LinearizationResult& result() const { return result_; }

  LinearizationOptions options;

 protected:
  void CheckOptions() override;
  void Execute(const StudyCalls& calls) override;
  bool is_divided() const override { return false; }
  bool needs_start() const override { return options.at.has_value(); }

 private:
  void CheckFiles();
  void CheckLocus();
  /// The system at its operating point, linearised; throws where that fails.
  AnalysedModel LinearizeCase(Simulation& simulation, LinearizedCase& one, const StudyCalls& calls);
  void AnalysePairs(const AnalysedModel& analysed, LinearizedCase& one, const StudyCalls& calls);
  void RunLocus(const StudyCalls& calls);
  void WriteOne(const AnalysedModel& analysed);
  void WriteLocus();
  void WriteModes(const std::filesystem::path& file);
  WrittenModel Written(const LinearizedCase& one) const;
  void Note(const std::filesystem::path& file, std::string what) {
    result_.written.emplace_back(file, std::move(what));
  }

  std::optional<double> at_, from_, to_;
  std::vector<CaseValue> values_;  ///< of the locus
  LinearizationResult result_;
};

}  // namespace davit
