#include "app/mpi_ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>

#include "app/mpi/mpi_module.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

int NumberOfVariable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? 0 : std::atoi(text);
}

const DavitMpi& LoadMpiModule() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  fs::path file;
  for (const char* place : {"../lib/davit", "../lib/x86_64-linux-gnu/davit", "."}) {
    const fs::path here = folder / place / "davit_mpi.so";
    if (fs::exists(here, ignored)) file = here;
  }
  if (file.empty()) {
    throw std::runtime_error(
        "mpirun has started this program, but its part for MPI is missing, davit_mpi.so beside it; install "
        "libopenmpi-dev and build davit again, or share the cases with --shard i/n");
  }
  // OpenMPI loads plug-ins that take its symbols from the process.
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    throw std::runtime_error(
        fmt::format("{} cannot be loaded: {}; install OpenMPI, or share the cases with --shard i/n",
                    file.string(), dlerror()));
  const auto entry = reinterpret_cast<const DavitMpi* (*)()>(dlsym(library, kDavitMpiEntry));
  if (entry == nullptr || entry()->version != DavitMpi::kVersion)
    throw std::runtime_error(file.string() + " is of another version of davit; build both together");
  return *entry();
}

class MpiRanks final : public RankChannel {
 public:
  MpiRanks() : module_(LoadMpiModule()) {
    if (!module_.start(&rank_, &size_)) throw std::runtime_error("MPI cannot be started");
  }
  ~MpiRanks() override { module_.end(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void Send(int to, std::string_view bytes) override {
    if (!module_.send(to, bytes.data(), bytes.size()))
      throw std::runtime_error(fmt::format("MPI cannot send {} bytes to process {}", bytes.size(), to));
  }
  Message Receive() override {
    // MPI would wait with all of the processor, which rank 0 may need on the same machine.
    constexpr std::chrono::microseconds kPause(200);
    for (;;) {
      if (auto message = Poll()) return *std::move(message);
      std::this_thread::sleep_for(kPause);
    }
  }
  std::optional<Message> Poll() override {
    bool has_come = false;
    Message message;
    std::size_t count = 0;
    if (!module_.look(false, &has_come, &message.from, &count)) throw std::runtime_error("MPI has failed");
    if (!has_come) return std::nullopt;
    message.bytes.resize(count);
    if (!module_.receive(message.from, message.bytes.data(), count))
      throw std::runtime_error(fmt::format("MPI cannot receive from process {}", message.from));
    return message;
  }

 private:
  const DavitMpi& module_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

bool IsStartedByMpi() {
  return NumberOfVariable("OMPI_COMM_WORLD_SIZE") > 1 || NumberOfVariable("PMI_SIZE") > 1;
}

std::unique_ptr<RankChannel> JoinMpi() { return std::make_unique<MpiRanks>(); }

bool IsForAllRanks(int argc, const char* const* argv) {
  static constexpr std::array<std::string_view, 5> kCommands{"sweep", "optimize", "fit", "sensitivity",
                                                             "study"};
  return argc > 1 && std::ranges::find(kCommands, std::string_view(argv[1])) != kCommands.end();
}

}  // namespace davit
