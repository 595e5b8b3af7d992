#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "simulator/network/step_exchange.h"
#include "simulator/network/tlm_schedule.h"
#include "simulator/parts/part_graph.h"
#include "simulator/parts/part_mail.h"

namespace davit {

class ChartBinding;
class ChartSet;
class Island;
struct Network;

/// One part of a run that several processes share. Every process has loaded and started the whole system;
/// from then on each advances its own atoms (PartGraph), and for all that these read of others it gets the
/// numbers that the process has written which advances them. Nothing else differs from a run in one process,
/// so each number has the same bits.
///
/// A step n of a part, with the step points t(n-1) and t(n):
///
/// 1. BeforeStep: sampled signals of others, as they were at t(n-1), are written where the components have
///    them; a split line of `a` steps ahead takes the wave that left its other end in the step n - a. Only
///    these are waited for.
/// 2. The phases of the step (StepLoop), with the own components, islands and ends of lines alone.
/// 3. AfterStep: what others read of the own parts, and the waves that have left, go into one record for each
///    neighbour.
///
/// Where nothing but lines of at least `a` steps ahead joins two parts, a/2 records go in one message, and
/// the parts may be `a` steps apart; where a signal is sampled the reader waits for each step of the writer.
/// A part that only writes may be kMostAhead steps ahead of its readers. The part that is behind all others
/// never waits, so there is no deadlock: it needs records of steps before its own, and neighbours hold back
/// at most a - 1 of them.
class PartExchange final : public StepExchange {
 public:
  static constexpr std::uint64_t kMostAhead = 64;

  /// After Initialize or LoadState of the run; from here on the network advances the own parts only. `ranks`:
  /// by atom. All must outlive the run.
  PartExchange(Network& network, ChartSet& charts, const PartGraph& graph, std::vector<int> ranks,
               PartMail& mail);
  ~PartExchange() override;
  PartExchange(const PartExchange&) = delete;
  PartExchange& operator=(const PartExchange&) = delete;

  void BeforeStep() override;
  void AfterStep(double t) override;
  void Gather() override;
  /// The run has reached its end: sends what is left.
  void Finish();

  /// The part whose values of the component count: that of its atom, or of the component that it belongs to,
  /// such as a chart; rank 0 for what no part advances.
  int RankOf(const Component& component) const;
  /// Components that take steps here.
  std::size_t components() const { return kept_.size(); }

 private:
  /// Where a number lies that crosses.
  struct Cell {
    double* place = nullptr;
    StateSlot* slot = nullptr;  ///< in place of it
    bool is_derivative = false;

    double& value() const {
      if (slot == nullptr) return *place;
      return (is_derivative ? slot->memory->ddt : slot->memory->y)[slot->offset];
    }
  };
  struct ArrivingWaves {
    SplitLine* line;
    std::uint64_t ahead;
    std::deque<double> waves;
  };
  struct Neighbour {
    int rank = 0;
    std::vector<Cell> out, in;
    std::vector<SplitLine*> leaving;
    std::vector<ArrivingWaves> arriving;
    std::uint64_t out_bundle = 1;  ///< records in a message
    std::uint64_t in_lag = 0;      ///< the record of which step before the coming one is needed
    std::uint64_t records = 0;     ///< read so far
    std::string outgoing;          ///< records not sent yet
    std::string incoming;          ///< the message that is being read
    std::size_t incoming_at = 0;

    std::size_t in_size() const { return (in.size() + arriving.size()) * sizeof(double); }
  };
  /// What a rank has in memory.
  struct Possession {
    std::vector<DynamicSimComponent*> components;  ///< whole ones
    std::vector<std::pair<SplitLine*, SplitLine::End>> ends;
    std::vector<Island*> islands;
    std::vector<ChartBinding*> charts;
    TlmSchedule::Part part;
  };

  void FindNeighbours(const PartGraph& graph);
  Neighbour& NeighbourOf(int rank);
  static void AddCells(const Item& item, std::unordered_set<std::string>& known, std::vector<Cell>& cells);
  Possession PossessionOf(int rank, const PartGraph& graph);
  void KeepOwn(const PartGraph& graph);
  void ReadRecord(Neighbour& neighbour, std::uint64_t step);
  static void ArchivePossession(Archive& archive, Possession& possession, TlmSchedule& tlm);

  Network& network_;
  ChartSet& charts_;
  const std::vector<int> ranks_;  ///< by atom
  PartMail& mail_;
  std::vector<Neighbour> neighbours_;
  std::unordered_map<const Component*, int> rank_of_;
  std::unordered_set<const Component*> kept_;
  std::vector<Possession> possessions_;  ///< of this rank, and in rank 0 of all
  std::vector<SplitLine*> split_;        ///< between any two ranks
  std::uint64_t step_ = 0;               ///< that is taken
  double t_ = 0;
};

}  // namespace davit
