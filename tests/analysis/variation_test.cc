#include "analysis/study/variation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/study/case_list.h"
#include "components/register.h"
#include "session/simulation.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class VariationTest : public testing::Test {
 protected:
  std::vector<double> Values(const std::string& text) {
    std::vector<double> numbers;
    for (const Variation& variation : ReadVariations(simulation_->system(), {{text, {}}}, diagnostics_)) {
      for (const CaseValue& value : variation.values) numbers.push_back(value.number);
    }
    return numbers;
  }
  std::string Fault(const std::string& text) {
    diagnostics_ = {};
    Values(text);
    return diagnostics_.all().empty() ? "" : ToText(diagnostics_.all().front());
  }
  std::string FaultOfBounds(const std::string& text) {
    Diagnostics diagnostics;
    ReadBoundedVariations(simulation_->system(), {{text, {}}}, diagnostics);
    return diagnostics.all().empty() ? "" : ToText(diagnostics.all().front());
  }

  Registry registry_ = AllModels();
  std::unique_ptr<Simulation> simulation_ =
      Simulation::Load(std::filesystem::path(DAVIT_SOURCE_DIR) / "systems" / "lifting_cylinder.xml",
                       registry_)
          .Take();
  Diagnostics diagnostics_;
};

TEST_F(VariationTest, RangesAndListsAreWhatOneWouldWrite) {
  EXPECT_THAT(Values("load.mass=5 t:5 t:15 t"), ElementsAre(5000, 10000, 15000));
  EXPECT_THAT(Values("load.mass = 5 t, 700 kg"), ElementsAre(5000, 700));
  EXPECT_THAT(Values("load.mass=15 t:-5 t:5 t"), ElementsAre(15000, 10000, 5000));
  EXPECT_THAT(Values("load.mass=5 t,6 t:1 t:8 t"), ElementsAre(5000, 6000, 7000, 8000));
  // Bit for bit: 0.1 + 2 * 0.1 would be 0.30000000000000004.
  EXPECT_THAT(Values("dcv.neutral_opening=0.1:0.1:0.5"), ElementsAre(0.1, 0.2, 0.3, 0.4, 0.5));
  EXPECT_THAT(Values("cylinder.bore=250 mm:10 mm:280 mm"), ElementsAre(0.25, 0.26, 0.27, 0.28));
  EXPECT_THAT(Values("cylinder.bore=0.25:10 mm:0.27 m"), ElementsAre(0.25, 0.26, 0.27));
  EXPECT_THAT(diagnostics_.all(), IsEmpty());
}

TEST_F(VariationTest, LevelsStructuralParametersAndStartValuesAreNotLive) {
  const auto is_live = [&](const std::string& path) {
    return FindVariedItem(simulation_->system(), path, {}, diagnostics_)->is_live;
  };
  EXPECT_TRUE(is_live("load.mass"));
  EXPECT_TRUE(is_live("operator.amplitude"));
  EXPECT_FALSE(is_live("cylinder.level"));
  EXPECT_FALSE(is_live("pipe.lumps"));
  EXPECT_FALSE(is_live("load.v"));
  EXPECT_FALSE(is_live("SimulatorManager.StopTime"));
}

TEST_F(VariationTest, GridsChangeTheLastItemWithEachCase) {
  const CaseList cases(ReadVariations(simulation_->system(),
                                      {{"cylinder.level=Ideal,Standard", {}}, {"load.mass=1 t:1 t:3 t", {}}},
                                      diagnostics_));
  ASSERT_EQ(cases.size(), 6U);
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < cases.size(); ++i) {
    const auto values = cases.CaseAt(i);
    texts.push_back(ToText(values[0], cases.items()[0]) + ToText(values[1], cases.items()[1]));
  }
  EXPECT_THAT(texts, ElementsAre("Ideal1000", "Ideal2000", "Ideal3000", "Standard1000", "Standard2000",
                                 "Standard3000"));
}

