#include "components/marine/laws/response_table.h"

#include <gtest/gtest.h>

#include <numbers>

namespace davit {
namespace {

using std::numbers::pi;

constexpr const char* kText =
    "# a vessel\n"
    "heading [deg], frequency [rad/s], heave [m/m], heave_phase [deg], roll [deg/m], roll_phase [deg]\n"
    "180, 0.5, 1.0, 0, 0, 0\n"
    "180, 1.0, 0.4, 90, 0, 0\n"
    "90, 0.5, 1.0, 0, 2, 90\n"
    "90, 1.0, 0.8, 0, 4, 0\n";

class ResponseTableTest : public testing::Test {
 protected:
  std::string FaultOf(const std::string& text) {
    const ResponseTable::Result result = ResponseTable::Read(text, units);
    return std::to_string(result.line) + ": " + result.fault;
  }
  UnitSystem units;
  ResponseTable table = ResponseTable::Read(kText, units).table;
};

TEST_F(ResponseTableTest, ItHasItsPoints) {
  EXPECT_NEAR(std::abs(table.At(1.0, pi)[2] - std::complex(0.0, 0.4)), 0, 1e-9);
  EXPECT_NEAR(std::abs(table.At(0.5, pi / 2)[3] - std::complex(0.0, 2 * pi / 180)), 0, 1e-12);
  EXPECT_EQ(table.At(0.5, pi)[0], 0.0);  // surge is not in the file
}

TEST_F(ResponseTableTest, ItIsLinearInBetween) {
  EXPECT_NEAR(std::abs(table.At(0.75, pi)[2] - std::complex(0.5, 0.2)), 0, 1e-9);
  EXPECT_NEAR(std::abs(table.At(1.0, 0.75 * pi)[2] - std::complex(0.4, 0.2)), 0, 1e-9);
  EXPECT_NEAR(std::abs(table.At(0.2, pi)[2] - 1.0), 0, 1e-12);  // below the lowest frequency
  EXPECT_EQ(table.At(1.2, pi)[2], 0.0);
}

TEST_F(ResponseTableTest, ASymmetricVesselRollsToTheOtherSide) {
  EXPECT_NEAR(std::abs(table.At(1.0, -pi / 2)[3] + table.At(1.0, pi / 2)[3]), 0, 1e-12);
  EXPECT_NEAR(std::abs(table.At(1.0, -pi / 2)[2] - table.At(1.0, pi / 2)[2]), 0, 1e-12);
  EXPECT_TRUE(table.Covers(1.25 * pi));
  EXPECT_FALSE(table.Covers(pi / 4));
}

TEST_F(ResponseTableTest, HeadingsAllAroundAreClosed) {
  const ResponseTable all =
      ResponseTable::Read("heading [deg],period [s],heave [m/m]\n0,10,1\n90,10,2\n180,10,3\n270,10,4\n",
                          units)
          .table;
  EXPECT_NEAR(all.At(2 * pi / 10, 1.75 * pi)[2].real(), 2.5, 1e-9);
  EXPECT_TRUE(all.Covers(6));
}

TEST_F(ResponseTableTest, WrongFilesAreNamed) {
  EXPECT_EQ(FaultOf("heading [deg],heave [m/m],heave [m/m]\n").substr(0, 25), "1: a second column 'heave");
  EXPECT_EQ(FaultOf("heading [deg],frequency [rad/s],heav [m/m]\n").substr(0, 22), "1: no column 'heav'; d");
  EXPECT_EQ(FaultOf("frequency [rad/s],heave [m/m]\n1,2\n"),
            "1: no column heading; add for example 'heading [deg]'");
  EXPECT_EQ(FaultOf("heading [deg],heave [m/m]\n1,2\n"),
            "1: give one of the columns 'frequency [rad/s]' and 'period [s]'");
  EXPECT_EQ(FaultOf("heading [deg],frequency [rad/s],heave [m/m]\n0,1\n"),
            "2: 2 values for 3 columns; give one for each");
  EXPECT_EQ(FaultOf("heading [deg],frequency [rad/s],heave [m/m]\n0,0,1\n"),
            "2: the frequency is not above 0; remove this line");
  EXPECT_EQ(FaultOf("heading [deg],frequency [rad/s],heave [m/m]\n0,1,1\n0,1,2\n"),
            "3: this heading and frequency are there already; remove one of the lines");
  EXPECT_EQ(FaultOf("heading [deg],frequency [rad/s],heave [m/m]\n0,1,1\n90,2,2\n").substr(0, 50),
            "3: heading 0 deg has no frequency 2 rad/s, which o");
  EXPECT_EQ(FaultOf("heading [deg],frequency [rad/s],heave [kg]\n0,1,1\n").substr(0, 2), "2:");
  EXPECT_EQ(FaultOf("").substr(0, 16), "0: there are no ");
  for (const char* text :
       {"\n\n", ",,,", "[", "heading [", "heading,period\n,\n", "heading,period\n1,0\n", "\"\"\"\n"})
    EXPECT_FALSE(ResponseTable::Read(text, units).fault.empty()) << text;
}

}  // namespace
}  // namespace davit
