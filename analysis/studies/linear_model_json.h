#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/linear/linearize.h"
#include "analysis/linear/modes.h"
#include "analysis/linear/pair_analysis.h"
#include "analysis/study/variation.h"

namespace davit {

/// A linear model as files have it.
struct WrittenModel {
  Linearization linearization;    ///< with Pade approximants in place of its delays, if so asked
  std::vector<LinearMode> modes;  ///< of `closed`
  LinearModel closed;             ///< the model itself, or with approximants
  std::vector<PairAnalysis> pairs = {};
};

/// The text of a JSON file: `states`, `inputs`, `outputs` (paths), `A`, `B`, `C`, `D` (rows), `eigenvalues`
/// ([re, im], 1/s) and their `modes`; units, the operating point, and with lines `delays` and their matrices;
/// the static gains, zeros and margins of `pairs`. All in SI.
std::string LinearModelJson(const WrittenModel& model);

/// One of the models of a family: what was varied has this value. Without a model, the message says why.
struct FamilyMember {
  CaseValue value;
  std::optional<WrittenModel> model = {};
  std::string message = {};
};

/// The text of a JSON file: `varied` with `path` and `unit`, and `models`, each with its `value` and what
/// LinearModelJson writes.
std::string LinearFamilyJson(const VariedItem& varied, const std::vector<FamilyMember>& members);

}  // namespace davit
