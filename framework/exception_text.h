#pragma once

#include <exception>
#include <string>

namespace davit {

/// What went wrong, for users. An exception of davit says it itself; to one of the C++ library (no memory, no
/// further thread, a folder that is gone) the remedy is added.
std::string Explain(const std::exception& fault);

}  // namespace davit
