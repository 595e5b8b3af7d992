#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "analysis/study/study_table.h"

namespace davit {

/// The rows of a study as they are in its table.
struct StudyTableFacts {
  std::vector<StudyColumn> columns;
  std::vector<StudyColumnValues> values;
};

/// Numbers by name, in an order that means something.
using NamedNumbers = std::vector<std::pair<std::string, double>>;

using StudyFact = std::variant<bool, double, std::uint64_t, std::string, std::vector<double>,
                               std::vector<int>, std::vector<std::uint64_t>, std::vector<std::string>,
                               std::vector<std::vector<double>>, std::vector<std::vector<std::string>>,
                               std::vector<CaseValue>, NamedNumbers, StudyTableFacts>;

/// What a study has found, by name, for front ends that show it as it is: Python has these names.
using StudyFacts = std::vector<std::pair<std::string, StudyFact>>;

/// A member of each of `all`.
template <class One, class Member>
std::vector<Member> MembersOf(const std::vector<One>& all, Member One::*member) {
  std::vector<Member> members;
  members.reserve(all.size());
  for (const One& one : all) members.push_back(one.*member);
  return members;
}

}  // namespace davit
