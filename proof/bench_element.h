#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/xml/element_kind.h"

namespace davit {

/// The elements of a bench file. The reader, `davit schema --bench` and the reference have them from here.
std::span<const ElementKind> BenchElementKinds();
/// Null if `place` has none of this name.
const ElementKind* FindBenchElement(ElementKind::Place place, std::string_view name);

/// The XML schema (XSD 1.0) of bench files.
std::string MakeBenchSchema();

}  // namespace davit
