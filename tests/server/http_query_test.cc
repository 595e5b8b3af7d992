#include "server/http_query.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "server/authentication.h"
#include "server/node_write.h"

namespace davit {
namespace {

TEST(HttpQuery, TargetsAreTakenApart) {
  HttpQuery query;
  ASSERT_TRUE(ReadTarget("/crane1/api/values?path=a.b&path=c%5B1%5D&x=1+2#end", "/crane1", query));
  EXPECT_EQ(query.path, "/api/values");
  EXPECT_EQ(query.FindAll("path"), (std::vector<std::string>{"a.b", "c[1]"}));
  EXPECT_EQ(query.Find("x"), "1 2");
  EXPECT_EQ(query.Find("y"), "");
  query = {};
  ASSERT_TRUE(ReadTarget("/crane1", "/crane1", query));
  EXPECT_EQ(query.path, "/");
  EXPECT_FALSE(ReadTarget("/crane12/api", "/crane1", query));
  EXPECT_FALSE(ReadTarget("/api", "/crane1", query));
  EXPECT_EQ(DecodeUrl("%zz%4", true), "%zz%4");
}

TEST(HttpQuery, OnlyNamesOfThisServerAreAHost) {
  for (const char* host : {"localhost:7689", "127.0.0.1:7689", "127.0.0.1", "[::1]:7689", "192.168.1.2",
                           "LOCALHOST", "crane.example:80"})
    EXPECT_TRUE(IsOwnHost(host, {"Crane.Example"})) << host;
  for (const char* host : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example:7689",
                           "1.2.3.4.5", "[evil]", "[::1].evil.example", "::1evil"})
    EXPECT_FALSE(IsOwnHost(host, {"crane.example"})) << host;
}

TEST(HttpQuery, OnlyThePageOfThisServerIsAnOrigin) {
  EXPECT_TRUE(IsOwnOrigin("http://127.0.0.1:7689", "127.0.0.1:7689", {}));
  EXPECT_TRUE(IsOwnOrigin("https://crane.example", "127.0.0.1:7689", {"crane.example"}));
  for (const char* origin : {"null", "http://evil.example", "http://127.0.0.1:80",
                             "http://127.0.0.1:7689.evil.example", "127.0.0.1:7689"})
    EXPECT_FALSE(IsOwnOrigin(origin, "127.0.0.1:7689", {})) << origin;
}

TEST(HttpQuery, CookiesAreFoundByName) {
  EXPECT_EQ(FindCookie("a=1; davit_session=xyz; b=2", "davit_session"), "xyz");
  EXPECT_EQ(FindCookie("xdavit_session=1", "davit_session"), "");
  EXPECT_EQ(FindCookie("", "davit_session"), "");
}

TEST(NodeWrite, OnlyOneLineOfUtf8IsAValue) {
  for (const char* text : {"", "250 bar", "a\tb", "80 \xc2\xb0", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_TRUE(IsPlainLine(text)) << text;
  for (const char* text : {"a\nb", "\x1b[0m", "\xff", "\xc3", "\xe2\x82", "\xc0\x80", "\x80"})
    EXPECT_FALSE(IsPlainLine(text));
}

TEST(Authentication, HashesAreThoseOfTheStandards) {
  // FIPS 180-2, B.1.
  EXPECT_EQ(ToHex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // RFC 4648, 10.
  for (const auto& [bytes, text] :
       {std::pair{"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}}) {
    EXPECT_EQ(ToBase64(bytes), text);
    EXPECT_EQ(FromBase64(text), bytes);
  }
  EXPECT_EQ(FromBase64("Zg="), "");
  EXPECT_EQ(FromBase64("!!!!"), "");
}

TEST(Authentication, AnAddressWithTooManyWrongAnswersHasToWait) {
  Authentication authentication("Anna", "secret", std::chrono::seconds(0));
  const std::string challenge = Authentication::MakeChallenge();
  const std::string right = Sha256(challenge + ":" + Sha256("anna:secret"));
  auto now = Authentication::Clock::now();
  using Result = Authentication::Result;
  EXPECT_EQ(authentication.Check("a", "ANNA", challenge, right, now), Result::kGranted);
  for (int i = 0; i < Authentication::kMostWrong; ++i)
    EXPECT_EQ(authentication.Check("a", "anna", challenge, "wrong", now), Result::kWrong);
  EXPECT_EQ(authentication.Check("a", "anna", challenge, right, now), Result::kBlocked);
  EXPECT_EQ(authentication.Check("b", "anna", challenge, right, now), Result::kGranted);
  EXPECT_EQ(authentication.Check("b", "otto", challenge, right, now), Result::kWrong);
  now += Authentication::kBlockTime;
  EXPECT_EQ(authentication.Check("a", "anna", challenge, right, now), Result::kGranted);
}

TEST(Authentication, EachUserHasAPasswordAndATokenOfItsOwn) {
  Authentication authentication(
      {{"anna", UserRole::kEdit, Sha256("anna:one")}, {"otto", UserRole::kView, Sha256("otto:two")}},
      std::chrono::seconds(0));
  const auto now = Authentication::Clock::now();
  using Result = Authentication::Result;
  const auto check = [&](const std::string& name, const std::string& hashed, const char* address) {
    return authentication.Check(address, name, "c", Sha256("c:" + Sha256(hashed)), now);
  };
  EXPECT_EQ(check("anna", "anna:one", "1"), Result::kGranted);
  EXPECT_EQ(check("Otto", "otto:two", "2"), Result::kGranted);
  // The password of one does not let in another, under whichever name it was hashed.
  EXPECT_EQ(check("anna", "otto:two", "3"), Result::kWrong);
  EXPECT_EQ(check("anna", "anna:two", "4"), Result::kWrong);
  EXPECT_EQ(check("", "otto:two", "5"), Result::kWrong);
  EXPECT_EQ(authentication.FindUser("nobody"), nullptr);
  for (const char* const name : {"anna", "otto"}) {
    const User* const user = authentication.FindUser(name);
    ASSERT_NE(user, nullptr);
    EXPECT_EQ(authentication.UserOfToken(authentication.MakeToken(*user, now), now), user);
  }
}

TEST(Authentication, ARoleIncludesThoseBeforeIt) {
  constexpr std::array<UserRole, 3> kRoles{UserRole::kView, UserRole::kOperate, UserRole::kEdit};
  for (const UserRole has : kRoles) {
    EXPECT_EQ(FindUserRole(ToText(has)), has);
    for (const UserRole needed : kRoles) EXPECT_EQ(RefusalOf(has, needed).empty(), has >= needed);
  }
  EXPECT_EQ(FindUserRole("admin"), std::nullopt);
}

TEST(Authentication, TokensAndChallengesEnd) {
  Authentication authentication("anna", "secret", std::chrono::seconds(10));
  auto now = Authentication::Clock::now();
  const std::string token = authentication.MakeToken(*authentication.FindUser("anna"), now);
  EXPECT_EQ(authentication.UserOfToken(token, now + std::chrono::seconds(9)),
            authentication.FindUser("Anna"));
  EXPECT_EQ(authentication.UserOfToken(token, now + std::chrono::seconds(18)),
            authentication.FindUser("anna"));
  EXPECT_EQ(authentication.UserOfToken(token, now + std::chrono::seconds(30)), nullptr);
  EXPECT_EQ(authentication.UserOfToken("", now), nullptr);
  const std::string challenge = authentication.OpenChallenge("a", now);
  EXPECT_EQ(authentication.TakeChallenge("b", now), "");
  EXPECT_EQ(authentication.TakeChallenge("a", now), challenge);
  EXPECT_EQ(authentication.TakeChallenge("a", now), "");
}

}  // namespace
}  // namespace davit
