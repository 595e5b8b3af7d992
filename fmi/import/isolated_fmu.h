#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "fmi/import/foreign_fmu.h"

namespace davit {

/// An instance in a process of its own, the program davit_fmu_host: whatever happens there, here it is an
/// FmuFailure. Throws FmuFailure where that program is not found or cannot be started.
std::unique_ptr<ForeignFmu> MakeIsolatedFmu(const FmuDescription& description,
                                            const ForeignFmuSource& source);

/// What davit_fmu_host does: serves one instance over a socket until it is closed. Returns the exit code.
int ServeFmu(int socket);

}  // namespace davit
