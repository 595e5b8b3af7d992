// The side of the other process.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <thread>

#include "fmi/import/fmu_call.h"
#include "fmi/import/fmu_channel.h"
#include "fmi/import/isolated_fmu.h"

namespace davit {
namespace {

class FmuServer {
 public:
  /// The answer to a request.
  std::string Answer(std::string request) {
    Archive in(std::move(request));
    Archive out;
    try {
      std::string none;
      out(none);
      Serve(in, out);
      return out.Take();
    } catch (const std::exception& fault) {
      Archive failure;
      std::string text = fault.what();
      if (text.empty()) text = "it has failed";
      failure(text);
      return failure.Take();
    }
  }

 private:
  /// The first request.
  void Make(Archive& in) {
    std::string folder, name;
    ForeignFmuSource source;
    in(folder, source.kind, name, source.is_logging);
    source.folder = folder;
    source.name = name;
    Diagnostics diagnostics;
    const FmuDescription description =
        ReadFmuDescription(source.folder / "modelDescription.xml", diagnostics);
    if (const std::string fault = FindLibraryFault(description, source.kind, source.folder); !fault.empty())
      throw FmuFailure(fault);
    fmu_ = MakeForeignFmu(description, source);
  }

  void Serve(Archive& in, Archive& out) {
    if (fmu_ == nullptr) return Make(in);
    std::uint8_t number = 0;
    in(number);
    if (!in.is_good() || number >= FmuCalls::kServe.size())
      throw FmuFailure("its process received an invalid request");
    FmuCalls::kServe[number](*fmu_, in, out);
  }

  std::unique_ptr<ForeignFmu> fmu_;
};

/// Ends this process when the other side is gone, also in a call of the FMU that does not return. Not by
/// PR_SET_PDEATHSIG: that signal comes when the thread ends that has started this process.
void WatchOtherSide(int socket) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // signals are for the threads of the FMU
  std::thread([socket] {
    pollfd state{socket, POLLRDHUP, 0};
    while (poll(&state, 1, -1) < 0 && errno == EINTR) {
    }
    std::this_thread::sleep_for(kPatienceWithFmu);
    _exit(1);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

int ServeFmu(int socket) {
  fcntl(socket, F_SETFD, FD_CLOEXEC);  // not for programs that the FMU starts
  WatchOtherSide(socket);
  FmuChannel channel(socket);
  FmuServer server;
  while (std::optional<std::string> request = channel.Receive()) {
    if (!channel.Send(server.Answer(std::move(*request)))) break;
  }
  return 0;
}

}  // namespace davit
