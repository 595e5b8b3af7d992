#pragma once

namespace davit {

/// What the process frees at the end of its heaps, and blocks of more than 1 MiB, go back to the system from
/// here on. The C library would raise these limits with each larger block that is freed, up to 64 MiB for
/// each thread.
void LimitKeptMemory();

/// Gives back what is free between things that are still in use, if it is more than 1 MiB.
void ReturnFreedMemory();

}  // namespace davit
