#include "analysis/study/study_element_kind.h"

#include <algorithm>
#include <utility>

#include "analysis/study/least_squares.h"
#include "analysis/study/optimization.h"

namespace davit {

const StudyNames& StudyKinds() {
  static const StudyNames kNames{"Sweep", "Optimize", "Fit", "Sensitivity"};
  return kNames;
}

const std::vector<StudyElementKind>& StudyElementKinds() {
  static const std::vector<StudyElementKind> kKinds{
      {"Sweep",
       "davit sweep: a table over values of parameters",
       {"system", "output"},
       {"stop", "steady", "cases", "samples", "sampling", "seed", "keep", "plot", "signals", "interval"},
       {"Vary", "Measure", "Set", "Level", "At"}},
      {"Optimize",
       "davit optimize: values at which a measure is smallest",
       {"system"},
       {"stop", "steady", "output", "plot", "method", "budget", "tolerance", "seed", "start_from"},
       {"Vary", "Measure", "Minimize", "Maximize", "SubjectTo", "Set", "Level", "At"}},
      {"Fit",
       "davit fit: values at which signals follow measured ones",
       {"system"},
       {"data", "stop", "steady", "output", "plot", "offset", "loss", "loss_scale", "rounds"},
       {"Data", "Vary", "Match", "Set", "Level", "At"}},
      {"Sensitivity",
       "davit sensitivity: how measures depend on parameters",
       {"system"},
       {"stop", "steady", "output", "curves", "plot", "method", "step", "sobol", "morris", "seed"},
       {"Of", "To", "Set", "Level", "At"}},
      {"Vary", "What is varied or searched", {"path", "values"}},
      {"Measure", "A column of the table", {"name", "expr"}},
      {"Minimize", "What shall be smallest", {"expr"}},
      {"Maximize", "What shall be largest", {"expr"}},
      {"SubjectTo", "A constraint of the search", {"constraint"}},
      {"Data", "An experiment, and the values in its runs", {"file"}, {}, {"Set"}},
      {"Match", "A signal and the column of the data that it shall follow", {"path", "column"}, {"weight"}},
      {"Of", "A measure", {"expr"}, {"name"}},
      {"To", "A parameter, input or start value", {"path"}, {"values"}},
      {"Set", "A value in all runs", {"path", "value"}},
      {"Level", "Levels in all runs", {"path", "level"}},
      {"At", "A value from a time on", {"time", "path", "value"}},
  };
  return kKinds;
}

StudyAttribute FindStudyAttribute(const std::string& element, const std::string& name) {
  using enum StudyAttribute::Form;
  static const std::vector<StudyAttribute> kAttributes{
      {"system", "System file, looked up beside the study"},
      {"output", "Table, looked up beside the study"},
      {"data", "Measured signals (.csv, .mat or .h5), of one experiment"},
      {"file", "Measured signals (.csv, .mat or .h5)"},
      {"stop", "Time at which each run ends: 8 s"},
      {"steady", "Whether each run begins in steady state", kChoice, {"true", "false"}},
      {"cases", "The cases as CSV: the first line has the paths"},
      {"samples", "Number of random cases", kWhole},
      {"sampling", "How samples fill the space", kChoice, {"lhs", "sobol", "random"}},
      {"seed", "Of random numbers", kWhole},
      {"keep", "Whether the recorded curves of each case are kept", kChoice, {"true", "false"}},
      {"plot", "Picture (.svg or .png)"},
      {"signals", "What keep records (globs)"},
      {"interval", "Time between rows of keep: 10 ms"},
      {"budget", "Most cases", kWhole},
      {"tolerance", "Ends where steps are smaller, as a share of the way between the bounds", kNumber},
      {"start_from", "A table whose best case is the start"},
      {"offset", "LOW:HIGH, by how much the clock of the data may be ahead"},
      {"loss", "How residuals count", kChoice, {kLosses.begin(), kLosses.end()}},
      {"loss_scale", "The weighted residual from which on the loss damps", kNumber},
      {"rounds", "Most steps of the search", kWhole},
      {"curves", "Slopes of the signals over time (.csv)"},
      {"step", "Of differences of runs, as a share of the value", kNumber},
      {"sobol", "Shares of the variance from so many samples", kWhole},
      {"morris", "Screening by so many trajectories of elementary effects", kWhole},
      {"path", "Path of an item, as in davit run --set"},
      {"values", "LOW:STEP:HIGH, a list, a distribution, or the bounds LOW:HIGH of a search"},
      {"name", "Letters, digits and _"},
      {"expr", "Expression of measures: max(load.x)"},
      {"constraint", "EXPR &lt;= VALUE, or &gt;="},
      {"column", "Column of the data"},
      {"weight", "Of the residuals", kNumber},
      {"value", "With or without unit"},
      {"level", "Name of a level"},
      {"time", "With or without unit"},
  };
  if (name == "method") {
    StudyAttribute method{"method", "How it is done", kChoice, {"auto", "variational", "differences"}};
    if (element == "Optimize")
      method.choices.assign(kOptimizationMethods.begin(), kOptimizationMethods.end());
    return method;
  }
  return *std::ranges::find(kAttributes, name, &StudyAttribute::name);
}

}  // namespace davit
