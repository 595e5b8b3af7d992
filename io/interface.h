#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/alarm.h"
#include "framework/component.h"
#include "framework/parameter.h"
#include "framework/signal.h"
#include "io/mapping.h"
#include "io/value_board.h"

namespace davit {

/// A protocol at work, in a thread of its own, until the object ends.
class Service {
 public:
  virtual ~Service() = default;
  /// Begins; what comes before has to wait. Called once, when the board has values.
  virtual void Start() = 0;
  /// The board has new values. Called by the thread that drives; must not wait.
  virtual void Published() {}
};

/// What an interface declares that hears its partner: how silence is noticed, and how a run waits.
///
/// In lock step the two alternate. At each exchange the run publishes its items, among them `step`, the
/// number of the exchange. It waits until the partner has written the same number to `answer`; what the
/// partner wrote before that acts at this communication point.
struct Supervision {
  explicit Supervision(Component* owner);

  bool is_lock_step() const { return lock_step > 0; }

  Parameter timeout;
  Parameter lock_step;
  Parameter answer;
  Output step;
  Output refusals;
  Alarm silent;
  Alarm refused;
};

/// An element of a system file that connects items to a partner outside: a controller, a panel, a simulator.
/// What a run exchanges is in InterfaceRun; until one is made for it, the element does nothing.
///
/// A class for each protocol derives from it. Its file pair has the element, its mappings and its Service.
class Interface : public Component {
 public:
  using StandsInSystems = void;

  bool AcceptsChild(std::string_view model) const override { return model == mapping_model(); }
  void Link(System& system, Diagnostics& diagnostics) override;
  /// Binds the mappings. Of two that write one item, in the whole system, the later one is faulty.
  void CheckConnections(Diagnostics& diagnostics) override;

  /// In the order of the file.
  const std::vector<Mapping*>& mappings() const { return mappings_; }
  /// Exchanges per simulated second.
  double rate();
  /// Null where the partner is not heard.
  virtual Supervision* supervision() { return nullptr; }
  /// The mapping with an item of the interface itself, such as `answer`.
  std::optional<std::size_t> FindOwn(std::string_view item) const;

  /// The host that it opens: where it listens, or whom it calls.
  virtual const std::string& host() const = 0;
  /// The element of its mappings.
  virtual std::string_view mapping_model() const = 0;
  /// Whether a partner that has never been heard is missed, too: where it is davit that calls.
  virtual bool calls_partner() const = 0;
  /// Opens the port. `board` has an item for each mapping and outlives the service. Throws
  /// std::runtime_error: `what is wrong; what would be right`.
  virtual std::unique_ptr<Service> Open(ValueBoard& board) = 0;

 protected:
  /// What is wrong with mappings whose items are known: their places.
  virtual void CheckPlaces(Diagnostics& diagnostics) const = 0;
  /// Whether the item of a mapping takes a value.
  bool Accepts(std::size_t mapping, double value) const {
    return mappings_[mapping]->item()->FaultOfWrite(value).is_empty();
  }

 private:
  static constexpr double kUsualRate = 100;

  void CheckWriters(Diagnostics& diagnostics) const;
  void CheckLockStep(Diagnostics& diagnostics);

  Parameter rate_{this,
                  "rate",
                  "1/s",
                  "Exchanges of values per simulated second, at communication points",
                  kUsualRate,
                  kPositive,
                  Tunability::kStructural};
  System* system_ = nullptr;
  std::vector<Mapping*> mappings_;
};

/// The interfaces of a system, in the order of the file.
std::vector<Interface*> InterfacesOf(System& system);

}  // namespace davit
