#include "results/load_hdf5.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "results/hdf5_writer.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

class LoadHdf5Test : public testing::Test {
 protected:
  LoadHdf5Test()
      : folder_(fs::path(testing::TempDir()) / ("davit_load_hdf5_test_" + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~LoadHdf5Test() override { fs::remove_all(folder_); }

  /// A result with `count` signals, whose values are written so.
  std::string Write(int count) const {
    const fs::path file = folder_ / "result.h5";
    std::vector<ResultColumn> columns;
    for (int i = 0; i < count; ++i) columns.push_back({"load.x" + std::to_string(i), "m", "Position"});
    Hdf5Writer writer(file, columns);
    std::vector<double> row(columns.size());
    for (int k = 0; k < 100; ++k) {
      for (double& x : row) x = std::sin(k);
      writer.WriteRow(0.01 * k, row);
    }
    writer.Close();
    std::ifstream bytes(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(bytes), {}};
  }

  fs::path folder_;
};

TEST_F(LoadHdf5Test, ReadsWhatWasWritten) {
  Write(3);
  std::string fault;
  const auto table = LoadHdf5(folder_ / "result.h5", &fault);
  ASSERT_TRUE(table) << fault;
  EXPECT_EQ(table->names, (std::vector<std::string>{"load.x0", "load.x1", "load.x2"}));
  EXPECT_EQ(table->units, (std::vector<std::string>{"m", "m", "m"}));
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(table->columns[2][k], std::sin(static_cast<double>(k)));
}

/// Whatever is written over the first bytes, which describe the file, it is read or refused with a reason.
TEST_F(LoadHdf5Test, DamagedFilesAreReadOrRefused) {
  std::mt19937 random(20260101);  // its numbers are those of the standard
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  constexpr int kFiles = 250;
  constexpr std::size_t kHead = 3000;
  const fs::path file = folder_ / "damaged.h5";
  // Three signals are links in the header of the group, twelve are in a heap of their own.
  for (const int signals : {3, 12}) {
    const std::string good = Write(signals);
    for (int i = 0; i < kFiles; ++i) {
      std::string bytes = good;
      for (std::size_t k = 1 + below(4); k > 0; --k) {
        const bool is_full = below(3) == 0;
        bytes[below(kHead)] = static_cast<char>(is_full ? 255 : below(256));
      }
      std::ofstream(file, std::ios::binary) << bytes;
      // In a process of its own, so that a crash is one failure.
      const pid_t child = fork();
      if (child == 0) {
        std::string fault;
        const bool is_answered = LoadHdf5(file, &fault).has_value() || !fault.empty();
        _exit(is_answered ? 0 : 1);
      }
      int status = 0;
      waitpid(child, &status, 0);
      ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "file " << i << " of " << signals;
    }
  }
}

}  // namespace
}  // namespace davit
