// The side of the other process.

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <thread>

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
      if (!in.is_good()) throw FmuFailure("its process has got what is no request");
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

  static FmuValueList TakeList(Archive& in) {
    FmuValueList list;
    ArchiveList(in, list);
    return list;
  }
  static std::vector<double> TakeNumbers(Archive& in) {
    std::vector<double> numbers;
    in.List(numbers);
    return numbers;
  }
  static std::vector<double> TakeValues(const FmuValueList& list, Archive& in) {
    std::vector<double> numbers = TakeNumbers(in);
    if (numbers.size() != list.size()) throw FmuFailure("its process has got what is no request");
    return numbers;
  }
  static std::vector<double> Room(Archive& in) {
    std::uint64_t count = 0;
    in(count);
    return std::vector<double>(count < 10'000'000 ? count : 0);
  }

  void Serve(Archive& in, Archive& out) {
    FmuRequest request{};
    in(request);
    if (request == FmuRequest::kMake) return Make(in);
    if (fmu_ == nullptr) throw FmuFailure("its process has no instance");
    switch (request) {
      case FmuRequest::kMake: break;
      case FmuRequest::kConfigure: {
        const FmuValueList list = TakeList(in);
        return fmu_->Configure(list, TakeValues(list, in));
      }
      case FmuRequest::kSetValues: {
        const FmuValueList list = TakeList(in);
        return fmu_->SetValues(list, TakeValues(list, in));
      }
      case FmuRequest::kGetValues: {
        const FmuValueList list = TakeList(in);
        std::vector<double> values(list.size());
        fmu_->GetValues(list, values);
        return out.List(values);
      }
      case FmuRequest::kSetText: {
        std::uint32_t reference = 0;
        std::string text;
        in(reference, text);
        return fmu_->SetText(reference, text);
      }
      case FmuRequest::kEnterInitialization: {
        double start = 0, stop = 0, tolerance = 0;
        bool has_stop = false, has_tolerance = false;
        in(start, has_stop, stop, has_tolerance, tolerance);
        return fmu_->EnterInitialization(start, has_stop ? std::optional(stop) : std::nullopt,
                                         has_tolerance ? std::optional(tolerance) : std::nullopt);
      }
      case FmuRequest::kExitInitialization: return fmu_->ExitInitialization();
      case FmuRequest::kSetInputDerivatives: {
        std::vector<std::uint32_t> references;
        in.List(references);
        return fmu_->SetInputDerivatives(references, TakeNumbers(in));
      }
      case FmuRequest::kDoStep: {
        double t = 0, h = 0;
        in(t, h);
        bool is_running = fmu_->DoStep(t, h);
        return out(is_running);
      }
      case FmuRequest::kEnterEventMode: return fmu_->EnterEventMode();
      case FmuRequest::kUpdateDiscreteStates: {
        FmuEvents events = fmu_->UpdateDiscreteStates();
        return out(events.is_terminated, events.has_new_states, events.has_new_nominals, events.next_time);
      }
      case FmuRequest::kEnterContinuousTime: return fmu_->EnterContinuousTime();
      case FmuRequest::kSetPoint: {
        double t = 0;
        in(t);
        bool is_done = fmu_->SetPoint(t, TakeNumbers(in));
        return out(is_done);
      }
      case FmuRequest::kGetDerivatives: {
        std::vector<double> values = Room(in);
        bool is_done = fmu_->GetDerivatives(values);
        out(is_done);
        return out.List(values);
      }
      case FmuRequest::kGetDirectionalDerivatives: {
        std::vector<std::uint32_t> unknowns, knowns;
        in.List(unknowns);
        in.List(knowns);
        const std::vector<double> seed = TakeNumbers(in);
        if (!in.is_good() || seed.size() != knowns.size())
          throw FmuFailure("its process has got what is no request");
        std::vector<double> changes(unknowns.size());
        bool is_done = fmu_->GetDirectionalDerivatives(unknowns, knowns, seed, changes);
        out(is_done);
        return out.List(changes);
      }
      case FmuRequest::kGetStates: {
        std::vector<double> values = Room(in);
        fmu_->GetStates(values);
        return out.List(values);
      }
      case FmuRequest::kGetNominals: {
        std::vector<double> values = TakeNumbers(in);
        fmu_->GetNominals(values);
        return out.List(values);
      }
      case FmuRequest::kGetIndicators: {
        std::vector<double> values = Room(in);
        fmu_->GetIndicators(values);
        return out.List(values);
      }
      case FmuRequest::kCompleteStep: {
        bool is_end = false;
        bool wants_events = fmu_->CompleteStep(&is_end);
        return out(wants_events, is_end);
      }
      case FmuRequest::kSaveState: {
        std::string bytes = fmu_->SaveState();
        return out(bytes);
      }
      case FmuRequest::kLoadState: {
        std::string bytes;
        in(bytes);
        return fmu_->LoadState(bytes);
      }
      case FmuRequest::kTakeLog: {
        std::vector<FmuLogLine> lines = fmu_->TakeLog();
        std::uint64_t count = lines.size();
        out(count);
        for (FmuLogLine& line : lines) out(line.is_error, line.text);
        return;
      }
    }
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
