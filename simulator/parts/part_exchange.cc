#include "simulator/parts/part_exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "framework/alarm.h"
#include "framework/tree/component_archive.h"
#include "simulator/charts/chart_set.h"
#include "simulator/islands/island.h"
#include "simulator/network/network.h"

namespace davit {

PartExchange::PartExchange(Network& network, ChartSet& charts, const PartGraph& graph, std::vector<int> ranks,
                           PartMail& mail)
    : network_(network), charts_(charts), ranks_(std::move(ranks)), mail_(mail) {
  for (std::size_t atom = 0; atom < graph.members.size(); ++atom) {
    for (const Component* component : graph.members[atom]) rank_of_.emplace(component, ranks_[atom]);
  }
  for (const PartGraph::Source& source : graph.sources) {
    int first = source.readers.empty() ? 0 : std::numeric_limits<int>::max();
    for (const std::uint32_t atom : source.readers) first = std::min(first, ranks_[atom]);
    rank_of_.emplace(source.component, first);
  }
  FindNeighbours(graph);
  const int known = mail_.rank() == 0 ? mail_.size() : 1;
  for (int i = 0; i < known; ++i) possessions_.push_back(PossessionOf(known == 1 ? mail_.rank() : i, graph));
  KeepOwn(graph);
  network_.exchange = this;
}

PartExchange::~PartExchange() { network_.exchange = nullptr; }

int PartExchange::RankOf(const Component& component) const {
  for (const Component* one = &component; one != nullptr; one = one->parent()) {
    const auto known = rank_of_.find(one);
    if (known != rank_of_.end()) return known->second;
  }
  return 0;
}

PartExchange::Neighbour& PartExchange::NeighbourOf(int rank) {
  const auto known = std::ranges::find(neighbours_, rank, &Neighbour::rank);
  if (known != neighbours_.end()) return *known;
  neighbours_.emplace_back().rank = rank;
  return neighbours_.back();
}

void PartExchange::AddCells(const Item& item, std::unordered_set<std::string>& known,
                            std::vector<Cell>& cells) {
  const bool is_of_port = item.kind() == Item::Kind::kPortField || item.kind() == Item::Kind::kPortEffort;
  if (!known.insert(is_of_port ? item.owner().path() : item.path()).second) return;
  if (is_of_port) {  // all that its connections carry
    for (const PortDeclaration& port : item.owner().declarations().ports) {
      for (std::size_t i = 0; i < port.port->bond_count(); ++i) {
        Bond& bond = port.port->bond(i);
        cells.push_back({&bond.c});
        cells.push_back({&bond.Zc});
        for (const DomainVariable& variable : port.domain->variables) cells.push_back({&variable.of(bond)});
      }
    }
  } else if (item.kind() == Item::Kind::kOutput) {
    cells.push_back({item.output()->value});
  } else {  // of a state both: readers extrapolate
    cells.push_back({nullptr, item.slot(), false});
    cells.push_back({nullptr, item.slot(), true});
  }
}

void PartExchange::FindNeighbours(const PartGraph& graph) {
  const int own = mail_.rank();
  std::unordered_map<int, std::unordered_set<std::string>> known_out, known_in;
  for (const PartGraph::Sample& sample : graph.samples) {
    const int from = ranks_[sample.from], to = ranks_[sample.to];
    if (from == to) continue;
    if (from == own) AddCells(sample.item, known_out[to], NeighbourOf(to).out);
    if (to == own) AddCells(sample.item, known_in[from], NeighbourOf(from).in);
  }
  for (const PartGraph::Line& line : graph.lines) {
    const int a = ranks_[line.atoms[0]], b = ranks_[line.atoms[1]];
    if (a == b) {
      rank_of_.emplace(line.component, a);
      continue;
    }
    split_.push_back(line.line);
    if (a != own && b != own) continue;
    Neighbour& neighbour = NeighbourOf(a == own ? b : a);
    neighbour.leaving.push_back(line.line);
    neighbour.arriving.push_back({line.line, line.line->steps_ahead(), {}});
  }
  for (Neighbour& neighbour : neighbours_) {
    std::uint64_t ahead = kMostAhead;
    for (const ArrivingWaves& one : neighbour.arriving) ahead = std::min(ahead, one.ahead);
    neighbour.out_bundle = neighbour.out.empty() ? std::max<std::uint64_t>(1, ahead / 2) : 1;
    neighbour.in_lag = neighbour.in.empty() ? ahead : 1;
  }
}

PartExchange::Possession PartExchange::PossessionOf(int rank, const PartGraph& graph) {
  Possession own;
  for (std::size_t atom = 0; atom < graph.members.size(); ++atom) {
    if (ranks_[atom] != rank) continue;
    own.components.insert(own.components.end(), graph.members[atom].begin(), graph.members[atom].end());
    for (const std::uint32_t island : graph.islands[atom])
      own.islands.push_back(network_.islands[island].get());
  }
  for (const PartGraph::Source& source : graph.sources) {
    if (RankOf(*source.component) == rank) own.components.push_back(source.component);
  }
  for (const PartGraph::Line& line : graph.lines) {
    const int a = ranks_[line.atoms[0]], b = ranks_[line.atoms[1]];
    if (a == rank && b == rank) {
      own.components.push_back(line.component);
    } else if (a == rank || b == rank) {
      own.ends.emplace_back(line.line, a == rank ? SplitLine::End::kA : SplitLine::End::kB);
    }
  }
  for (ChartBinding* chart : charts_.charts()) {
    if (RankOf(chart->node()) == rank) own.charts.push_back(chart);
  }
  own.part = network_.rates.front()->tlm.PartOf(own.components);
  return own;
}

void PartExchange::KeepOwn(const PartGraph& graph) {
  Possession& own = possessions_[0];  // rank 0 has its own first, too
  kept_.insert(own.components.begin(), own.components.end());
  for (const auto& [line, end] : own.ends) line->KeepEnd(end);
  for (const PartGraph::Line& line : graph.lines) {
    const bool has_end = ranks_[line.atoms[0]] == mail_.rank() || ranks_[line.atoms[1]] == mail_.rank();
    if (has_end) kept_.insert(line.component);
  }
  for (const PartGraph::Source& source : graph.sources) {
    const bool is_read =
        std::ranges::any_of(source.readers, [&](std::uint32_t atom) { return ranks_[atom] == mail_.rank(); });
    if (is_read) kept_.insert(source.component);
  }
  std::vector<DynamicSimComponent*> all;
  Rate& rate = *network_.rates.front();
  const auto is_other = [&](const Component* component) { return !kept_.contains(component); };
  for (DynamicSimComponent* component : rate.components) {
    if (!is_other(component)) all.push_back(component);
  }
  for (const auto& [copy, original] : network_.shadows) {
    if (!is_other(copy)) all.push_back(static_cast<DynamicSimComponent*>(copy));
  }
  rate.executor = nullptr;
  rate.tlm.Keep(kept_, rate.tlm.PartOf(all));
  std::unordered_set<const Island*> islands(own.islands.begin(), own.islands.end());
  std::erase_if(rate.islands, [&](const Island* island) { return !islands.contains(island); });
  for (auto* hooks : {&rate.pre_integrated, &rate.post_integrated, &rate.always_post_integrated})
    std::erase_if(*hooks, is_other);
  std::unordered_set<const Component*> of_islands;
  for (const auto& island : network_.islands)
    of_islands.insert(island->members().begin(), island->members().end());
  rate.modes = ModeWatch();
  for (const DynamicSimComponent* component : rate.components) {
    if (!is_other(component) && !of_islands.contains(component)) rate.modes.Add(*component);
  }
  network_.indicators.Keep([&](const Component* component) { return !is_other(component); });
  rate.executor = std::make_unique<StepExecutor>(rate.tlm, rate.islands, nullptr, ThreadUse::kWhereItPays);
}

void PartExchange::BeforeStep() {
  ++step_;
  mail_.Take();
  mail_.ThrowFailureBefore(t_);
  for (Neighbour& neighbour : neighbours_) {
    while (neighbour.records + neighbour.in_lag < step_) ReadRecord(neighbour, neighbour.records + 1);
    for (ArrivingWaves& one : neighbour.arriving) {
      if (step_ <= one.ahead) continue;
      one.line->TakeWave(one.waves.front());
      one.waves.pop_front();
    }
  }
}

void PartExchange::ReadRecord(Neighbour& neighbour, std::uint64_t step) {
  const std::size_t size = neighbour.in_size();
  if (neighbour.incoming_at == neighbour.incoming.size()) {
    neighbour.incoming = mail_.Receive(neighbour.rank, PartMail::Kind::kSteps, t_);
    neighbour.incoming_at = 0;
    // The first 8 bytes count the records, which may be empty.
    std::uint64_t count = 0;
    if (neighbour.incoming.size() >= sizeof count)
      std::memcpy(&count, neighbour.incoming.data(), sizeof count);
    if (neighbour.incoming.size() != sizeof count + count * size)
      throw std::runtime_error(fmt::format("a message of process {} does not fit", neighbour.rank));
    neighbour.incoming_at = sizeof count;
    if (size == 0) {
      neighbour.records += count;
      return;
    }
  }
  const auto take = [&] {
    double value = 0;
    std::memcpy(&value, neighbour.incoming.data() + neighbour.incoming_at, sizeof value);
    neighbour.incoming_at += sizeof value;
    return value;
  };
  for (const Cell& cell : neighbour.in) cell.value() = take();
  for (ArrivingWaves& one : neighbour.arriving) one.waves.push_back(take());
  neighbour.records = step;
}

namespace {

void Put(double value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void SendRecords(PartMail& mail, int to, std::uint64_t count, std::string& records) {
  std::string bytes(reinterpret_cast<const char*>(&count), sizeof count);
  bytes += records;
  mail.Send(to, PartMail::Kind::kSteps, bytes);
  records.clear();
}

}  // namespace

void PartExchange::AfterStep(double t) {
  t_ = t;
  for (Neighbour& neighbour : neighbours_) {
    for (const Cell& cell : neighbour.out) Put(cell.value(), neighbour.outgoing);
    for (const SplitLine* line : neighbour.leaving) Put(line->leaving_wave(), neighbour.outgoing);
    if (step_ % neighbour.out_bundle == 0)
      SendRecords(mail_, neighbour.rank, neighbour.out_bundle, neighbour.outgoing);
  }
}

void PartExchange::Finish() {
  for (Neighbour& neighbour : neighbours_) {
    const std::uint64_t rest = step_ % neighbour.out_bundle;
    if (rest != 0) SendRecords(mail_, neighbour.rank, rest, neighbour.outgoing);
  }
}

void PartExchange::ArchivePossession(Archive& archive, Possession& possession, TlmSchedule& tlm) {
  std::unordered_set<const void*> bonds;
  for (DynamicSimComponent* component : possession.components) ArchiveRun(archive, *component, bonds);
  for (const auto& [line, end] : possession.ends) {
    line->ArchiveEnd(archive, end);
    JoinAlarms(archive, dynamic_cast<Component&>(*line));  // each end has seen its own
  }
  tlm.ArchivePart(archive, possession.part);
  for (Island* island : possession.islands) archive(*island);
  for (ChartBinding* chart : possession.charts) {
    ArchiveRun(archive, const_cast<Component&>(chart->node()), bonds);  // its outputs: what it shows
    archive(*chart);
  }
}

void PartExchange::Gather() {
  TlmSchedule& tlm = network_.rates.front()->tlm;
  if (mail_.rank() != 0) {
    Archive archive;
    ArchivePossession(archive, possessions_.front(), tlm);
    return mail_.Send(0, PartMail::Kind::kMemory, archive.Take());
  }
  for (SplitLine* line : split_) {
    auto& component = dynamic_cast<Component&>(*line);
    if (kept_.contains(&component)) continue;
    for (Alarm* alarm : component.mutable_declarations().alarms) alarm->Reset();  // no end is here
  }
  for (int rank = 1; rank < mail_.size(); ++rank) {
    Archive archive(mail_.Receive(rank, PartMail::Kind::kMemory, t_));
    ArchivePossession(archive, possessions_[static_cast<std::size_t>(rank)], tlm);
    if (archive.is_good() && archive.is_at_end()) continue;
    throw std::runtime_error(fmt::format("the memory of process {} does not fit: {}", rank, archive.fault()));
  }
  for (SplitLine* line : split_) line->ShowBothEnds();
}

}  // namespace davit