TEST_F(VariationTest, WrongOnesAreToldWithRemedies) {
  EXPECT_THAT(Fault("load.mas=5 t"), HasSubstr("did you mean 'mass'?"));
  EXPECT_THAT(Fault("load.mass"), HasSubstr("has no '='"));
  EXPECT_THAT(Fault("load.mass="), HasSubstr("no values"));
  EXPECT_THAT(Fault("load.mass=5 bar"), HasSubstr("kg is needed"));
  EXPECT_THAT(Fault("load.mass=-5 t"), HasSubstr("mass"));
  EXPECT_THAT(Fault("load.mass=5 t:1 t"), HasSubstr("LOW:STEP:HIGH"));
  EXPECT_THAT(Fault("load.mass=5 t:4 t:15 t"), HasSubstr("end at 13 or 17 t"));
  EXPECT_THAT(Fault("load.mass=15 t:1 t:5 t"), HasSubstr("never comes to its end"));
  EXPECT_THAT(Fault("load.mass=5 t:0 t:15 t"), HasSubstr("never comes to its end"));
  EXPECT_THAT(Fault("load.mass=0.1 kg:1e-9 kg:15 t"), HasSubstr("longer step"));
  EXPECT_THAT(Fault("cylinder.level=Ideal,Standart"), HasSubstr("Standard"));
  EXPECT_THAT(Fault("load.mass=normal(1 t, 100 kg)"), HasSubstr("--samples"));
}

TEST_F(VariationTest, BoundsAreChecked) {
  EXPECT_EQ(FaultOfBounds("load.mass=1 t:20 t"), "");
  EXPECT_EQ(FaultOfBounds("load.mass=1 t:20 t log"), "");
  EXPECT_THAT(FaultOfBounds("load.mass=20 t:1 t"), HasSubstr("the wrong way round; write 1 t:20 t"));
  EXPECT_THAT(FaultOfBounds("load.mass=1 t:1 t"), HasSubstr("are equal; write LOW:HIGH"));
  EXPECT_THAT(FaultOfBounds("operator.amplitude=0:1 log"), HasSubstr("logarithm needs positive bounds"));
  EXPECT_THAT(FaultOfBounds("cylinder.level=Ideal:Standard"), HasSubstr("no level 'Ideal:Standard'"));
  EXPECT_THAT(FaultOfBounds("load.mass=-1 t:20 t"), HasSubstr("mass"));
}

TEST_F(VariationTest, ChoicesAreListsAndWholeNumbers) {
  const auto read = ReadBoundedVariations(
      simulation_->system(),
      {{"pipe.lumps=2:5", {}}, {"cylinder.level=Standard,Ideal", {}}, {"load.mass=9 t,10 t,12 t", {}}},
      diagnostics_);
  ASSERT_THAT(diagnostics_.all(), IsEmpty());
  std::vector<std::string> texts;
  for (const BoundedVariation& variation : read) {
    for (const CaseValue& choice : variation.choices) texts.push_back(ToText(choice, variation.item));
  }
  EXPECT_THAT(texts, ElementsAre("2", "3", "4", "5", "Standard", "Ideal", "9000", "10000", "12000"));
  EXPECT_EQ(read[2].start, 1);  // the system has 10 t
  EXPECT_THAT(FaultOfBounds("pipe.lumps=5:2"), HasSubstr("no whole numbers from 5 to 2"));
  EXPECT_THAT(FaultOfBounds("cylinder.level=Ideal"), HasSubstr("leaves nothing to choose"));
  EXPECT_THAT(FaultOfBounds("load.mass=9 t,10 t log"), HasSubstr("has no logarithm"));
}

TEST_F(VariationTest, SamplesDoNotDependOnAnythingButTheSeed) {
  const auto variations = ReadRandomVariations(
      simulation_->system(), {{"load.mass=normal(10 t, 1 t)", {}}, {"cylinder.level=Ideal,Standard", {}}},
      diagnostics_);
  ASSERT_THAT(diagnostics_.all(), IsEmpty());
  const CaseList cases(variations, Sampling::kLatinHypercube, 10, 42);
  int ideal = 0;
  for (std::uint64_t i = 0; i < cases.size(); ++i) ideal += cases.CaseAt(i)[1].text == "Ideal" ? 1 : 0;
  EXPECT_EQ(ideal, 5);  // each value of a list equally often
}

}  // namespace
}  // namespace davit
