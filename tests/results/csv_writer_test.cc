#include "results/csv_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/heap/allocation_counter.h"
#include "results/result_table.h"
#include "tests/support/special_values.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string Text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string Printed(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string FaultOf(const auto& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no fault";
}

/// While it lives, files cannot grow beyond `size` bytes, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t size) : old_action_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_limit_);
    const rlimit limit{size, old_limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_limit_);
    std::signal(SIGXFSZ, old_action_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*old_action_)(int);
  rlimit old_limit_{};
};

class CsvWriterTest : public testing::Test {
 protected:
  CsvWriterTest()
      : folder_(fs::path(testing::TempDir()) / ("davit_csv_writer_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CsvWriterTest() override { fs::remove_all(folder_); }

  const fs::path folder_;
  const fs::path file_ = folder_ / "x.csv";
};

TEST_F(CsvWriterTest, WritesPathsValuesAndUnits) {
  CsvWriter writer(file_, {"cylinder.x", "cylinder.p_a", "pump.level"}, {"m", "Pa", ""});
  writer.WriteRow(0, std::vector{1.0, 15.6e5, 2.0});
  writer.WriteRow(0.01, std::vector{0.1, -kInfinity, kNan});
  writer.Close();
  EXPECT_EQ(Text(file_),
            "time,cylinder.x,cylinder.p_a,pump.level\n"
            "0,1,1560000,2\n"
            "0.01,0.10000000000000001,-inf,nan\n");
  EXPECT_EQ(UnitsFileOf(file_), folder_ / "x.csv.units");
  EXPECT_EQ(Text(UnitsFileOf(file_)), "path,unit\ncylinder.x,m\ncylinder.p_a,Pa\npump.level,\n");
}

TEST_F(CsvWriterTest, OnlyNamesWithCommaOrQuoteAreQuoted) {
  CsvWriter(file_, {"a b", "table(1,2)", "say \"x\""}, {"m", "m", "m"}).Close();
  EXPECT_EQ(Text(file_), "time,a b,\"table(1,2)\",\"say \"\"x\"\"\"\n");
}

TEST_F(CsvWriterTest, NumbersAreThoseOfPrintfWithSeventeenDigits) {
  const std::vector<double> values{0.0,
                                   -0.0,
                                   1.0 / 3,
                                   1e15,
                                   1e16,
                                   1e17,
                                   123456789012345678.0,
                                   -7.0,
                                   1e-4,
                                   1e-5,
                                   5e-324,
                                   1e300,
                                   999999999999999.0,
                                   0.30000000000000004};
  CsvWriter writer(file_, {"x"}, {"m"});
  std::string expected = "time,x\n";
  for (const double value : values) {
    writer.WriteRow(0, {&value, 1});
    expected += "0," + Printed(value) + '\n';
  }
  writer.Close();
  EXPECT_EQ(Text(file_), expected);
}

TEST_F(CsvWriterTest, ReadingGivesBackTheSameBits) {
  std::mt19937_64 random(1);
  std::vector<std::vector<double>> rows{{0.0, -0.0, kInfinity},
                                        {-kInfinity, 5e-324, 2.2250738585072014e-308},
                                        {1.7976931348623157e308, 0.1, 1e22}};
  while (rows.size() < 5000) {
    std::vector<double> row(3);
    for (double& value : row) {
      do value = std::bit_cast<double>(random());
      while (!std::isfinite(value));
    }
    rows.push_back(row);
  }
  CsvWriter writer(file_, {"a", "b", "c"}, {"", "Pa", "m"});
  for (std::size_t i = 0; i < rows.size(); ++i) writer.WriteRow(0.1 * static_cast<double>(i), rows[i]);
  writer.Close();

  Diagnostics diagnostics;
  const std::optional<ResultTable> table = LoadCsv(file_, diagnostics);
  ASSERT_TRUE(table.has_value());
  EXPECT_TRUE(diagnostics.all().empty());
  EXPECT_EQ(table->names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(table->units, (std::vector<std::string>{"", "Pa", "m"}));
  ASSERT_EQ(table->time.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(table->time[i], 0.1 * static_cast<double>(i));
    for (std::size_t column = 0; column < 3; ++column) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(table->columns[column][i]),
                std::bit_cast<std::uint64_t>(rows[i][column]));
    }
  }
}

TEST_F(CsvWriterTest, ARowAllocatesNothingNotEvenWhenTheBufferIsWritten) {
  CsvWriter writer(file_, {"a", "b"}, {"", ""});
  const std::vector<double> values{1.0 / 3, 1e-300 / 7};
  if (!AllocationCounter::is_counting()) GTEST_SKIP();
  const AllocationCounter allocations;
  for (int i = 0; i < 20000; ++i) writer.WriteRow(1e-3 * i, values);
  writer.Flush();
  EXPECT_EQ(allocations.count(), 0U);
  EXPECT_GT(fs::file_size(file_), 2U * 256 * 1024);
}

TEST_F(CsvWriterTest, ACrashLosesTheLastBufferOnlyAndNoPartOfALine) {
  CsvWriter writer(file_, {"a"}, {""});
  EXPECT_EQ(Text(file_), "time,a\n");
  std::uintmax_t written = 0;
  for (int i = 0; i < 50000; ++i) {
    const double value = i / 3.0;
    writer.WriteRow(i, {&value, 1});
    written += Printed(i).size() + Printed(value).size() + 2;
    ASSERT_LE(written, fs::file_size(file_) + 256 * 1024);
  }
  EXPECT_EQ(Text(file_).back(), '\n');
}

TEST_F(CsvWriterTest, ARowMayBeLongerThanTheUsualBuffer) {
  const std::size_t count = 20000;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("x" + std::to_string(i));
  CsvWriter writer(file_, names, std::vector<std::string>(count));
  for (int i = 0; i < 3; ++i) writer.WriteRow(i, std::vector<double>(count, -1.2345678901234567e-300));
  writer.Close();
  Diagnostics diagnostics;
  const std::optional<ResultTable> table = LoadCsv(file_, diagnostics);
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->columns.back(), std::vector<double>(3, -1.2345678901234567e-300));
}

