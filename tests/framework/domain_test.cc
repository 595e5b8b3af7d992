#include "framework/domain.h"

#include <gtest/gtest.h>

#include <string>

#include "framework/domains/standard.h"
#include "framework/registry.h"
#include "framework/units/unit_system.h"

namespace davit {
namespace {

struct MagneticBond : Bond {
  double phi = 0;  ///< rate of the flux into the C component [V]
  static const Domain kDomain;
};

inline constexpr Domain MagneticBond::kDomain{
    .name = "magnetic",
    .effort = {.name = "F", .unit = "A", .scale = 100},
    .variables = {{.name = "phi", .unit = "V", .of = OfBond<&MagneticBond::phi>}},
    .bond = BondType::Of<MagneticBond>(),
    .impedance_unit = "A/V",
};

TEST(DomainTest, AVariableIsThatOfTheBond) {
  MagneticBond bond;
  MagneticBond::kDomain.flow().of(bond) = 3;
  EXPECT_EQ(bond.phi, 3);
  bond.c = 2;
  EXPECT_EQ(OfBond<&Bond::c>(bond), 2);
}

TEST(DomainTest, EachBondOfAPoolIsNewAndStays) {
  const std::unique_ptr<BondPool> pool = MagneticBond::kDomain.bond.make_pool();
  Bond& first = pool->Add();
  MagneticBond::kDomain.flow().of(first) = 1;
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(MagneticBond::kDomain.flow().of(pool->Add()), 0);
  EXPECT_EQ(MagneticBond::kDomain.flow().of(first), 1);
}

TEST(DomainTest, DescriptionsAreWhatTheirBondsCompute) {
  HydraulicBond hydraulic;
  hydraulic.c = -5;
  hydraulic.p_min = -2;
  EXPECT_EQ(hydraulic.p(), -2);
  EXPECT_EQ(HydraulicBond::kDomain.least_effort()->of(hydraulic), -2);
  EXPECT_FALSE(HydraulicBond::kDomain.flow_is_early());
  EXPECT_TRUE(TranslationalBond::kDomain.flow_is_early());
  EXPECT_EQ(TranslationalBond::kDomain.Find("x")->unit, "m");
  EXPECT_EQ(TranslationalBond::kDomain.Find("y"), nullptr);
}

TEST(DomainTest, AllUnitsOfTheStandardDomainsAreKnownAndFit) {
  const UnitSystem units;
  for (const Domain* domain : kStandardDomains) {
    SCOPED_TRACE(domain->name);
    const std::optional<Unit> effort = units.Find(domain->effort.unit);
    const std::optional<Unit> quotient =
        units.Find(std::string(domain->effort.unit) + "/(" + std::string(domain->flow().unit) + ")");
    const std::optional<Unit> impedance = units.Find(domain->impedance_unit);
    ASSERT_TRUE(effort && quotient && impedance);
    EXPECT_EQ(quotient->dimension, impedance->dimension);
    for (const DomainVariable& variable : domain->variables) EXPECT_TRUE(units.Find(variable.unit));
  }
}

TEST(DomainTest, ARegistryKnowsTheDomainsThatWereAdded) {
  Registry registry;
  EXPECT_TRUE(registry.domains().empty());
  registry.AddDomain(HydraulicBond::kDomain);
  registry.AddDomain(MagneticBond::kDomain);
  registry.AddDomain(MagneticBond::kDomain);  // as from a second plug-in
  ASSERT_EQ(registry.domains().size(), 2);
  EXPECT_EQ(registry.domains().back()->name, "magnetic");
}

TEST(DomainTest, ADomainIsItsNameAndItsBond) {
  const Domain same = MagneticBond::kDomain;
  EXPECT_EQ(same, MagneticBond::kDomain);
  Domain other = MagneticBond::kDomain;
  other.bond = BondType::Of<TranslationalBond>();
  EXPECT_FALSE(other == MagneticBond::kDomain);
  EXPECT_FALSE(HydraulicBond::kDomain == ElectricalBond::kDomain);
}

}  // namespace
}  // namespace davit
