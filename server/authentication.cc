#include "server/authentication.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace davit {
namespace {

std::string ToLower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

bool IsSame(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

/// Removes the entry whose time is the longest ago.
template <class Map, class Time>
void MakeRoom(Map& map, Time time_of) {
  if (map.size() < Authentication::kMostRemembered) return;
  map.erase(std::ranges::min_element(map, {}, [&](const auto& entry) { return time_of(entry.second); }));
}

}  // namespace

std::string Sha256(std::string_view text) {
  std::string digest(32, '\0');
  unsigned size = 0;
  if (EVP_Digest(text.data(), text.size(), reinterpret_cast<unsigned char*>(digest.data()), &size,
                 EVP_sha256(), nullptr) != 1 ||
      size != digest.size())
    throw std::runtime_error("OpenSSL gives no SHA-256");
  return digest;
}

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1)
    throw std::runtime_error("OpenSSL gives no random bytes");
  return bytes;
}

std::string ToBase64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size = EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), Bytes(bytes),
                                   static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

std::string FromBase64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0 || text.size() > 1'000'000) return {};
  std::string bytes(text.size() / 4 * 3, '\0');
  const int size = EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()), Bytes(text),
                                   static_cast<int>(text.size()));
  if (size < 0) return {};
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(size) - padding);
  return bytes;
}

std::string ToHex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Authentication::Authentication(std::vector<User> users, std::chrono::seconds idle_time)
    : users_(std::move(users)), idle_time_(idle_time) {}

Authentication::Authentication(std::string_view user, std::string_view password,
                               std::chrono::seconds idle_time)
    : Authentication({{ToLower(user), UserRole::kEdit, Sha256(ToLower(user) + ':' + std::string(password))}},
                     idle_time) {}

const User* Authentication::FindUser(std::string_view name) const {
  const auto found = std::ranges::find(users_, ToLower(name), &User::name);
  return found == users_.end() ? nullptr : &*found;
}

Authentication::Result Authentication::Check(std::string_view address, std::string_view user,
                                             std::string_view challenge, std::string_view response,
                                             Clock::time_point now) {
  auto found = attempts_.find(address);
  if (found != attempts_.end() && found->second.wrong >= kMostWrong) {
    if (now < found->second.last + kBlockTime) return Result::kBlocked;
    attempts_.erase(found);
    found = attempts_.end();
  }
  // All are compared with both, so that the time tells nothing about the users.
  const std::string name = ToLower(user);
  bool is_right = false;
  for (const User& one : users_) {
    const bool is_response_right = IsSame(response, Sha256(std::string(challenge) + ':' + one.hash));
    const bool is_name_right = IsSame(name, one.name);
    if (is_name_right && is_response_right) is_right = true;
  }
  if (is_right) {
    if (found != attempts_.end()) attempts_.erase(found);
    return Result::kGranted;
  }
  if (found == attempts_.end()) {
    MakeRoom(attempts_, [](const Attempts& a) { return a.last; });
    found = attempts_.emplace(address, Attempts{}).first;
  }
  ++found->second.wrong;
  found->second.last = now;
  return Result::kWrong;
}

std::string Authentication::OpenChallenge(std::string_view address, Clock::time_point now) {
  MakeRoom(challenges_, [](const Challenge& c) { return c.made; });
  Challenge challenge{MakeChallenge(), now};
  return challenges_.insert_or_assign(std::string(address), std::move(challenge)).first->second.bytes;
}

std::string Authentication::TakeChallenge(std::string_view address, Clock::time_point now) {
  const auto found = challenges_.find(address);
  if (found == challenges_.end()) return {};
  const Challenge challenge = found->second;
  challenges_.erase(found);
  return now < challenge.made + kChallengeTime ? challenge.bytes : std::string();
}

std::string Authentication::MakeToken(const User& user, Clock::time_point now) {
  MakeRoom(tokens_, [](const Token& t) { return t.used; });
  std::string token = ToHex(RandomBytes(32));
  tokens_.emplace(token, Token{&user, now});
  return token;
}

const User* Authentication::UserOfToken(std::string_view token, Clock::time_point now) {
  const auto found = tokens_.find(token);
  if (found == tokens_.end()) return nullptr;
  if (idle_time_.count() > 0 && now > found->second.used + idle_time_) {
    tokens_.erase(found);
    return nullptr;
  }
  found->second.used = now;
  return found->second.user;
}

}  // namespace davit
