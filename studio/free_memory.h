#pragma once

namespace davit {

/// Gives memory back to the system that the process has freed, if it is much: the C library keeps it
/// otherwise, for as long as the thread lives that had asked for it.
void ReturnFreeMemory();

}  // namespace davit
