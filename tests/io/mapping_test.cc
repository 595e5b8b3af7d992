// What is wrong with interfaces and their mappings is told when the system is loaded, all of it with its
// place.

#include "io/mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/io/io_rig.h"

namespace davit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

std::string FaultOf(const std::string& registers) {
  return IoRig::FaultsOf("<ModbusServer name=\"plc\" port=\"1502\">\n" + registers + "</ModbusServer>\n");
}

TEST(MappingTest, RightOnesHaveNoFault) {
  EXPECT_THAT(FaultOf(R"(
    <Register item="load.x" table="input" address="0" order="CDAB"/>
    <Register item="load.v" table="input" address="2" type="int16" scale="1 mm/s" offset="2 m/s"/>
    <Register item="load.mass" address="0" access="write" safe="10 kg"/>
    <Register item="load.x" address="2" type="uint16"/>
    <Register item="load.x" table="discrete" address="0"/>)"),
              IsEmpty());
}

TEST(MappingTest, ItemsAreLookedUp) {
  EXPECT_THAT(FaultOf("<Register address=\"0\"/>"),
              HasSubstr("rig.xml:9: error: /plc/Register: item is missing"));
  EXPECT_THAT(FaultOf("<Register item=\"laod.x\"/>"),
              AllOf(HasSubstr("laod"), HasSubstr("did you mean 'load'")));
}

TEST(MappingTest, NumbersHaveTheUnitOfTheItem) {
  EXPECT_THAT(FaultOf("<Register item=\"load.x\" scale=\"1 bar\"/>"),
              AllOf(HasSubstr("rig.xml:9"), HasSubstr("scale: ")));
  EXPECT_THAT(FaultOf("<Register item=\"load.x\" scale=\"0\"/>"), HasSubstr("scale is 0"));
  EXPECT_THAT(FaultOf("<Register item=\"load.x\" offset=\"much\"/>"), HasSubstr("offset: "));
  EXPECT_THAT(FaultOf("<Register item=\"load.mass\" access=\"write\" safe=\"-1 kg\"/>"), HasSubstr("safe: "));
  EXPECT_THAT(FaultOf("<Register item=\"load.mass\" safe=\"1 kg\"/>"), HasSubstr("let the partner write"));
}

TEST(MappingTest, OnlyWritableItemsAreWritten) {
  EXPECT_THAT(FaultOf("<Register item=\"spring.F\" access=\"write\"/>"), HasSubstr("rig.xml:9: error"));
}

TEST(MappingTest, OneItemHasOneWriterInTheWholeSystem) {
  EXPECT_THAT(
      FaultOf("<Register item=\"load.mass\" access=\"write\" address=\"0\"/>\n"
              "<Register item=\"load.mass\" access=\"write\" address=\"2\"/>\n"),
      HasSubstr("rig.xml:10: error: /plc/Register2: a second writer of 'load.mass': line 9 writes it"));
  const std::string twice = IoRig::FaultsOf(
      "<ModbusServer name=\"one\" port=\"1502\"><Register item=\"load.mass\" "
      "access=\"write\"/></ModbusServer>\n"
      "<ModbusServer name=\"two\" port=\"1503\"><Register item=\"load.mass\" "
      "access=\"write\"/></ModbusServer>\n");
  EXPECT_THAT(twice, HasSubstr("rig.xml:9: error: /two/Register: a second writer"));
}

TEST(MappingTest, PlacesDoNotOverlap) {
  EXPECT_THAT(
      FaultOf("<Register item=\"load.x\" address=\"4\"/>\n"
              "<Register item=\"load.v\" address=\"5\" type=\"int16\"/>\n"),
      HasSubstr("rig.xml:10: error: /plc/Register2: holding 5 overlaps line 9, which has holding 4 and 5; "
                "the next free address is 6"));
  EXPECT_THAT(FaultOf("<Register item=\"load.x\" address=\"5\"/>"),
              HasSubstr("odd address 5; use address 4 or 6"));
  EXPECT_THAT(FaultOf("<Register item=\"load.x\" address=\"65535\"/>"), HasSubstr("no room"));
  EXPECT_THAT(FaultOf("<Register item=\"load.x\" address=\"65536\"/>"), HasSubstr("out of range"));
  EXPECT_THAT(FaultOf("<Register item=\"load.mass\" table=\"input\" access=\"write\"/>"),
              HasSubstr("use table=\"holding\""));
}

TEST(MappingTest, AllFaultsAreToldInOnePass) {
  const std::string faults =
      FaultOf("<Register item=\"a\"/>\n<Register item=\"load.x\" address=\"1\"/>\n<Regster/>");
  EXPECT_THAT(faults, AllOf(HasSubstr("rig.xml:9: "), HasSubstr("rig.xml:10: "), HasSubstr("rig.xml:11: ")));
}

TEST(MappingTest, PathsBeginWhereTheInterfaceIs) {
  EXPECT_THAT(FaultOf("<Register item=\"rig.load.x\"/>"), HasSubstr("no component 'rig'"));
}

}  // namespace
}  // namespace davit
