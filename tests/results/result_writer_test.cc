// The same rows in all kinds of result files.

#include "results/result_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "results/load_result.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class ResultWriterTest : public testing::TestWithParam<std::string> {
 protected:
  ResultWriterTest()
      : folder_(fs::path(testing::TempDir()) /
                ("davit_result_writer_test_" + std::to_string(getpid()) + GetParam())) {
    fs::create_directories(folder_);
    file_ = folder_ / ("run" + GetParam());
  }
  ~ResultWriterTest() override { fs::remove_all(folder_); }

  std::optional<ResultTable> Load() {
    Diagnostics diagnostics;
    std::optional<ResultTable> table = LoadResult(file_, diagnostics);
    fault_ = diagnostics.all().empty() ? "" : ToText(diagnostics.all().front());
    return table;
  }

  /// From now on Load reads the bytes that the operating system has now.
  void CopyAsACrashLeavesIt() {
    const fs::path copy = folder_ / ("copy" + GetParam());
    fs::copy_file(file_, copy, fs::copy_options::overwrite_existing);
    file_ = copy;
  }

  fs::path folder_, file_;
  std::string fault_;
};

const std::vector<ResultColumn> kColumns{{"cylinder.p_a", "Pa", "Pressure in chamber A"},
                                         {"load.x", "m", "Displacement"},
                                         {"cylinder.level", "", "", {"Ideal", "Standard", "My own"}}};

TEST_P(ResultWriterTest, WhatWasWrittenIsReadBackBitForBit) {
  const std::unique_ptr<ResultWriter> writer = MakeResultWriter(file_, kColumns);
  const std::vector<double> first{1.5e5, 0.1, 0}, second{std::nextafter(1.5e5, 2e5), -1e-300, 1};
  writer->WriteRow(0, first);
  writer->WriteRow(0.01, second);
  writer->WriteRow(0.01, first);
  writer->Close();
  writer->Close();
  const auto table = Load();
  ASSERT_TRUE(table) << fault_;
  EXPECT_THAT(table->names, ElementsAre("cylinder.p_a", "load.x", "cylinder.level"));
  EXPECT_THAT(table->units, ElementsAre("Pa", "m", ""));
  EXPECT_THAT(table->time, ElementsAre(0, 0.01, 0.01));
  EXPECT_THAT(table->options, ElementsAre(kColumns[0].options, kColumns[1].options, kColumns[2].options));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_THAT(table->columns[i], ElementsAre(first[i], second[i], first[i])) << i;
}

TEST_P(ResultWriterTest, CanBeReadWhileTheRunGoesOn) {
  const std::unique_ptr<ResultWriter> writer = MakeResultWriter(file_, kColumns);
  for (int i = 0; i < 1500; ++i) writer->WriteRow(i, std::vector<double>{1.0 * i, 2.0 * i, 0});
  writer->Flush();
  CopyAsACrashLeavesIt();
  const auto table = Load();
  ASSERT_TRUE(table) << fault_;
  ASSERT_EQ(table->time.size(), 1500U);
  EXPECT_EQ(table->columns[1].back(), 2998);
  EXPECT_EQ(table->time.back(), 1499);
}

TEST_P(ResultWriterTest, AResultWithoutRowsIsOne) {
  MakeResultWriter(file_, kColumns)->Close();
  const auto table = Load();
  ASSERT_TRUE(table) << fault_;
  EXPECT_EQ(table->names.size(), 3U);
  EXPECT_TRUE(table->time.empty());
}

TEST_P(ResultWriterTest, CanBeReadFromTheStart) {
  const std::unique_ptr<ResultWriter> writer = MakeResultWriter(file_, kColumns);
  CopyAsACrashLeavesIt();
  const auto table = Load();
  ASSERT_TRUE(table) << fault_;
  EXPECT_EQ(table->names.size(), 3U);
  EXPECT_TRUE(table->time.empty());
}

TEST_P(ResultWriterTest, WhatFollowsAFlushLeavesItsRowsReadable) {
  const fs::path file = file_;
  const std::unique_ptr<ResultWriter> writer = MakeResultWriter(file_, kColumns);
  for (int i = 0; i < 5000; ++i) {
    writer->WriteRow(i, std::vector<double>{1.0 * i, 2.0 * i, 0});
    if (i % 700 == 0) writer->Flush();
    if (i % 350 != 0) continue;
    file_ = file;
    CopyAsACrashLeavesIt();
    const auto table = Load();
    ASSERT_TRUE(table) << i << fault_;
    ASSERT_GE(table->time.size(), static_cast<std::size_t>(i / 700 * 700 + 1));
    for (std::size_t n = 0; n < table->time.size(); ++n)
      ASSERT_EQ(table->columns[1][n], 2.0 * static_cast<double>(n));
  }
}

TEST_P(ResultWriterTest, EqualRunsGiveEqualFiles) {
  // Also where the clock has them written at other rows.
  const auto write = [&](int rows_between) {
    const std::unique_ptr<ResultWriter> writer = MakeResultWriter(file_, kColumns);
    for (int i = 0; i < 3000; ++i) {
      writer->WriteRow(0.1 * i, std::vector<double>{1.0 * i, std::sqrt(i), 1});
      if (i % rows_between == 0) writer->Flush();
    }
    writer->Close();
    std::ifstream stream(file_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string once = write(10'000);
  for (const int rows : {10'000, 1, 700, 1024}) EXPECT_TRUE(once == write(rows)) << rows;
}

TEST_P(ResultWriterTest, AFolderThatIsNotThereIsNamed) {
  try {
    MakeResultWriter(folder_ / "none" / ("run" + GetParam()), kColumns);
    FAIL();
  } catch (const std::runtime_error& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("make the folder"));
  }
}

TEST_P(ResultWriterTest, WhatIsNoResultIsRefused) {
  for (const std::string& content : {std::string("hello"), std::string(), std::string(3000, '\xff')}) {
    std::ofstream(file_, std::ios::binary) << content;
    EXPECT_FALSE(Load());
    EXPECT_THAT(fault_, HasSubstr("error: "));
  }
}

TEST_P(ResultWriterTest, ATornFileDoesNoHarm) {
  const std::unique_ptr<ResultWriter> writer = MakeResultWriter(file_, kColumns);
  for (int i = 0; i < 100; ++i) writer->WriteRow(i, std::vector<double>{1.0 * i, 2.0 * i, 0});
  writer->Close();
  const auto size = fs::file_size(file_);
  for (std::uintmax_t length = size; length > 0; length -= std::min<std::uintmax_t>(length, size / 50 + 1)) {
    fs::resize_file(file_, length);
    Load();  // a table or a fault
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ResultWriterTest, testing::Values(".csv", ".mat", ".h5"),
                         [](const auto& kind) { return kind.param.substr(1); });

}  // namespace
}  // namespace davit