TEST_F(CsvWriterTest, AFileThatCannotBeOpenedIsNamedWithTheReason) {
  const auto open = [](const fs::path& path) { return FaultOf([&] { CsvWriter(path, {"a"}, {""}); }); };
  EXPECT_EQ(open(folder_ / "none/x.csv"),
            (folder_ / "none/x.csv").string() +
                ": cannot be opened for writing: No such file or directory; make the "
                "folder " +
                (folder_ / "none").string() + " first");
  EXPECT_THAT(open(folder_), HasSubstr("Is a directory; give the name of a file"));
}

TEST_F(CsvWriterTest, AFullDiskIsNeverSilent) {
  EXPECT_THAT(FaultOf([] { CsvWriter("/dev/full", {"a"}, {""}); }),
              HasSubstr("/dev/full: cannot be written: No space left on device"));

  CsvWriter writer(file_, {"a"}, {""});
  const double value = 1.0 / 3;
  const auto write_rows = [&] {
    for (int i = 0; i < 100000; ++i) writer.WriteRow(i, {&value, 1});
  };
  {
    const FileSizeLimit limit(300 * 1024);
    EXPECT_THAT(FaultOf(write_rows), HasSubstr("x.csv: cannot be written: File too large"));
  }
  EXPECT_THAT(FaultOf(write_rows), HasSubstr("accepts no more results"));  // nothing may follow a torn line

  CsvWriter other(folder_ / "y.csv", {"a"}, {""});
  other.WriteRow(0, {&value, 1});
  const FileSizeLimit limit(8);
  EXPECT_THAT(FaultOf([&] { other.Close(); }), HasSubstr("y.csv: cannot be written"));
}

TEST_F(CsvWriterTest, ADeviceGetsNoFileOfUnits) {
  CsvWriter("/dev/null", {"a"}, {"m"}).Close();
  EXPECT_FALSE(fs::exists("/dev/null.units"));
}

}  // namespace
}  // namespace davit
