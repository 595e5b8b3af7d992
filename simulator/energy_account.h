#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace davit {

/// What a model states of its energy at one moment. Names have static storage; where one comes again its
/// values add up.
class EnergyTerms {
 public:
  enum class Kind : std::uint8_t { kStored, kLost, kIn, kPortsLost, kPortsIn, kPartial };
  struct Term {
    Kind kind;
    std::string_view name;
    double value;  ///< [J] of kStored, [W] of kLost and kIn
  };

  /// Energy [J] as a function of the state: `Stored("spring", k*x*x/2)`.
  void Stored(std::string_view name, double energy) { terms_.push_back({Kind::kStored, name, energy}); }
  /// Power [W] that becomes heat, or leaves with lost oil, by its cause: `Lost("throttling", dp*q)`.
  void Lost(std::string_view cause, double power) { terms_.push_back({Kind::kLost, cause, power}); }
  /// Power [W] that comes into the system here, otherwise than through a port; negative where it leaves:
  /// `In("drive", torque*speed)`.
  void In(std::string_view name, double power) { terms_.push_back({Kind::kIn, name, power}); }
  /// All that flows into its ports is lost: a valve of which each edge would have to be named.
  void PortsLose(std::string_view cause) { terms_.push_back({Kind::kPortsLost, cause, 0}); }
  /// Its ports are the boundary of the system: a tank, a source, a point that is moved.
  void PortsAreBoundary(std::string_view name) { terms_.push_back({Kind::kPortsIn, name, 0}); }
  /// Something is missing in the account, such as the motion of a base: what does not close counts as
  /// unaccounted, not as an error.
  void IsPartial() { terms_.push_back({Kind::kPartial, {}, 0}); }

  std::span<const Term> all() const { return terms_; }
  void Clear() { terms_.clear(); }

 private:
  std::vector<Term> terms_;
};

/// A model that accounts for its energy; a class that derives from DynamicSimComponent derives from this too.
///
/// What flows through ports is known without the model: effort times flow of each bond. A model without an
/// account passes it on: the powers at its ports add up to zero. Nothing calls it unless somebody asks for
/// the balance of energy.
class EnergyAccount {
 public:
  /// All that it stores and loses, and what crosses the boundary of the system, as of the last evaluation:
  ///
  ///     d(stored)/dt = power into its ports + in - lost
  virtual void AccountEnergy(EnergyTerms& terms) const = 0;

 protected:
  EnergyAccount() = default;
  ~EnergyAccount() = default;
  EnergyAccount(const EnergyAccount&) = default;
  EnergyAccount& operator=(const EnergyAccount&) = default;
};

}  // namespace davit
