#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "fmi/import/foreign_fmu.h"

namespace davit {

/// How long an FMU in another process has to end its run when nobody needs it any more.
inline constexpr std::chrono::seconds kPatienceWithFmu{2};

/// An instance in a separate process, the program davit_fmu_host: whatever happens there, here it is an
/// FmuFailure. The process has a session of its own, so Ctrl-C does not reach it; it reads no input, and what
/// the FMU prints goes to the standard error output. Throws FmuFailure if that program is not found or cannot
/// be started.
std::unique_ptr<ForeignFmu> MakeIsolatedFmu(const FmuDescription& description,
                                            const ForeignFmuSource& source);

/// What davit_fmu_host does: serves one instance over a socket until the other side closes it or dies. Ends
/// the process kPatienceWithFmu after that, even if the FMU does not return. Returns the exit code.
int ServeFmu(int socket);

}  // namespace davit
