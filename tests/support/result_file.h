#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/diagnostics.h"
#include "results/result_table.h"

namespace davit {

/// A CSV of a run. What is not there fails the test and reads as empty.
class ResultFile {
 public:
  explicit ResultFile(const std::filesystem::path& file) {
    Diagnostics diagnostics;
    std::optional<ResultTable> table = LoadCsv(file, diagnostics);
    EXPECT_TRUE(table.has_value()) << file;
    table_ = std::move(table).value_or(ResultTable{});
  }
  const std::vector<double>& operator[](const std::string& signal) const {
    static const std::vector<double> kNothing;
    const auto it = std::ranges::find(table_.names, signal);
    EXPECT_TRUE(it != table_.names.end()) << signal;
    if (it == table_.names.end()) return kNothing;
    return table_.columns[static_cast<std::size_t>(it - table_.names.begin())];
  }
  const std::vector<double>& time() const { return table_.time; }

 private:
  ResultTable table_;
};

}  // namespace davit
