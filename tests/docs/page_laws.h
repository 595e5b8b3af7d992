#pragma once

#include <filesystem>
#include <string>

namespace davit {

/// Looks at the results that the commands of a page left in the folder of its reader: numbers that the page
/// promises, and laws that its models keep. Pages without such are passed over.
void CheckResultsOf(const std::string& page, const std::filesystem::path& folder);

}  // namespace davit
