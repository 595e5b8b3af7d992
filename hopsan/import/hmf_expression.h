#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "framework/fault.h"

namespace davit::hopsan {

/// The number of a name, or nothing; `fault` may say why.
using NameLookup = std::function<std::optional<double>(std::string_view name, Fault* fault)>;

/// The value of an expression of Hopsan: numbers, names with dots, ( ), functions of one or two arguments,
/// ^ < > first, then * / &, then + - |; true is 1. Nothing where it has none: `fault` says why.
std::optional<double> EvaluateHmfExpression(std::string_view text, const NameLookup& names, Fault* fault);

}  // namespace davit::hopsan
