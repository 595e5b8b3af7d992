#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace davit {

/// The first line of a file. Throws std::runtime_error with what is wrong and what would be right.
std::string ReadPasswordFile(const std::filesystem::path& file);

/// Asks on the terminal, which does not show what is typed. Throws std::runtime_error where there is no
/// terminal.
std::string AskForPassword(const std::string& prompt);

}  // namespace davit
