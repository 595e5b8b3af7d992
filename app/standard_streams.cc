#include "app/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ostream>

#include "app/exit_code.h"

namespace davit {
namespace {

bool HasReaderLeft() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void OpenStandardStreams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest free number is the one that is closed.
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) (void)open("/dev/null", O_RDWR);
  }
}

void IgnoreSignalsOfWriting() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

int FinishStandardOutput(int code, std::ostream& out, std::ostream& err) {
  if (out.flush()) return code;
  if (!HasReaderLeft()) err << "error: the standard output cannot be written; is the disk full?\n";
  return code == kDone ? kRunFailed : code;
}

}  // namespace davit
