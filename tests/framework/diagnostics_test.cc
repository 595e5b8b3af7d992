#include "framework/diagnostics.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace davit {
namespace {

SourceLocation At(const std::string& file, int line) {
  return {std::make_shared<const std::string>(file), line};
}

std::vector<std::string> Messages(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : diagnostics) messages.push_back(diagnostic.message());
  return messages;
}

TEST(DiagnosticsTest, TextLeavesOutWhatIsUnknown) {
  const SourceLocation line = At("crane.xml", 19);
  EXPECT_EQ(ToText({Severity::kError, line, "/crane/boom", Fault{"no mass", {}}}),
            "crane.xml:19: error: /crane/boom: no mass");
  EXPECT_EQ(ToText({Severity::kWarning, line, "", Fault{"no mass", {}}}), "crane.xml:19: warning: no mass");
  EXPECT_EQ(ToText({Severity::kError, At("--set a.b=3", 0), "/a", Fault{"no b", {}}}),
            "--set a.b=3: error: /a: no b");
  EXPECT_EQ(ToText({Severity::kError, {}, "/a", Fault{"no b", {}}}), "error: /a: no b");
  EXPECT_EQ(ToText({Severity::kError, At("", 3), "", Fault{"no b", {}}}), "error: no b");
}

TEST(DiagnosticsTest, TextIsOneLine) {
  EXPECT_EQ(ToText({Severity::kError, {}, "/a\nb", Fault{"x\r\n\x1b[31my\x7f", {}}}),
            "error: /a b: x   [31my ");
}

TEST(DiagnosticsTest, OnlyErrorsAreErrors) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has_errors());
  diagnostics.Warning({}, "/a", "odd");
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 0u);
  diagnostics.Error({}, "/a", "wrong");
  EXPECT_TRUE(diagnostics.has_errors());
  EXPECT_EQ(diagnostics.error_count(), 1u);
  EXPECT_EQ(Messages(diagnostics.all()), (std::vector<std::string>{"odd", "wrong"}));
}

TEST(DiagnosticsTest, SortsByFileAsFirstSeenThenByLineAndKeepsTheOrderOfArrival) {
  Diagnostics diagnostics;
  diagnostics.Error(At("z.xml", 9), "", "z9");
  diagnostics.Error(At("a.xml", 5), "", "a5 first");
  diagnostics.Warning(At("z.xml", 2), "", "z2");
  diagnostics.Error({}, "", "nowhere");
  diagnostics.Error(At("a.xml", 5), "", "a5 second");
  diagnostics.Error(At("a.xml", 1), "", "a1");
  EXPECT_EQ(Messages(diagnostics.SortedByPlace()),
            (std::vector<std::string>{"z2", "z9", "a1", "a5 first", "a5 second", "nowhere"}));
  EXPECT_EQ(diagnostics.all().front().message(), "z9");
}

TEST(DiagnosticsTest, CountsWhatItDoesNotKeepAndSaysSoLast) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < Diagnostics::kMaxKept; ++i) diagnostics.Error(At("a.xml", 1), "", "wrong");
  EXPECT_EQ(diagnostics.all().size(), Diagnostics::kMaxKept);
  EXPECT_EQ(diagnostics.all().back().message(), "wrong");

  diagnostics.Error(At("a.xml", 1), "", "wrong");
  EXPECT_EQ(diagnostics.all().back().message(), "1 more error left out");
  diagnostics.Error(At("a.xml", 1), "", "wrong");
  diagnostics.Warning(At("a.xml", 1), "", "odd");
  EXPECT_EQ(diagnostics.error_count(), Diagnostics::kMaxKept + 2);
  ASSERT_EQ(diagnostics.all().size(), Diagnostics::kMaxKept + 2);
  EXPECT_EQ(diagnostics.all()[Diagnostics::kMaxKept].message(), "odd");
  EXPECT_EQ(ToText(diagnostics.all().back()), "error: 2 more errors left out");
  EXPECT_EQ(diagnostics.SortedByPlace().back().message(), "2 more errors left out");

  for (std::size_t i = 0; i < Diagnostics::kMaxKept; ++i) diagnostics.Warning(At("b.xml", 1), "", "odd");
  EXPECT_EQ(diagnostics.all().size(), 2 * Diagnostics::kMaxKept + 1);
  EXPECT_EQ(diagnostics.all().back().message(), "2 more errors and 1 more warning left out");
}

}  // namespace
}  // namespace davit
