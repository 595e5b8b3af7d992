#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/studies/study.h"
#include "framework/xml/file_source.h"

namespace davit {

/// Where the files of studies come from; by default from the disk.
struct StudyFileRules {
  const FileSource* files = nullptr;  ///< of the study file itself
  /// Why a file that an option names may be neither read nor written; what would be right. Empty where it
  /// may.
  std::function<std::string(const std::filesystem::path& file)> fault_of = {};
};

/// Reads a file with studies:
///
///     <Study>
///       <Sweep system="lift.xml" output="lifts.csv" stop="8 s">
///         <Vary path="load.mass" values="5 t:1 t:15 t"/>
///         <Measure name="top" expr="max(load.x)"/>
///       </Sweep>
///     </Study>
///
/// Each has the options of its kind (StudyKinds) as attributes and elements. A fit of several experiments has
/// an element `<Data file=>` for each, with a `<Set path= value=/>` inside for what differs between them.
/// Files are looked up beside the study.
///
/// All that is wrong with elements and attributes goes to `diagnostics` with its line, in one pass; what they
/// name is checked by Study::Check. `is_resumed`: studies with a table continue it.
std::vector<std::unique_ptr<Study>> LoadStudies(const std::filesystem::path& file, bool is_resumed,
                                                Diagnostics& diagnostics, const StudyFileRules& rules = {});

}  // namespace davit
