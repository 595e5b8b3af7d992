#include "results/result_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/csv_writer.h"
#include "results/line_reader.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class ResultTableTest : public testing::Test {
 protected:
  ResultTableTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_result_table_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~ResultTableTest() override { fs::remove_all(folder_); }

  /// Loads a file with this content; what was said about it is in messages_, without the folder.
  std::optional<ResultTable> Load(std::string_view text) {
    std::ofstream(file_, std::ios::binary) << text;
    return LoadFile(file_);
  }

  std::optional<ResultTable> LoadFile(const fs::path& path) {
    Diagnostics diagnostics;
    std::optional<ResultTable> table = LoadCsv(path, diagnostics);
    EXPECT_EQ(table.has_value(), !diagnostics.has_errors());
    messages_.clear();
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      messages_.push_back(ToText(diagnostic).substr(folder_.string().size() + 1));
    }
    return table;
  }

  const fs::path folder_;
  const fs::path file_ = folder_ / "x.csv";
  std::vector<std::string> messages_;
};

TEST_F(ResultTableTest, ReadsNamesTimesAndColumns) {
  const auto table = Load("time,a,b\n0,1,2\n0.5,3,4\n0.5,5,6\n");
  ASSERT_TRUE(table.has_value());
  EXPECT_THAT(messages_, IsEmpty());
  EXPECT_THAT(table->names, ElementsAre("a", "b"));
  EXPECT_THAT(table->units, ElementsAre("", ""));
  EXPECT_THAT(table->time, ElementsAre(0, 0.5, 0.5));
  EXPECT_THAT(table->columns, ElementsAre(ElementsAre(1, 3, 5), ElementsAre(2, 4, 6)));
}

TEST_F(ResultTableTest, ReadsFilesOfOtherPrograms) {
  const auto table = Load("\xef\xbb\xbftime,\"t(1,2)\", b \r\n\r\n0, 1 ,+2\r\n1,NaN,-Inf\r\n\r\n");
  ASSERT_TRUE(table.has_value()) << messages_.front();
  EXPECT_THAT(table->names, ElementsAre("t(1,2)", "b"));
  EXPECT_EQ(table->columns[0][0], 1);
  EXPECT_TRUE(std::isnan(table->columns[0][1]));
  EXPECT_THAT(table->columns[1], ElementsAre(2, -std::numeric_limits<double>::infinity()));
}

TEST_F(ResultTableTest, AResultWithoutRowsOrWithoutSignalsIsRead) {
  ASSERT_TRUE(Load("time,a\n").has_value());
  const auto table = Load("time\n0\n1\n");
  ASSERT_TRUE(table.has_value());
  EXPECT_THAT(table->names, IsEmpty());
  EXPECT_THAT(table->time, ElementsAre(0, 1));
}

TEST_F(ResultTableTest, ALineThatACrashCutOffIsLeftOut) {
  for (const std::string_view cut : {"1,2.5,3", "1,2.", "1", "1,2.5,"}) {
    const auto table = Load("time,a,b\n0,1,2\n" + std::string(cut));
    ASSERT_TRUE(table.has_value());
    EXPECT_THAT(table->time, ElementsAre(0));
    EXPECT_THAT(messages_,
                ElementsAre("x.csv:3: warning: the last line has no line end, so it may be cut off; it is "
                            "ignored"));
  }
}

TEST_F(ResultTableTest, AFaultyHeaderIsAnsweredWithARemedy) {
  Load("");
  EXPECT_THAT(messages_, ElementsAre("x.csv: error: the file is empty; a result begins with the line "
                                     "time,path,path..."));
  Load("0,1,2\n1,2,3\n");
  EXPECT_THAT(messages_,
              ElementsAre("x.csv:1: error: the header is missing; the first line must name the columns: "
                          "time,path,path..."));
  Load("t,a\n0,1\n");
  EXPECT_THAT(messages_,
              ElementsAre("x.csv:1: error: the first column is 't'; it must have the heading time, without a "
                          "unit, and contain seconds"));
  Load("time,a,,a\n0,1,2,3\n");
  EXPECT_THAT(messages_, ElementsAre("x.csv:1: error: column 3 has no name; give it one or remove it",
                                     "x.csv:1: error: columns 2 and 4 are both 'a'; keep one"));
  Load("time,a");
  EXPECT_THAT(messages_,
              ElementsAre("x.csv:1: error: the file ends within its header; run the simulation again"));
}

