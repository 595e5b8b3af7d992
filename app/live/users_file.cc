#include "app/live/users_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace davit {
namespace {

constexpr std::size_t kLongestUserName = 64;
constexpr std::uintmax_t kLargestFile = 1'000'000;  // [B]

bool IsUserName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestUserName && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
}

std::optional<std::string> ReadHash(std::string_view text) {
  if (text.size() != 64) return std::nullopt;
  std::string bytes;
  for (const char c : text) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (!is_digit && !is_letter) return std::nullopt;
  }
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16));
  return bytes;
}

/// The reader of one file.
class UsersReader {
 public:
  UsersReader(const std::filesystem::path& file, Diagnostics& diagnostics)
      : file_(std::make_shared<const std::string>(file.string())), diagnostics_(diagnostics) {}

  void TakeLine(const std::string& line, int number) {
    std::istringstream words(line);
    std::string name;
    std::string role_text;
    std::string hash_text;
    std::string rest;
    if (!(words >> name) || name.starts_with('#')) return;
    const SourceLocation place{file_, number};
    if (!(words >> role_text >> hash_text) || words >> rest) {
      return diagnostics_.Error(place, {},
                                "not a user; write a name, a role and a hash, such as 'anna edit 75b5...'");
    }
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const std::optional<UserRole> role = FindUserRole(role_text);
    std::optional<std::string> hash = ReadHash(hash_text);
    if (!IsUserName(name)) {
      diagnostics_.Error(place, {},
                         fmt::format("not a valid user name; use up to {} letters, digits, '-', '_' and '.'",
                                     kLongestUserName));
    } else if (const auto [found, is_new] = lines_.emplace(name, number); !is_new) {
      diagnostics_.Error(
          place, {},
          fmt::format("user '{}' is already in line {}; remove one of the two", name, found->second));
    }
    if (!role)
      diagnostics_.Error(place, {}, fmt::format("no such role; write {}", fmt::join(kUserRoleNames, " or ")));
    // The hash itself is not shown: it is as good as the password.
    if (!hash)
      diagnostics_.Error(
          place, {}, "the hash is not 64 hexadecimal digits; write those of sha256sum (docs/live.md#users)");
    if (role && hash) users_.push_back({name, *role, *std::move(hash)});
  }
  std::vector<User> TakeUsers() {
    if (users_.empty() && !diagnostics_.has_errors())
      diagnostics_.Error({file_, 0}, {}, "no user; write a line for each: name, role and hash");
    return std::move(users_);
  }

 private:
  const std::shared_ptr<const std::string> file_;
  Diagnostics& diagnostics_;
  std::vector<User> users_;
  std::map<std::string, int> lines_;  ///< by name
};

}  // namespace

std::vector<User> ReadUsersFile(const std::filesystem::path& file, Diagnostics& diagnostics) {
  UsersReader reader(file, diagnostics);
  std::error_code fault;
  const bool is_file = std::filesystem::is_regular_file(file, fault);
  std::ifstream stream(file);
  if (!is_file || !stream || std::filesystem::file_size(file, fault) > kLargestFile) {
    diagnostics.Error({std::make_shared<const std::string>(file.string()), 0}, {},
                      is_file && stream
                          ? "larger than 1 MB, which no file of users is; check the path of --users"
                          : "cannot be read; check the path of --users");
    return {};
  }
  std::string line;
  for (int number = 1; std::getline(stream, line); ++number) reader.TakeLine(line, number);
  return reader.TakeUsers();
}

}  // namespace davit
