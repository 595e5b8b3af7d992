#pragma once

#include <string>

#include "analysis/studies/study_facts.h"

namespace davit {

/// Facts as a JSON object with the same names; numbers in SI, what is not a number as null.
std::string SummaryText(const StudyFacts& facts);

}  // namespace davit
