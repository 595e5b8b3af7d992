#include "tests/components/energy_audit.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "components/hydraulic/line.h"
#include "framework/port.h"
#include "framework/property.h"

namespace davit {
namespace {

/// The one connection of a port, or one of several.
template <class B>
B& BondOf(Component& component, std::string_view port, std::size_t i = 0) {
  for (const PortDeclaration& declaration : component.declarations().ports) {
    if (declaration.label.name == port) return static_cast<B&>(declaration.port->bond(i));
  }
  throw std::out_of_range(std::string(port));
}

template <class B>
std::vector<B*> BondsOf(Component& component, std::string_view port) {
  std::vector<B*> bonds;
  for (const PortDeclaration& declaration : component.declarations().ports) {
    if (declaration.label.name != port) continue;
    for (std::size_t i = 0; i < declaration.port->bond_count(); ++i) {
      bonds.push_back(static_cast<B*>(&declaration.port->bond(i)));
    }
  }
  return bonds;
}

bool HasProperty(const Component& component, std::string_view name, std::string_view text) {
  for (const PropertyBase* property : component.declarations().properties) {
    if (property->label().name == name) return property->ToText() == text;
  }
  return false;
}

Item Find(System& system, const Component& component, std::string_view name) {
  Fault fault;
  const std::optional<Item> variable =
      system.FindVariable(system.root(), component.path() + '.' + std::string(name), &fault);
  if (!variable) throw std::out_of_range(fault.ToText());
  return *variable;
}

double Square(double x) { return x * x; }

}  // namespace

/// The energy of one component.
class EnergyAudit::Account {
 public:
  virtual ~Account() = default;
  /// Before the ports do their work at the present step point [J].
  virtual double Stored() const { return 0; }
  /// What would be stored if nothing that it is told from cancelled [J], where that may be more.
  virtual double Gross() const { return 0; }
  /// The work of the ports.
  virtual void Advance(Flows& flows) = 0;
};

namespace {

class LineAccount final : public EnergyAudit::Account {
 public:
  LineAccount(Line& line, double h)
      : h_(h), a_(BondOf<HydraulicBond>(line, "a")), b_(BondOf<HydraulicBond>(line, "b")) {
    const double steps = line.delay() / h;
    const bool is_whole = std::abs(steps - std::round(steps)) <= 1e-9;
    fraction_ = is_whole ? 0 : steps - std::floor(steps);
    const auto count = static_cast<std::size_t>(is_whole ? std::round(steps) : std::floor(steps)) + 1;
    from_a_.assign(count, b_.c);
    from_b_.assign(count, a_.c);
    Push();
  }

  double Stored() const override {
    double sum = Square(a_.c) + Square(b_.c);
    for (const auto* waves : {&from_a_, &from_b_}) {
      // The oldest has been read, the next one in part.
      sum += fraction_ * Square(At(*waves, 1));
      for (std::size_t i = 2; i < waves->size(); ++i) sum += Square(At(*waves, i));
    }
    return h_ / (4 * a_.Zc) * sum;
  }

  void Advance(EnergyAudit::Flows& flows) override {
    Push();
    for (const auto* waves : {&from_a_, &from_b_}) {
      flows.lost_between_steps +=
          h_ / (4 * a_.Zc) * fraction_ * (1 - fraction_) * Square(At(*waves, 1) - At(*waves, 0));
    }
  }

 private:
  /// The i-th of the waves, counted from the oldest.
  double At(const std::vector<double>& waves, std::size_t i) const {
    return waves[(oldest_ + i) % waves.size()];
  }
  void Push() {
    from_a_[oldest_] = a_.c + 2 * a_.Zc * a_.q;
    from_b_[oldest_] = b_.c + 2 * b_.Zc * b_.q;
    oldest_ = (oldest_ + 1) % from_a_.size();
  }

