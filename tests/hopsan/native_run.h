#pragma once

#include <string>
#include <vector>

#include "hopsan/import/hmf_import.h"

namespace davit {

/// All models of davit and of Hopsan.
const Registry& NativeModels();

/// A model of Hopsan, as components of it or as those of davit. Throws std::invalid_argument with its faults.
hopsan::HmfImport ImportModel(const std::string& name, const std::string& text, bool is_native);

/// The values of `path` every 10 ms, after levels of `levels` are set.
std::vector<double> RunOf(const std::string& system, const std::string& path, double stop,
                          const std::vector<std::string>& levels = {});

/// The largest difference over the largest value.
double Deviation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace davit
