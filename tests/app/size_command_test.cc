#include "app/size_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "app/exit_code.h"

namespace davit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class SizeCommandTest : public testing::Test {
 protected:
  std::ostringstream out, err;
};

TEST_F(SizeCommandTest, SaysWhichHoseAndWhy) {
  EXPECT_EQ(RunSizeHose({.flow = "60 l/min", .velocity = "5 m/s", .pressure = "250 bar"}, out, err), kDone);
  EXPECT_EQ(out.str(),
            "for 60 l/min at 5 m/s and 250 bar\n"
            "needed bore       15.958 mm        sqrt(4*flow/(pi*velocity))\n"
            "size                DN12\n"
            "in parallel            2           one hose rated for the pressure is too small\n"
            "inner diameter      12.7 mm\n"
            "velocity          3.9471 m/s\n"
            "operating            280 bar       largest pressure in operation\n"
            "rupture             1100 bar\n"
            "bend radius          180 mm        at least\n"
            "<hydraulic.Hose name=\"hose\" size=\"DN12\"/>\n");
  EXPECT_THAT(err.str(), IsEmpty());
}

TEST_F(SizeCommandTest, SaysWhichPump) {
  EXPECT_EQ(RunSizePump({.flow = "100 l/min", .speed = "1500 rpm", .pressure = "250 bar"}, out, err), kDone);
  EXPECT_THAT(out.str(), HasSubstr("displacement      66.667 cm3/rev   flow/speed, without leakage\n"));
  EXPECT_THAT(out.str(), HasSubstr("power             49.126 kW"));  // 312.744 N.m at 157.0796 rad/s
  EXPECT_THAT(out.str(),
              HasSubstr("<hydraulic.AxialPistonPump name=\"pump\" model=\"75cc\" speed=\"1500 rpm\"/>\n"));
}

TEST_F(SizeCommandTest, SaysWhichCylinder) {
  EXPECT_EQ(RunSizeCylinder({.force = "500 kN", .pressure = "160 bar"}, out, err), kDone);
  EXPECT_THAT(out.str(), HasSubstr("needed bore       204.65 mm"));
  EXPECT_THAT(out.str(),
              HasSubstr("<hydraulic.Cylinder name=\"cylinder\" bore=\"220 mm\" rod=\"140 mm\"/>\n"));
}

TEST_F(SizeCommandTest, TellsAllThatIsWrongAtOnce) {
  EXPECT_EQ(RunSizeHose({.flow = "60 l", .velocity = "-5 m/s", .pressure = "abc"}, out, err), kWrongInput);
  EXPECT_EQ(err.str(),
            "error: --flow: '60 l' is m3, but m3/s is needed; write for example 60 l/min\n"
            "error: --velocity: '-5 m/s' is not above 0; give a positive value\n"
            "error: --pressure: 'abc' is not a number; write for example 250 bar\n");
  EXPECT_THAT(out.str(), IsEmpty());
}

TEST_F(SizeCommandTest, TellsWhereNoSizeIsEnough) {
  EXPECT_EQ(RunSizeHose({.flow = "60 l/min", .pressure = "400 bar"}, out, err), kWrongInput);
  EXPECT_EQ(err.str(), "error: no hose of the table is rated for 400 bar; the strongest for 350 bar\n");
  EXPECT_EQ(RunSizePump({.flow = "900 l/min", .pressure = "250 bar"}, out, err), kWrongInput);
  EXPECT_THAT(err.str(), HasSubstr("no pump of the table gives 900 l/min at 250 bar and 1500 rpm; raise"));
  EXPECT_EQ(RunSizeCylinder({.force = "10 MN", .pressure = "100 bar"}, out, err), kWrongInput);
  EXPECT_THAT(err.str(), HasSubstr("pushes with 10000 kN at 100 bar"));
  EXPECT_THAT(out.str(), IsEmpty());
}

TEST_F(SizeCommandTest, RatiosHaveTheirRange) {
  EXPECT_EQ(RunSizeCylinder({.force = "1 kN", .pressure = "100 bar", .friction_ratio = 1, .area_ratio = 1},
                            out, err),
            kWrongInput);
  EXPECT_EQ(err.str(),
            "error: --friction-ratio: is not in 0 .. 1; write for example 0.05\n"
            "error: --area-ratio: is not above 1; write for example 1.7\n");
}

}  // namespace
}  // namespace davit
