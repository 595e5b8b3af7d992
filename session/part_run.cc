#include "session/part_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "session/first_fault.h"
#include "simulator/network/network.h"
#include "simulator/parts/deal_atoms.h"

namespace davit {
namespace {

using Kind = PartMail::Kind;

double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A number that differs where two processes have read different systems.
std::string FingerprintOf(const System& system) {
  std::uint64_t print = 0xCBF29CE484222325U;
  const auto mix = [&](std::string_view text) {
    for (const char c : text) print = (print ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    print = (print ^ 0xFFU) * 0x100000001B3U;
  };
  for (const Component* component : system.components()) {
    mix(component->path());
    mix(component->model().name);
    for (const ParameterDeclaration& parameter : component->declarations().parameters)
      mix({reinterpret_cast<const char*>(parameter.value), sizeof *parameter.value});
  }
  for (const Connection& connection : system.connections()) {
    mix(connection.c.path);
    mix(connection.q.path);
  }
  for (const Route& route : system.routes()) mix(route.from.path() + " " + route.to_path);
  return fmt::format("{:016x}", print);
}

constexpr std::string_view kFault = "fault";

}  // namespace

PartRun::~PartRun() {
  if (exchange_ != nullptr || (has_agreed_ && !is_off_)) return;
  try {
    if (is_first()) {
      mail_.SendToAll(Kind::kDeal, {});
    } else {
      mail_.Send(0, Kind::kReady, kFault);
    }
  } catch (const std::exception&) {  // nobody is left to hear it
  }
}

std::vector<std::string> PartRun::Agree(const Simulation& simulation) {
  const std::string own = FingerprintOf(simulation.system());
  std::vector<std::string> faults;
  if (!is_first()) {
    mail_.Send(0, Kind::kReady, own);
    has_agreed_ = true;
    return faults;
  }
  for (int rank = 1; rank < size(); ++rank) {
    const std::string other = mail_.Receive(rank, Kind::kReady, 0);
    if (other == kFault) {
      faults.push_back(
          fmt::format("process {} cannot load the system; all need its files and plug-ins", rank));
    } else if (other != own) {
      faults.push_back(
          fmt::format("process {} has read another system; its files differ from those of process 0", rank));
    }
  }
  has_agreed_ = faults.empty();
  return faults;
}

void PartRun::set_sinks(std::vector<std::filesystem::path> files, RowTaker on_row) {
  files_ = std::move(files);
  on_row_ = std::move(on_row);
}

std::vector<std::string> PartRun::Begin(Simulation& simulation, const std::vector<ResultColumn>& columns) {
  simulation_ = &simulation;
  Network& network = simulation.manager().network();
  const PartGraph graph = MakePartGraph(simulation.system(), network);
  if (!graph.faults.empty()) {
    is_off_ = true;
    return graph.faults;
  }
  atoms_ = graph.weights.size();
  std::vector<int> ranks;
  if (is_first()) {
    MakeWriters(columns);
    ranks = DealAtoms(graph, mail_.channel());
    mail_.SendToAll(Kind::kDeal, "d" + std::string(reinterpret_cast<const char*>(ranks.data()),
                                                   ranks.size() * sizeof(int)));
  } else {
    const std::string dealt = mail_.Receive(0, Kind::kDeal, simulation.time());
    ranks.resize(atoms_);
    is_off_ = dealt.size() != 1 + atoms_ * sizeof(int);
    if (is_off_) return {"process 0 has given up"};
    std::memcpy(ranks.data(), dealt.data() + 1, dealt.size() - 1);
  }
  exchange_ =
      std::make_unique<PartExchange>(network, simulation.manager().charts(), graph, std::move(ranks), mail_);
  shares_.resize(static_cast<std::size_t>(size()));
  const std::vector<Item>& items = simulation.system().record_plan().columns;
  for (std::uint32_t i = 0; i < columns.size(); ++i)
    shares_[static_cast<std::size_t>(exchange_->RankOf(items[i].owner()))].columns.push_back(i);
  at_begin_ = simulation.statistics();
  work_at_begin_ = ProcessorSeconds() - mail_.idle_seconds();
  if (is_first()) MergeRows();
  return {};
}

void PartRun::MakeWriters(const std::vector<ResultColumn>& columns) {
  try {
    for (const std::filesystem::path& file : files_) writers_.push_back(MakeResultWriter(file, columns));
  } catch (...) {
    is_off_ = true;
    mail_.SendToAll(Kind::kDeal, {});
    throw;
  }
}

void PartRun::TakeRow(double t, std::span<const double> values) {
  if (is_first()) {
    rows_.push_back({t, {values.begin(), values.end()}});
    if (exchange_ == nullptr) return;  // of the start: all is known, MergeRows follows
    MergeRows();
    while (rows_.size() > kMostRowsAhead) {
      for (int rank = 1; rank < size(); ++rank) {
        const Share& share = shares_[static_cast<std::size_t>(rank)];
        if (share.values.size() < share.columns.size()) mail_.WaitFor(rank, Kind::kRows, t);
      }
      MergeRows();
    }
    return;
  }
  if (exchange_ == nullptr) return;
  const Share& own = shares_[static_cast<std::size_t>(mail_.rank())];
  if (own.columns.empty()) return;
  for (const std::uint32_t i : own.columns)
    outgoing_.append(reinterpret_cast<const char*>(&values[i]), sizeof(double));
  if (++outgoing_rows_ == kRowsInMessage) SendRows();
}

void PartRun::SendRows() {
  if (outgoing_rows_ == 0) return;
  mail_.Send(0, Kind::kRows, outgoing_);
  rows_sent_ += std::exchange(outgoing_rows_, 0);
  outgoing_.clear();
  for (std::uint64_t times = 0; rows_sent_ > rows_taken_ + kMostRowsAhead && !mail_.HasEnded(0); ++times) {
    if (!mail_.Take()) PartMail::Pause(times);
    for (auto& taken = mail_.Queue(0, Kind::kTaken); !taken.empty(); taken.pop_front())
      rows_taken_ += kRowsInMessage;
  }
}

void PartRun::TakeShares() {
  mail_.Take();
  for (int rank = 1; rank < size(); ++rank) {
    std::deque<double>& values = shares_[static_cast<std::size_t>(rank)].values;
    for (auto& queue = mail_.Queue(rank, Kind::kRows); !queue.empty(); queue.pop_front()) {
      const std::string& bytes = queue.front();
      for (std::size_t at = 0; at + sizeof(double) <= bytes.size(); at += sizeof(double)) {
        double value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        values.push_back(value);
      }
    }
  }
}

void PartRun::MergeRows() {
  TakeShares();
  // Rows of the start have no share of others: there each part knows all.
  for (; !rows_.empty(); rows_.pop_front()) {
    Row& row = rows_.front();
    if (row.t > simulation_->begin_time() || rows_taken_ > 0) {
      const bool is_complete = std::ranges::all_of(shares_, [&](const Share& share) {
        return &share == &shares_.front() || share.values.size() >= share.columns.size();
      });
      if (!is_complete) break;
      for (std::size_t rank = 1; rank < shares_.size(); ++rank) {
        Share& share = shares_[rank];
        for (const std::uint32_t i : share.columns) {
          row.values[i] = share.values.front();
          share.values.pop_front();
        }
      }
      if (++rows_taken_ % kRowsInMessage == 0) mail_.SendToAll(Kind::kTaken, {});
    }
    WriteRow(row);
  }
  if (const auto now = CoarseClock::now(); now >= next_flush_) {
    next_flush_ = now + RecordingList::kFlushInterval;
    for (const auto& writer : writers_) writer->Flush();
  }
}

void PartRun::WriteRow(const Row& row) {
  for (const auto& writer : writers_) writer->WriteRow(row.t, row.values);
  if (on_row_) on_row_(row.t, row.values);
}

bool PartRun::TakeLine(const RunLog::Entry& entry) {
  if (is_first() || exchange_ == nullptr) return is_first();
  if (entry.path.size() < 2) return false;
  const System& system = simulation_->system();
  std::string path(entry.path.substr(1));
  std::ranges::replace(path, '/', '.');
  const Component* component = system.Find(path);
  if (component == nullptr || exchange_->RankOf(*component) != mail_.rank()) return false;
  mail_.Send(0, Kind::kLog, static_cast<char>(entry.severity) + std::string(entry.line));
  return false;
}

void PartRun::ShowLines(const std::function<void(RunLog::Severity, std::string_view)>& show) {
  for (int rank = 1; rank < size(); ++rank) {
    for (auto& queue = mail_.Queue(rank, Kind::kLog); !queue.empty(); queue.pop_front())
      show(static_cast<RunLog::Severity>(queue.front().front()), std::string_view(queue.front()).substr(1));
  }
}

std::string PartRun::LastWords() {
  const RunStatistics now = simulation_->statistics();
  const std::vector<double>& waited = mail_.waited_for();
  const auto most = std::ranges::max_element(waited);
  const auto difference = [](std::uint64_t end, std::uint64_t begin) {
    return static_cast<double>(end - begin);
  };
  const std::array<double, 11> words{
      static_cast<double>(exchange_->components()),
      std::max(0.0, ProcessorSeconds() - mail_.idle_seconds() - work_at_begin_),
      std::accumulate(waited.begin(), waited.end(), 0.0),
      *most > 0 ? static_cast<double>(most - waited.begin()) : -1.0,
      static_cast<double>(mail_.messages()),
      static_cast<double>(mail_.bytes()),
      difference(now.solver_steps, at_begin_.solver_steps),
      difference(now.rejected_steps, at_begin_.rejected_steps),
      difference(now.evaluations, at_begin_.evaluations),
      difference(now.implicit_steps, at_begin_.implicit_steps),
      difference(now.method_switches, at_begin_.method_switches)};
  return {reinterpret_cast<const char*>(words.data()), sizeof words};
}

void PartRun::End() {
  if (!has_agreed_ || is_off_) return;
  if (exchange_ != nullptr) {
    exchange_->Finish();
    if (!is_first()) SendRows();
  }
  const std::string own = exchange_ == nullptr ? std::string() : LastWords();
  mail_.SendEnd(own);
  for (std::uint64_t times = 0; !mail_.HaveAllEnded(); ++times) {
    if (mail_.Take()) {
      if (is_first() && exchange_ != nullptr) MergeRows();
    } else {
      PartMail::Pause(times);
    }
  }
  if (!is_first() || exchange_ == nullptr) return;
  MergeRows();
  FirstFault faults;
  for (const auto& writer : writers_) faults.Try([&writer] { writer->Close(); });
  for (int rank = 0; rank < size(); ++rank) {
    const std::string& said = rank == 0 ? own : mail_.last_words(rank);
    std::array<double, 11> words{};
    if (said.size() != sizeof words) continue;
    std::memcpy(words.data(), said.data(), sizeof words);
    parts_.push_back({rank, static_cast<std::uint64_t>(words[0]), words[1], words[2],
                      static_cast<int>(words[3]), static_cast<std::uint64_t>(words[4]),
                      static_cast<std::uint64_t>(words[5])});
    if (rank == 0) continue;
    added_.solver_steps += static_cast<std::uint64_t>(words[6]);
    added_.rejected_steps += static_cast<std::uint64_t>(words[7]);
    added_.evaluations += static_cast<std::uint64_t>(words[8]);
    added_.implicit_steps += static_cast<std::uint64_t>(words[9]);
    added_.method_switches += static_cast<std::uint64_t>(words[10]);
  }
  faults.Rethrow();
}

void PartRun::AddTo(RunStatistics& statistics) const {
  statistics.solver_steps += added_.solver_steps;
  statistics.rejected_steps += added_.rejected_steps;
  statistics.evaluations += added_.evaluations;
  statistics.implicit_steps += added_.implicit_steps;
  statistics.method_switches += added_.method_switches;
}

}  // namespace davit
