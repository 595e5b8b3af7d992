#pragma once

#include <string>

namespace davit {

/// The XML schema (XSD 1.0) of study files, which have no namespace: elements, attributes, choices, each with
/// its meaning. It accepts every right file; paths, units and expressions are left to `davit study`.
std::string MakeStudySchema();

}  // namespace davit
