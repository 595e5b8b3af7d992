#pragma once

#include <string>

#include "framework/registry.h"

namespace davit {

/// The XML schema (XSD 1.0) of system files with all models of `registry`: elements and where they are
/// allowed, attributes with the form of their values, options, and as documentation text, unit, range,
/// default and equations. It accepts every right file that gives the namespace `urn:davit:system:1`. What it
/// cannot check is left to `davit check`: paths, units, ranges, and the value of a `${parameter}`.
std::string MakeSchema(const Registry& registry);

}  // namespace davit