  double h_;
  const HydraulicBond& a_;
  const HydraulicBond& b_;
  double fraction_ = 0;
  std::vector<double> from_a_, from_b_;  ///< rings
  std::size_t oldest_ = 0;
};

class VolumeAccount final : public EnergyAudit::Account {
 public:
  VolumeAccount(System& system, Component& volume, double h)
      : h_(h),
        ports_(BondsOf<HydraulicBond>(volume, "port")),
        beta_per_volume_(Find(system, volume, "bulk_modulus").Read() / Find(system, volume, "volume").Read()),
        filter_(Find(system, volume, "filter").Read()),
        quantity_(Find(system, volume, "quantity")) {}

  double Stored() const override {
    const double P = beta_per_volume_ * quantity_.Read();
    double differences = 0;
    for (const HydraulicBond* port : ports_) differences += Square(port->c - P);
    return Square(P) / (2 * beta_per_volume_) + h_ / (4 * ports_[0]->Zc * (1 - filter_)) * differences;
  }

  void Advance(EnergyAudit::Flows& flows) override {
    const double P = beta_per_volume_ * quantity_.Read();
    const double Zc = ports_[0]->Zc;
    const auto n = static_cast<double>(ports_.size());
    double mean = 0;
    for (const HydraulicBond* port : ports_) mean += port->q / n;
    double differences = 0;
    for (const HydraulicBond* port : ports_) differences += Square(port->c - P + Zc * (port->q - mean));
    flows.lost_in_filters += h_ * filter_ * (n * Zc * Square(mean) + differences / Zc);
  }

 private:
  double h_;
  std::vector<HydraulicBond*> ports_;
  double beta_per_volume_, filter_;
  Item quantity_;
};

class SpringAccount final : public EnergyAudit::Account {
 public:
  SpringAccount(System& system, Component& spring, double h)
      : h_(h),
        a_(BondOf<TranslationalBond>(spring, "a")),
        b_(BondOf<TranslationalBond>(spring, "b")),
        rate_(Find(system, spring, "stiffness").Read()),
        filter_(Find(system, spring, "filter").Read()) {
    if (Find(system, spring, "damping").Read() != 0 || Find(system, spring, "preload").Read() != 0) {
      throw std::invalid_argument("a spring with damping or preload");
    }
    Compress();
  }

  double Stored() const override {
    return compression_ + h_ / (2 * a_.Zc * (1 - filter_)) * Square((a_.c - b_.c) / 2);
  }

  double Gross() const override {
    return rate_ / 2 * Square(std::abs(a_.x) + std::abs(b_.x) + h_ / 2 * (std::abs(a_.v) + std::abs(b_.v)));
  }

  void Advance(EnergyAudit::Flows& flows) override {
    const double s_before = s_;
    Compress();
    const double apart = (a_.c - b_.c) / 2 + a_.Zc * (a_.v - b_.v) / 2;
    flows.lost_in_filters += h_ * filter_ * (a_.Zc * Square(s_ - s_before) / 4 + 2 * Square(apart) / a_.Zc);
  }

 private:
  /// The energy of the ends moving towards each other, after the present step point.
  void Compress() {
    s_ = a_.v + b_.v;
    const double F = rate_ * (a_.x + b_.x);
    compression_ = Square(F + rate_ * h_ * s_ / 2) / (2 * rate_) + h_ * filter_ * a_.Zc * Square(s_) / 4;
  }

  double h_;
  const TranslationalBond& a_;
  const TranslationalBond& b_;
  double rate_, filter_;
  double s_ = 0;
  double compression_ = 0;
};

class MassAccount final : public EnergyAudit::Account {
 public:
  MassAccount(System& system, const Component& mass, double h)
      : h_(h),
        mass_(Find(system, mass, "mass").Read()),
        viscous_friction_(Find(system, mass, "viscous_friction").Read()),
        v_(Find(system, mass, "v")),
        acceleration_(Find(system, mass, "acceleration")) {
    for (const char* name : {"weight", "static_friction", "kinetic_friction"}) {
      if (Find(system, mass, name).Read() != 0)
        throw std::invalid_argument("a mass with " + std::string(name));
    }
    Move();
  }

  double Stored() const override { return motion_; }
  double Gross() const override {
    return mass_ / 2 * Square(std::abs(v_.Read()) + h_ / 2 * std::abs(acceleration_.Read()));
  }
  void Advance(EnergyAudit::Flows& flows) override {
    Move();
    flows.dissipated += h_ * viscous_friction_ * Square(v_.Read());
  }

