#include "simulator/energy/energy_meter.h"

#include <algorithm>
#include <array>
#include <cmath>

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
  return one.terms.emplace_back(MeteredTerm{.kind = term.kind, .name = term.name});
}

void EnergyMeter::Look() {
  for (MeteredComponent& one : components_) {
    one.port_now = one.size_now = one.stored = 0;
    for (const MeteredComponent::End& end : one.ends) {
      const double power = end.sign * PowerInto(*end.domain, *end.bond);
      one.port_now += power;
      one.size_now += std::abs(power);
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

void EnergyMeter::Integrate(double weight) {
  for (MeteredComponent& one : components_) {
    one.port += weight * one.port_now;
    one.port_size += weight * one.size_now;
    for (MeteredTerm& term : one.terms) {
      if (term.kind != Kind::kStored) AddPower(term, term.now, weight);
    }
  }
}

void EnergyMeter::OnPiece(double begin, double end, bool starts_anew,
                          const std::function<void(double)>& show) {
  // Lobatto: the ends and +-1/sqrt(5) on -1 .. 1, with the weights 1/6 and 5/6.
  const double h = end - begin, inside = 0.5 - std::sqrt(0.05);
  show(begin);
  Look();
  for (MeteredComponent& one : components_) {
    if (!has_begun_) {
      for (MeteredTerm& term : one.terms) term.start = term.now;
    } else if (starts_anew) {
      one.jumps += one.stored - one.stored_end;
    }
    if (!has_begun_ || starts_anew) one.stored_end = one.stored;
  }
  has_begun_ = true;
  Integrate(h / 12);
  for (const double t : {begin + inside * h, end - inside * h}) {
    show(t);
    Look();
    Integrate(h * 5 / 12);
  }
  show(end);
  Look();
  Integrate(h / 12);
  for (MeteredComponent& one : components_) {
    one.continuous += one.stored - one.stored_end;
    one.stored_end = one.stored;
  }
}

void EnergyMeter::Finish() {
  if (!has_begun_) return;
  Look();
  for (MeteredComponent& one : components_) one.jumps += one.stored - one.stored_end;
}

void EnergyMeter::StartAt(double t) {
  t_ = t;
  has_begun_ = true;
  Look();
  for (MeteredComponent& one : components_) {
    one.stored_end = one.stored;
    one.port_before = one.port_now;
    one.size_before = one.size_now;
    for (MeteredTerm& term : one.terms) term.start = term.before = term.now;
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
      if (term.kind == Kind::kStored) continue;
      AddPower(term, term.before, half);
      AddPower(term, term.now, half);
      term.before = term.now;
    }
  }
}

}  // namespace davit
