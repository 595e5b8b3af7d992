#include "framework/fault.h"

#include <gtest/gtest.h>

#include "framework/diagnostics.h"

namespace davit {
namespace {

TEST(FaultTest, TheTextHasBothPartsOrTheOneThatIsThere) {
  const Fault both{"no port 'rodd'", "did you mean 'rod'?"};
  EXPECT_EQ(both.ToText(), "no port 'rodd'; did you mean 'rod'?");
  EXPECT_EQ((Fault{"')' is missing here", {}}).ToText(), "')' is missing here");
  EXPECT_EQ((Fault{{}, "write a value"}).ToText(), "write a value");
  EXPECT_EQ(Fault().ToText(), "");
}

TEST(FaultTest, IsTrueWhereOnePartIsThere) {
  EXPECT_TRUE(Fault().is_empty());
  EXPECT_FALSE(Fault());
  EXPECT_TRUE((Fault{"no value", {}}));
  EXPECT_TRUE((Fault{{}, "write a value"}));
}

TEST(FaultTest, ASemicolonInANameBelongsToItsPart) {
  const Fault fault{"no port 'a; b'", "it has rod"};
  EXPECT_EQ(fault.remedy, "it has rod");
  EXPECT_EQ(fault.ToText(), "no port 'a; b'; it has rod");
}

// Law: the parts of a text are the text.
TEST(FaultTest, ATextHasTheRemedyBehindItsFirstSemicolonThatIsNotQuoted) {
  const auto expect = [](std::string_view text, std::string_view what, std::string_view remedy) {
    const Fault fault = ToFault(text);
    EXPECT_EQ(fault.what, what) << text;
    EXPECT_EQ(fault.remedy, remedy) << text;
    EXPECT_EQ(fault.ToText(), text);
  };
  expect("no mass; write mass=\"5 t\"; or leave it out", "no mass", "write mass=\"5 t\"; or leave it out");
  expect("x: 'a; b' is not a number; write 5", "x: 'a; b' is not a number", "write 5");
  expect("the model's value is wrong; write 5", "the model's value is wrong", "write 5");
  expect("diverged", "diverged", "");
  expect("ends with a mark; ", "ends with a mark; ", "");
  expect("; begins with one", "; begins with one", "");
  expect("", "", "");
}

TEST(FaultTest, BecomesTheMessageOfADiagnostic) {
  Diagnostics diagnostics;
  diagnostics.Error({}, "/crane", Fault{"no mass", "write mass=\"5 t\""});
  ASSERT_EQ(diagnostics.error_count(), 1U);
  EXPECT_EQ(diagnostics.all().front().message(), "no mass; write mass=\"5 t\"");
}

}  // namespace
}  // namespace davit
