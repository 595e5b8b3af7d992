#include "app/studies/mpi_ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "app/mpi/mpi_module.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

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
        "mpirun has started this program, but its part for MPI, davit_mpi.so in the same folder, is missing; "
        "install "
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

/// Messages of one lane.
class MpiLane {
 public:
  MpiLane(const DavitMpi& module, DavitMpi::Lane lane) : module_(module), lane_(lane) {}

  void Send(int to, std::string_view bytes) {
    if (!module_.send(lane_, to, bytes.data(), bytes.size()))
      throw std::runtime_error(fmt::format("MPI cannot send {} bytes to process {}", bytes.size(), to));
  }
  /// The bytes and their sender.
  std::optional<std::pair<int, std::string>> Poll() {
    bool has_come = false;
    int from = 0;
    std::size_t count = 0;
    if (!module_.look(lane_, false, &has_come, &from, &count)) throw std::runtime_error("MPI has failed");
    if (!has_come) return std::nullopt;
    std::string bytes(count, '\0');
    if (!module_.receive(lane_, from, bytes.data(), count))
      throw std::runtime_error(fmt::format("MPI cannot receive from process {}", from));
    return std::pair(from, std::move(bytes));
  }

 private:
  const DavitMpi& module_;
  const DavitMpi::Lane lane_;
};

/// The processes as parts of one run.
class MpiParts final : public PartChannel {
 public:
  explicit MpiParts(const DavitMpi& module) : module_(module), lane_(module, DavitMpi::kSteps) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void set_place(int rank, int size) {
    rank_ = rank;
    size_ = size;
  }
  void Send(int to, std::string_view bytes) override { lane_.Send(to, bytes); }
  std::optional<Message> Poll() override {
    auto message = lane_.Poll();
    if (!message) return std::nullopt;
    return Message{message->first, std::move(message->second)};
  }
  std::optional<std::vector<int>> Cut(const WeightedGraph& graph) override {
    std::vector<int> part(graph.weights.size());
    const bool is_cut =
        module_.cut(static_cast<int>(part.size()), graph.first.data(), graph.neighbours.data(),
                    graph.weights.data(), graph.edge_weights.data(), size_, part.data());
    return is_cut ? std::optional(std::move(part)) : std::nullopt;
  }

 private:
  const DavitMpi& module_;
  MpiLane lane_;
  int rank_ = 0, size_ = 1;
};

class MpiRanks final : public RankChannel {
 public:
  MpiRanks() : module_(LoadMpiModule()), lane_(module_, DavitMpi::kCases), parts_(module_) {
    if (!module_.start(&rank_, &size_)) throw std::runtime_error("MPI cannot be started");
    parts_.set_place(rank_, size_);
  }
  ~MpiRanks() override { module_.end(); }
  MpiRanks(const MpiRanks&) = delete;
  MpiRanks& operator=(const MpiRanks&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void Send(int to, std::string_view bytes) override { lane_.Send(to, bytes); }
  Message Receive() override {
    // MPI would wait with all of the processor, which rank 0 may need on the same machine.
    constexpr std::chrono::microseconds kPause(200);
    for (;;) {
      if (auto message = Poll()) return *std::move(message);
      std::this_thread::sleep_for(kPause);
    }
  }
  std::optional<Message> Poll() override {
    auto message = lane_.Poll();
    if (!message) return std::nullopt;
    return Message{message->first, std::move(message->second)};
  }
  PartChannel* parts() override { return &parts_; }

 private:
  const DavitMpi& module_;
  MpiLane lane_;
  MpiParts parts_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<RankChannel> JoinMpi() { return std::make_unique<MpiRanks>(); }

}  // namespace davit
