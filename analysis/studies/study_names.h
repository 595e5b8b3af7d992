#pragma once

namespace davit {

/// What programs that contain no studies say about a kind of them, too.
struct StudyName {
  const char* name;     ///< of the command and of the function of Python: `sweep`
  const char* element;  ///< of study files: `Sweep`
  const char* text;     ///< what it does
};

inline constexpr StudyName kSweepName{"sweep", "Sweep", "Runs a system for many values of its parameters"};
inline constexpr StudyName kOptimizeName{"optimize", "Optimize",
                                         "Searches values of parameters for which a measure is smallest"};
inline constexpr StudyName kFitName{"fit", "Fit",
                                    "Searches values of parameters for which signals follow measured ones"};
inline constexpr StudyName kSensitivityName{"sensitivity", "Sensitivity",
                                            "Tells how measures of a run depend on parameters"};

}  // namespace davit
