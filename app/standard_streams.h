#pragma once

#include <iosfwd>

namespace davit {

/// What `main` does about the streams of the process, before and after all else.

/// Opens /dev/null in place of a standard input, output or error that is closed: the first file that the
/// program opens would have its number, and get what is printed.
void OpenStandardStreams();

/// A reader that has left a pipe (SIGPIPE) and a file at its limit of size (SIGXFSZ) are errors of the write
/// that finds them, so that the other files are completed.
void IgnoreSignalsOfWriting();

/// Flushes `out`, the standard output. Where something that was printed is lost, says so on `err`, unless the
/// reader of a pipe has left, and makes `code` kRunFailed if it is kDone. Returns the code.
int FinishStandardOutput(int code, std::ostream& out, std::ostream& err);

}  // namespace davit