TEST_F(ResultTableTest, AllFaultyLinesAreReportedInOnePass) {
  Load("time,a,b\n0,1,2\n1,2\n2,3,4,5\n3,x1,2\n,4,2\n5,1e999,2\nnan,1,2\n0.5,1,2\n-1,1,2\n");
  EXPECT_THAT(
      messages_,
      ElementsAre(
          "x.csv:3: error: 2 cells, but the header has 3; remove the line or complete it",
          "x.csv:4: error: 4 cells, but the header has 3; remove the line or complete it",
          "x.csv:5: error: a: 'x1' is not a number; write for example 1.5e-3, or leave the cell empty if "
          "there is none",
          "x.csv:6: error: time: '' is not a number; write for example 1.5e-3",
          "x.csv:7: error: a: '1e999' is not a number; write for example 1.5e-3, or leave the cell empty "
          "if there is none",
          "x.csv:8: error: the time is not finite; remove the line",
          "x.csv:10: error: the time falls from 0.5 to -1; sort the lines by time"));
}

TEST_F(ResultTableTest, AnEmptyCellIsAMissingValue) {
  const std::optional<ResultTable> empty = Load("time,a,b\n0,,2\n1,3, \n");
  const std::optional<ResultTable> named = Load("time,a,b\n0,nan,2\n1,3,nan\n");
  ASSERT_TRUE(empty && named);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t k = 0; k < 2; ++k) {
      const double x = empty->columns[i][k], y = named->columns[i][k];
      EXPECT_TRUE(x == y || (std::isnan(x) && std::isnan(y))) << i << ' ' << k;
    }
  }
}

TEST_F(ResultTableTest, AFileThatIsNoResultDoesNotFloodTheUser) {
  std::string text = "time,a\n";
  for (int i = 0; i < 100000; ++i) text += "what is this\n";
  Load(text);
  EXPECT_EQ(messages_.size(), 21U);
  EXPECT_EQ(messages_.back(), "x.csv: error: too many errors; the rest of the file is not read");
}

TEST_F(ResultTableTest, AFileThatCannotBeReadIsNamed) {
  LoadFile(folder_ / "none.csv");
  EXPECT_THAT(messages_, ElementsAre("none.csv: error: cannot be read: No such file or directory"));
  fs::create_directories(folder_ / "folder.csv");
  LoadFile(folder_ / "folder.csv");
  EXPECT_THAT(messages_, ElementsAre("folder.csv: error: cannot be read: Is a directory"));
}

TEST_F(ResultTableTest, ALineWithoutEndTakesBoundedMemory) {
  Load("time,a\n0,1\n");
  fs::resize_file(file_, 3 * LineReader::kLongestLine);
  LoadFile(file_);
  EXPECT_THAT(messages_,
              ElementsAre("x.csv:2: error: a line is longer than 16 MiB; it is not a result file"));
}

TEST_F(ResultTableTest, LinesLongerThanTheReadBufferAreRead) {
  std::string header = "time";
  std::string row = "1";
  for (int i = 0; i < 100000; ++i) {
    header += ",cylinder" + std::to_string(i);
    row += "," + std::to_string(i);
  }
  const auto table = Load(header + '\n' + row + '\n' + row + '\n');
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->names.back(), "cylinder99999");
  EXPECT_THAT(table->columns.back(), ElementsAre(99999, 99999));
}

TEST_F(ResultTableTest, UnitsAreReadByNameWhereTheyAreKnown) {
  std::ofstream(UnitsFileOf(file_)) << "path,unit\nb,Pa\ngone,m\n";
  const auto table = Load("time,a,b\n0,1,2\n");
  ASSERT_TRUE(table.has_value());
  EXPECT_THAT(messages_, IsEmpty());
  EXPECT_THAT(table->units, ElementsAre("", "Pa"));
}

TEST_F(ResultTableTest, EachFaultOfAFileOfUnitsIsAnErrorWithItsLine) {
  std::ofstream(UnitsFileOf(file_)) << "path,unit\na,m\nb\na,mm\nb,,Pa\nc,,Off|On\nc,,,\n";
  EXPECT_FALSE(Load("time,a,b,c\n0,1,2,0\n1,1,1e7,0.5\n").has_value());
  EXPECT_THAT(messages_,
              ElementsAre("x.csv.units:3: error: 1 cell; write path,unit or path,unit,options",
                          "x.csv.units:4: error: a: line 2 has its unit already; keep one of them",
                          "x.csv.units:5: error: b: the value 2 is none of the 1 option; remove the options "
                          "from its line, or give all of them",
                          "x.csv.units:7: error: 4 cells; write path,unit or path,unit,options"));
}

TEST_F(ResultTableTest, OptionsHoldForValuesThatArePositionsOfThemBetweenOrMissing) {
  std::ofstream(UnitsFileOf(file_)) << "path,unit,options\na,,Ideal|Standard|Advanced\n";
  const auto table = Load("time,a\n0,2\n1,0.5\n2,nan\n");
  ASSERT_TRUE(table.has_value());
  EXPECT_THAT(messages_, IsEmpty());
  EXPECT_THAT(table->options, ElementsAre(ElementsAre("Ideal", "Standard", "Advanced")));
  for (const char* value : {"-1", "3", "1e300"}) {
    EXPECT_FALSE(Load(std::string("time,a\n0,") + value + "\n").has_value()) << value;
  }
}

}  // namespace
}  // namespace davit
