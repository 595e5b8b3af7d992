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
                                         "Searches parameter values that minimise a measure"};
inline constexpr StudyName kFitName{"fit", "Fit",
                                    "Searches parameter values that fit signals to measurements"};
inline constexpr StudyName kLevelsName{
    "levels", "Levels", "Finds the cheapest levels of detail over time within error tolerances"};
inline constexpr StudyName kFaultsName{
    "faults", "Faults",
    "Simulates faults of the models and reports what detects them, when, and the effect on hazards"};
inline constexpr StudyName kSensitivityName{"sensitivity", "Sensitivity",
                                            "Dependence of measures on parameters"};
inline constexpr StudyName kLinearizeName{
    "linearize", "Linearize",
    "Linear model of a system at an operating point: A, B, C, D, eigenvalues, Bode diagram, root locus"};
inline constexpr StudyName kFrequencyName{
    "frequency", "Frequency",
    "Frequency response of the running nonlinear model: gain, phase, coherence, distortion"};

}  // namespace davit