 private:
  void Move() { motion_ = mass_ / 2 * Square(v_.Read() + h_ / 2 * acceleration_.Read()); }

  double h_;
  double mass_, viscous_friction_;
  Item v_, acceleration_;
  double motion_ = 0;
};

class OrificeAccount final : public EnergyAudit::Account {
 public:
  OrificeAccount(Component& orifice, double h)
      : h_(h), a_(BondOf<HydraulicBond>(orifice, "a")), b_(BondOf<HydraulicBond>(orifice, "b")) {}
  void Advance(EnergyAudit::Flows& flows) override {
    flows.dissipated -= h_ * (a_.p() * a_.q + b_.p() * b_.q);
  }

 private:
  double h_;
  const HydraulicBond& a_;
  const HydraulicBond& b_;
};

/// A source of flow, pressure or velocity. `sign` is 1 for a source on the Q side, -1 on the C side.
template <class B>
class SourceAccount final : public EnergyAudit::Account {
 public:
  SourceAccount(Component& source, double sign, double h)
      : work_(sign * h), ports_(BondsOf<B>(source, "port")) {}
  void Advance(EnergyAudit::Flows& flows) override {
    for (B* port : ports_) {
      const double flow = B::kDomain.flow().of(*port);
      const double work = work_ * (port->c + port->Zc * flow) * flow;
      flows.supplied += work;
      flows.turnover += std::abs(work);
    }
  }

 private:
  double work_;
  std::vector<B*> ports_;
};

std::unique_ptr<EnergyAudit::Account> MakeAccount(System& system, Component& component, double h) {
  const std::string_view model = component.model().name;
  if (model == "hydraulic.Line") {
    if (!HasProperty(component, "friction", "none")) throw std::invalid_argument("a line with friction");
    return std::make_unique<LineAccount>(dynamic_cast<Line&>(component), h);
  }
  if (model == "hydraulic.VolumeC") return std::make_unique<VolumeAccount>(system, component, h);
  if (model == "mechanical.SpringC") return std::make_unique<SpringAccount>(system, component, h);
  if (model == "mechanical.Mass") return std::make_unique<MassAccount>(system, component, h);
  if (model == "hydraulic.Orifice") return std::make_unique<OrificeAccount>(component, h);
  if (model == "hydraulic.FlowSource") return std::make_unique<SourceAccount<HydraulicBond>>(component, 1, h);
  if (model == "mechanical.VelocitySource" || model == "mechanical.Fixed") {
    return std::make_unique<SourceAccount<TranslationalBond>>(component, 1, h);
  }
  if (model == "hydraulic.PressureSource" || model == "hydraulic.Tank") {
    return std::make_unique<SourceAccount<HydraulicBond>>(component, -1, h);
  }
  if (component.declarations().ports.empty()) return nullptr;  // signals, the manager
  throw std::invalid_argument("no account for " + std::string(model));
}

}  // namespace

EnergyAudit::EnergyAudit(System& system, double h) {
  for (Component* component : system.components()) {
    if (auto account = MakeAccount(system, *component, h)) accounts_.push_back(std::move(account));
  }
}

EnergyAudit::~EnergyAudit() = default;

void EnergyAudit::Observe() {
  building_blocks::CompensatedSum stored;
  for (const auto& account : accounts_) stored += account->Stored();
  stored_ = stored.value();
  if (!has_begun_) first_ = stored_;
  has_begun_ = true;
  double gross = 0;
  for (const auto& account : accounts_) gross += account->Gross();
  gross_ = std::max(gross_, gross);
  const double most = std::max(first_, stored_);
  constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
  rounding_of_step_ = 20 * kUnit * std::sqrt(most * std::max(most, gross_));
  building_blocks::CompensatedSum closure(stored_);
  closure -= first_;
  closure += dissipated();
  closure += lost_between_steps();
  closure += lost_in_filters();
  closure -= supplied();
  closure_ = closure.value();
  for (const auto& account : accounts_) account->Advance(flows_);
}

}  // namespace davit
