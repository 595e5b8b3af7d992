#pragma once

#include <string>
#include <vector>

namespace davit {

using StudyNames = std::vector<std::string>;

/// What an element of a study file may have.
struct StudyElementKind {
  std::string name;
  std::string text;  ///< what it means
  StudyNames required;
  StudyNames optional = {};
  StudyNames children = {};
};

const std::vector<StudyElementKind>& StudyElementKinds();
/// The names of those that are studies.
const StudyNames& StudyKinds();

/// What an attribute of any of these elements means, and what it may be.
struct StudyAttribute {
  enum class Form { kText, kWhole, kNumber, kChoice };
  std::string name;
  std::string text;
  Form form = Form::kText;
  StudyNames choices = {};  ///< of kChoice
};

/// The attribute `name` of the element `element`: two elements may have other ones of one name.
StudyAttribute FindStudyAttribute(const std::string& element, const std::string& name);

}  // namespace davit
