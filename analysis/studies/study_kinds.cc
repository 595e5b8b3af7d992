#include "analysis/studies/study_kinds.h"

#include <array>
#include <utility>

#include "analysis/studies/faults_study.h"
#include "analysis/studies/fit_study.h"
#include "analysis/studies/frequency_study.h"
#include "analysis/studies/levels_study.h"
#include "analysis/studies/linearization_study.h"
#include "analysis/studies/optimization_study.h"
#include "analysis/studies/sensitivity_study.h"
#include "analysis/studies/sweep_study.h"

namespace davit {

const std::vector<StudyKind>& StudyKinds() {
  static const std::vector<StudyKind> kKinds{
      SweepStudy::Kind(),  OptimizationStudy::Kind(), FitStudy::Kind(),           SensitivityStudy::Kind(),
      LevelsStudy::Kind(), FaultsStudy::Kind(),       LinearizationStudy::Kind(), FrequencyStudy::Kind()};
  return kKinds;
}

std::string_view TextOfStudyAttribute(std::string_view attribute) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kTexts{{
      {"path", "Path of an item, as in davit run --set"},
      {"values", "LOW:STEP:HIGH, a list, a distribution, or the bounds LOW:HIGH of a search"},
      {"name", "Letters, digits and _"},
      {"expr", "Expression of measures: max(load.x)"},
      {"constraint", "EXPR <= VALUE, or >="},
      {"file", "Measured signals (.csv, .mat or .h5)"},
      {"column", "Column of the data"},
      {"weight", "A number above 0"},
      {"value", "With or without unit"},
      {"level", "Name of a level"},
      {"time", "With or without unit"},
  }};
  for (const auto& [name, text] : kTexts) {
    if (name == attribute) return text;
  }
  return {};
}

}  // namespace davit
