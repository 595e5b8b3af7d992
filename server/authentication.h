#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/user.h"

namespace davit {

/// SHA-256 of a text, as 32 raw bytes.
std::string Sha256(std::string_view text);
/// Raw bytes that nobody can guess.
std::string RandomBytes(std::size_t count);
std::string ToBase64(std::string_view bytes);
/// Of something that is no base64, empty.
std::string FromBase64(std::string_view text);
/// Lower-case hexadecimal digits.
std::string ToHex(std::string_view bytes);

/// Who may use the server: users with passwords and roles, or everybody who reaches it. Only hashes of
/// passwords are kept. A client answers a challenge with
///
///     SHA256(challenge ":" SHA256(lower(user) ":" password))
///
/// where hashes are 32 raw bytes. After kMostWrong wrong answers in a row an address is refused for
/// kBlockTime. Used by the thread of the server alone.
class Authentication {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr int kMostWrong = 5;
  static constexpr std::chrono::seconds kBlockTime{30};
  static constexpr std::chrono::minutes kChallengeTime{5};
  static constexpr std::size_t kMostRemembered = 1000;  ///< addresses, challenges and tokens, each

  enum class Result : std::uint8_t { kGranted, kWrong, kBlocked };

  /// Everybody may come.
  Authentication() = default;
  /// `idle_time` 0: nobody is locked out for doing nothing.
  Authentication(std::vector<User> users, std::chrono::seconds idle_time);
  /// One user, who may do everything.
  Authentication(std::string_view user, std::string_view password, std::chrono::seconds idle_time);
  Authentication(const Authentication&) = delete;
  Authentication& operator=(const Authentication&) = delete;

  bool is_required() const { return !users_.empty(); }
  std::chrono::seconds idle_time() const { return idle_time_; }

  static std::string MakeChallenge() { return RandomBytes(32); }
  Result Check(std::string_view address, std::string_view user, std::string_view challenge,
               std::string_view response, Clock::time_point now);
  /// Null where there is none of that name. It lives as long as this object.
  const User* FindUser(std::string_view name) const;

  // For HTTP, where a login takes two requests.
  /// A challenge for an address that holds for kChallengeTime, once.
  std::string OpenChallenge(std::string_view address, Clock::time_point now);
  /// The last one of the address, which is open no longer; empty where none is.
  std::string TakeChallenge(std::string_view address, Clock::time_point now);
  /// A token for a browser in which a user has logged in.
  std::string MakeToken(const User& user, Clock::time_point now);
  /// The user of a token that was used within the idle time; it counts as used now. Otherwise null.
  const User* UserOfToken(std::string_view token, Clock::time_point now);

 private:
  struct Attempts {
    int wrong = 0;
    Clock::time_point last;
  };

  std::vector<User> users_;  ///< empty: everybody
  std::chrono::seconds idle_time_{0};
  std::map<std::string, Attempts, std::less<>> attempts_;  ///< by address
  struct Challenge {
    std::string bytes;
    Clock::time_point made;
  };
  std::map<std::string, Challenge, std::less<>> challenges_;  ///< by address
  struct Token {
    const User* user;
    Clock::time_point used;
  };
  std::map<std::string, Token, std::less<>> tokens_;
};

}  // namespace davit
