#pragma once

#include <vector>

#include "analysis/studies/study.h"

namespace davit {

/// All kinds of studies, in the order in which texts name them.
const std::vector<StudyKind>& StudyKinds();

/// A value of an option has an element in files, an attribute, or, as the files of data, either of them.
inline bool IsAttribute(const StudyOption& option) {
  return option.is_in_files && (option.element.empty() || option.kind == StudyOption::Kind::kFile);
}
/// What an attribute of such an element means.
std::string_view TextOfStudyAttribute(std::string_view attribute);

}  // namespace davit
