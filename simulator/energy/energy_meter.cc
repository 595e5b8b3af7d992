#include "simulator/energy/energy_meter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "framework/domains/pneumatic.h"

namespace davit {
namespace {

using Kind = EnergyTerms::Kind;

void AddPower(MeteredTerm& term, double power, double weight) {
  (power > 0 ? term.in : term.out) += weight * std::abs(power);
}

}  // namespace

double PowerInto(const Domain& domain, Bond& bond) {
  if (domain == PneumaticBond::kDomain) return PneumaticBond::AvailablePower(bond);
  const double flow = domain.flow().of(bond);
  double effort = bond.c + bond.Zc * flow;
  if (const DomainVariable* least = domain.least_effort()) effort = std::max(effort, least->of(bond));
  return flow == 0 ? 0 : effort * flow;
}

MeteredTerm& EnergyMeter::TermOf(MeteredComponent& one, const EnergyTerms::Term& term) {
  const auto found = std::ranges::find_if(one.terms, [&](const MeteredTerm& known) {
    return known.kind == term.kind && known.name == term.name;
  });
  if (found != one.terms.end()) return *found;
  MeteredTerm& made = one.terms.emplace_back(MeteredTerm{.kind = term.kind, .name = term.name});
  if (made.kind != Kind::kStored) made.place = power_count_++;
  return made;
}

void EnergyMeter::Add(MeteredComponent component) {
  for (MeteredComponent::End& end : component.ends) end.place = power_count_++;
  components_.push_back(std::move(component));
}

void EnergyMeter::Begin() {
  power_count_ = 0;
  has_begun_ = false;
  for (MeteredComponent& one : components_) {
    one = {.component = one.component, .account = one.account, .ends = std::move(one.ends)};
    for (MeteredComponent::End& end : one.ends) end.place = power_count_++;
  }
}

void EnergyMeter::Look() {
  for (MeteredComponent& one : components_) {
    one.port_now = one.size_now = one.stored = 0;
    for (MeteredComponent::End& end : one.ends) {
      end.power = end.sign * PowerInto(*end.domain, *end.bond);
      one.port_now += end.power;
      one.size_now += std::abs(end.power);
    }
    for (MeteredTerm& term : one.terms) term.now = 0;
    if (one.account == nullptr) continue;
    terms_.Clear();
    one.account->AccountEnergy(terms_);
    for (const EnergyTerms::Term& term : terms_.all()) {
      if (term.kind == Kind::kPartial) {
        one.is_partial = true;
        continue;
      }
      if (term.kind == Kind::kStored) one.stored += term.value;
      TermOf(one, term).now += term.kind == Kind::kPortsLost ? one.port_now
                               : term.kind == Kind::kPortsIn ? -one.port_now
                                                             : term.value;
    }
  }
}

PowerQuadrature::Powers EnergyMeter::CopyPowers() const {
  PowerQuadrature::Powers powers(power_count_);
  for (const MeteredComponent& one : components_) {
    for (const MeteredComponent::End& end : one.ends) powers[end.place] = end.power;
    for (const MeteredTerm& term : one.terms) {
      if (term.kind != Kind::kStored) powers[term.place] = term.now;
    }
  }
  return powers;
}

void EnergyMeter::AddEnergies(const PowerQuadrature::Powers& powers, double weight) {
  for (MeteredComponent& one : components_) {
    for (const MeteredComponent::End& end : one.ends) {
      one.port += weight * powers[end.place];
      one.port_size += weight * std::abs(powers[end.place]);
    }
    for (MeteredTerm& term : one.terms) {
      // One that came up later has none at this time.
      if (term.kind != Kind::kStored && term.place < powers.size())
        AddPower(term, powers[term.place], weight);
    }
  }
}

PowerQuadrature::Scale EnergyMeter::ScaleOf(double begin, double h) const {
  double passed = 0, stored = 0;
  for (const MeteredComponent& one : components_) {
    passed = std::max(passed, one.port_size);
    for (const MeteredTerm& term : one.terms) passed = std::max(passed, term.in + term.out);
    stored += std::abs(one.stored_end);
  }
  return {.size = begin > begin_ ? passed * h / (begin - begin_) : 0,
          .least = std::numeric_limits<double>::epsilon() * stored};
}

void EnergyMeter::OnPiece(double begin, double end, bool starts_anew,
                          const std::function<void(double)>& show) {
  show(begin);
  Look();
  PowerQuadrature::Ends ends{.first = CopyPowers()};
  for (MeteredComponent& one : components_) {
    if (!has_begun_) {
      for (MeteredTerm& term : one.terms) {
        term.start = term.now;
        term.StartRange();
      }
    } else if (starts_anew) {
      one.jumps += one.stored - one.stored_end;
    }
    if (!has_begun_ || starts_anew) one.stored_end = one.stored;
  }
  if (!std::exchange(has_begun_, true)) begin_ = begin;
  show(end);
  Look();
  ends.last = CopyPowers();
  for (MeteredComponent& one : components_) {
    one.continuous += one.stored - one.stored_end;
    one.stored_end = one.stored;
    for (MeteredTerm& term : one.terms) term.WidenRange();
  }
  quadrature_.Integrate(
      begin, end, ends, ScaleOf(begin, end - begin),
      [&](double t) {
        show(t);
        Look();
        return CopyPowers();
      },
      [this](const PowerQuadrature::Powers& powers, double weight) { AddEnergies(powers, weight); });
}

void EnergyMeter::LookNow() {
  if (has_begun_) Look();
}

void EnergyMeter::StartAt(double t) {
  t_ = t;
  has_begun_ = true;
  Look();
  for (MeteredComponent& one : components_) {
    one.stored_end = one.stored;
    one.port_before = one.port_now;
    one.size_before = one.size_now;
    for (MeteredTerm& term : one.terms) {
      term.start = term.before = term.now;
      term.StartRange();
    }
  }
}

void EnergyMeter::StepTo(double t) {
  const double half = (t - t_) / 2;
  t_ = t;
  Look();
  for (MeteredComponent& one : components_) {
    one.port += half * (one.port_before + one.port_now);
    one.port_size += half * (one.size_before + one.size_now);
    one.port_before = one.port_now;
    one.size_before = one.size_now;
    one.continuous += one.stored - one.stored_end;
    one.stored_end = one.stored;
    for (MeteredTerm& term : one.terms) {
      term.WidenRange();
      if (term.kind == Kind::kStored) continue;
      AddPower(term, term.before, half);
      AddPower(term, term.now, half);
      term.before = term.now;
    }
  }
}

}  // namespace davit
