// Which file includes which: lower folders do not include higher ones, and there are no cycles.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "tests/source/include_checks.h"

namespace davit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class Includes : public testing::Test {
 protected:
  static void SetUpTestSuite() { tree_ = ReadSourceTree(DAVIT_SOURCE_DIR); }
  static void ExpectNone(const SourceFaults& faults) {
    for (const std::string& fault : faults) ADD_FAILURE() << fault;
  }
  static inline SourceTree tree_;
};

TEST_F(Includes, AllFilesAreRead) {
  EXPECT_GT(tree_.size(), 500U);
  EXPECT_TRUE(std::ranges::is_sorted(tree_, {}, &SourceFile::path));
}
TEST_F(Includes, GoFromHigherFoldersToLowerOnes) { ExpectNone(CheckLayers(tree_)); }
TEST_F(Includes, OfALibraryAreInTheFilesThatWrapIt) { ExpectNone(CheckLibraries(tree_)); }
TEST_F(Includes, OfFilesMakeNoCircle) { ExpectNone(CheckFileCircles(tree_)); }
TEST_F(Includes, GoFromHigherSubFoldersToLowerOnes) { ExpectNone(CheckSubFolders(tree_)); }
TEST_F(Includes, OfSubFoldersMakeNoCircle) { ExpectNone(CheckSubFolderCircles(tree_)); }
TEST_F(Includes, RulesAndExceptionsAreInUse) { ExpectNone(CheckRules(tree_)); }

/// A tree of files that are given by path and text.
SourceTree Made(std::initializer_list<std::pair<std::string, std::string>> files) {
  SourceTree tree;
  for (const auto& [path, text] : files) tree.push_back(ParseSource(path, text));
  std::ranges::sort(tree, {}, &SourceFile::path);
  return tree;
}

TEST(IncludeChecks, ReadIncludesWithTheirLines) {
  const SourceFile file = ParseSource("app/a.cc",
                                      "#include \"app/a.h\"  // \"no\"\n\n  #  include <map>\n"
                                      "// #include \"app/b.h\"\n#include \"davit/component.h\"");
  ASSERT_EQ(file.includes.size(), 3U);
  EXPECT_EQ(file.includes[0].path, "app/a.h");
  EXPECT_EQ(file.includes[1].path, "map");
  EXPECT_FALSE(file.includes[1].is_quoted);
  EXPECT_EQ(file.includes[1].line, 3);
  EXPECT_EQ(file.includes[2].path, "include/davit/component.h");
  EXPECT_EQ(file.includes[2].line, 5);
}

TEST(IncludeChecks, FindAnIncludeOfAHigherFolder) {
  const SourceTree tree = Made({{"framework/a.h", "\n#include \"simulator/b.h\"\n"}, {"simulator/b.h", ""}});
  EXPECT_THAT(CheckLayers(tree),
              ElementsAre("framework/a.h:2: error: includes simulator/b.h; files of framework may include "
                          "their own folder only"));
}

TEST(IncludeChecks, FindStatechartsInEquationsAndTheAppInTests) {
  const SourceTree tree = Made({{"components/user/a.h", "#include \"statecharts/b.h\"\n"},
                                {"tests/simulator/a.cc", "#include \"app/b.h\"\n#include \"app/heap/c.h\"\n"},
                                {"statecharts/b.h", ""},
                                {"app/b.h", ""},
                                {"app/heap/c.h", ""}});
  EXPECT_THAT(CheckLayers(tree),
              ElementsAre(StartsWith("components/user/a.h:1: error: includes statecharts/b.h;"),
                          StartsWith("tests/simulator/a.cc:1: error: includes app/b.h;")));
}

TEST(IncludeChecks, FindAMissingFileAndAFolderWithoutLayer) {
  EXPECT_THAT(CheckLayers(Made({{"app/a.h", "#include \"b.h\""}})),
              ElementsAre(StartsWith("app/a.h:1: error: no file b.h;")));
  EXPECT_THAT(CheckLayers(Made({{"frameworks/a.h", ""}})),
              ElementsAre(StartsWith("frameworks/a.h:1: error: its folder has no layer;")));
}

TEST(IncludeChecks, FindALibraryOutsideOfItsWrapper) {
  const SourceTree tree = Made({{"framework/a.h", "#include <Eigen/Core>\n#include <map>\n"},
                                {"simulator/b.cc", "#include <ida/ida.h>\n#include <Eigen/Core>\n"},
                                {"tests/simulator/b_test.cc", "#include <ida/ida.h>\n"}});
  EXPECT_THAT(CheckLibraries(tree),
              ElementsAre("framework/a.h:1: error: includes <Eigen/Core>; Eigen is used by simulator, "
                          "components, analysis, drawing only",
                          "simulator/b.cc:1: error: includes <ida/ida.h>; SUNDIALS IDA is used by "
                          "simulator/solvers/ida_integrator.cc only"));
}

TEST(IncludeChecks, FindACircleOfFilesOnce) {
  const SourceTree tree = Made({{"app/a.h", "#include \"app/b.h\"\n"},
                                {"app/b.h", "\n#include \"app/c.h\"\n"},
                                {"app/c.h", "#include \"app/a.h\"\n"},
                                {"app/d.h", "#include \"app/a.h\"\n"}});
  const SourceFaults faults = CheckFileCircles(tree);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0],
              StartsWith("app/a.h:1: error: a circle of includes: app/a.h -> app/b.h -> app/c.h -> "
                         "app/a.h; "));
  EXPECT_THAT(faults[0], HasSubstr("\n  app/b.h:2 includes app/c.h\n"));
}

TEST(IncludeChecks, FindAnIncludeOfAHigherSubFolder) {
  const SourceTree tree = Made({{"framework/tree/a.h", "#include \"framework/xml/b.h\"\n"},
                                {"framework/xml/b.h", ""},
                                {"framework/new/c.h", ""}});
  EXPECT_THAT(
      CheckSubFolders(tree),
      ElementsAre(StartsWith("framework/new/c.h:1: error: framework/new has no place in the order"),
                  StartsWith("framework/tree/a.h:1: error: includes framework/xml/b.h; the sub-folders "
                             "of framework are, lowest first, library, units, syntax, domains, tree, xml")));
}

TEST(IncludeChecks, FindACircleThroughASubFolderAndTheFolderAbove) {
  const SourceTree tree = Made({{"framework/system.cc", "#include \"framework/tree/b.h\"\n"},
                                {"framework/system.h", ""},
                                {"framework/tree/a.cc", "#include \"framework/system.h\"\n"},
                                {"framework/tree/b.h", ""}});
  EXPECT_THAT(CheckFileCircles(tree), IsEmpty());
  EXPECT_THAT(CheckSubFolders(tree), IsEmpty());
  EXPECT_THAT(CheckSubFolderCircles(tree),
              ElementsAre(StartsWith("framework/tree/a.cc:1: error: a circle of includes: framework/tree -> "
                                     "framework/system -> framework/tree; ")));
}

TEST(IncludeChecks, FindRulesThatAreNotUsed) {
  const SourceFaults faults = CheckRules(Made({{"framework/a.h", ""}}));
  EXPECT_THAT(faults,
              testing::Contains(HasSubstr("simulator/solvers/ida_integrator.cc does not use SUNDIALS")));
  EXPECT_THAT(faults, testing::Contains(HasSubstr("take the exception out")));
}

}  // namespace
}  // namespace davit
