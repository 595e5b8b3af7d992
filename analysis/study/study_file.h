#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework/diagnostics.h"

namespace davit {

/// An element of a study file, with texts as they are written.
struct StudyElement {
  std::string name;
  SourceLocation place;
  std::map<std::string, std::string, std::less<>> attributes;
  std::vector<StudyElement> children = {};

  /// Empty where it is not given.
  std::string Get(std::string_view attribute) const;
  bool Has(std::string_view attribute) const { return attributes.contains(attribute); }
};

/// Reads a file with studies, what the commands davit sweep, optimize, fit and sensitivity ask for:
///
///     <Study>
///       <Sweep system="lift.xml" output="lifts.csv" stop="8 s">
///         <Vary path="load.mass" values="5 t:1 t:15 t"/>
///         <Measure name="top" expr="max(load.x)"/>
///       </Sweep>
///       <Optimize system= output= method= budget= tolerance= seed= start_from=>
///         <Vary path= values="1:100 log"/> <Minimize expr=/> <Maximize expr=/> <SubjectTo constraint=/>
///       </Optimize>
///       <Fit system= data= output= plot= offset= loss= loss_scale=>
///         <Data file=> <Set path= value=/> </Data>
///         <Vary path= values=/> <Match path= column= weight=/>
///       </Fit>
///       <Sensitivity system= output= curves= plot= method= step= sobol= morris= seed=>
///         <Of expr= name=/> <To path= values="uniform(1, 2)"/>
///       </Sensitivity>
///     </Study>
///
/// Each may have <Set path= value=/>, <Level path= level=/> and <At time= path= value=/>. Elements and
/// attributes that are unknown or missing go to `diagnostics` with their lines, all in one pass; what is in
/// them is checked by whoever runs the study.
std::vector<StudyElement> LoadStudyFile(const std::filesystem::path& file, Diagnostics& diagnostics);

}  // namespace davit
