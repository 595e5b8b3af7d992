#pragma once

#include "framework/declaration.h"

namespace davit {

/// Adds to `all` what one of its items reads, in place of what was declared for the item before. Throws
/// std::logic_error where the reader or something read is not among `all`, or an offset makes no sense.
void DeclareReach(Declarations& all, ReachDeclaration reach);

}  // namespace davit
