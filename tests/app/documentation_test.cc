// The scripts of docs/site: links between pages that were moved, the check that none is broken, and the check
// of the wording.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "results/program.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class DocumentationTest : public testing::Test {
 protected:
  DocumentationTest() { fs::remove_all(folder_); }
  ~DocumentationTest() override { fs::remove_all(folder_); }

  void Write(const fs::path& file, std::string_view text) {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  std::string Read(const fs::path& file) {
    std::ifstream stream(folder_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// Runs a script of docs/site in the folder; returns its exit code and keeps what it says.
  int Run(const std::string& script_and_arguments) {
    const std::string line =
        "cd '" + folder_.string() + "' && python3 '" DAVIT_SOURCE_DIR "'/docs/site/" + script_and_arguments;
    const auto script = RunProgram("sh", {"-c", line}, "");
    if (!script) return -1;
    said_ = script->output + script->messages;
    return script->exit_code;
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("documentation_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string said_;
};

TEST_F(DocumentationTest, LinksHoldWherePagesAreMovedTo) {
  Write("README.md", "# Start\n[docs/a.md](docs/a.md#part), [b](docs/a.md), ![p](docs/images/p.svg)\n");
  Write("CONTRIBUTING.md", "# Work\n[start](README.md)\n");
  Write("docs/images/p.svg", "<svg/>");
  Write("docs/a.md",
        "# Title of a\n[h](../framework/x.h) [s](../framework/x.cc) [f](../systems) [g](gone.md) "
        "[w](http://w)\n"
        "`hydraulic.Tank` `systems/two.xml` `hydraulic.Tunk` `x.y` `Tank` `Guard` `Guard::Fire` `Route` "
        "`./docs/a.md`\n"
        "```cpp\n[h](../framework/x.h) `systems/two.xml`\n```\n");
  Write("framework/x.h", "int F();\n");
  Write("framework/x.cc", "int F() { return 1; } // ```\n");
  Write("systems/two.xml",
        "<?xml version=\"1.0\"?>\n<!-- Two tanks\n level <out>. And more. -->\n<System/>\n");
  Write("systems/data.bin", std::string_view("\xff\x00\xfe", 3));
  Write("systems/one.xml", "<System><hydraulic.Tank name=\"t\"/></System>\n");
  Write("out/reference/models/hydraulic.Tank.md", "# hydraulic.Tank\n\n[All models](index.md)\n");
  Write("out/gallery/two.svg", "<svg/>");
  Write("api.tag",
        "<tagfile><compound kind=\"file\"><name>x.h</name><path>framework/</path>"
        "<filename>x_8h.html</filename></compound>"
        "<compound kind=\"class\"><name>davit::Tank</name><filename>tank.html</filename></compound>"
        "<compound kind=\"struct\"><name>davit::Route</name><filename>route.html</filename></compound>"
        "<compound kind=\"class\"><name>davit::Guard</name><filename>guard.html</filename><member "
        "kind=\"function\">"
        "<name>Fire</name><anchorfile>guard.html</anchorfile><anchor>a1</anchor></member></compound></"
        "tagfile>");
  ASSERT_EQ(Run("stage.py out api.tag"), 0) << said_;

  EXPECT_EQ(Read("out/index.md"), "# Start\n[Title of a](a.md#part), [b](a.md), ![p](images/p.svg)\n");
  EXPECT_EQ(Read("out/contributing.md"), "# Work\n[start](index.md)\n");
  EXPECT_EQ(Read("out/images/p.svg"), "<svg/>");
  EXPECT_EQ(
      Read("out/a.md"),
      "# Title of a\n[h](api/x_8h.html) [s](source/framework/x.cc.md) [f](source/systems.md) [g](gone.md) "
      "[w](http://w)\n"
      "[`hydraulic.Tank`](reference/models/hydraulic.Tank.md) "
      "[`systems/two.xml`](source/systems/two.xml.md) `hydraulic.Tunk` `x.y` "
      "[`Tank`](reference/models/hydraulic.Tank.md) [`Guard`](api/guard.html) "
      "[`Guard::Fire`](api/guard.html#a1) `Route` `./docs/a.md`\n"
      "```cpp\n[h](../framework/x.h) `systems/two.xml`\n```\n");
  EXPECT_EQ(Read("out/source/framework/x.cc.md"),
            "# framework/x.cc\n\n``````cpp\nint F() { return 1; } // ```\n``````\n");
  const std::string systems = Read("out/source/systems.md");
  EXPECT_THAT(systems, HasSubstr("| [two.xml](systems/two.xml.md) | Two tanks level &lt;out&gt; |\n"));
  EXPECT_THAT(systems, HasSubstr("| [data.bin](systems/data.bin) |  |\n"));
  EXPECT_EQ(Read("out/reference/models/hydraulic.Tank.md"),
            "# hydraulic.Tank\n\n## Used in\n\n[one.xml](../../source/systems/one.xml.md)\n\n"
            "[All models](index.md)\n");
  EXPECT_EQ(Read("out/source/systems/data.bin"), Read("systems/data.bin"));
  EXPECT_THAT(Read("out/gallery.md"),
              HasSubstr("<img src=\"gallery/two.svg\" alt=\"two\" loading=\"lazy\"></a><figcaption>"
                        "<a href=\"source/systems/two.xml.html\">two</a>: Two tanks level &lt;out&gt;."));
}

TEST_F(DocumentationTest, ChecksThatLinksLeadSomewhere) {
  Write("site/a.html",
        "<link href=\"s.css\" rel=\"stylesheet\"><h1 id=\"top\">A</h1><a href=\"b/b.html#there\">b</a>"
        "<a href=\"#top\">t</a><a href=\"https://w/x#y\">w</a>");
  Write("site/b/b.html", "<p id=\"there\">B</p><a href=\"../a.html\">a</a><img src=\"../p.svg\">");
  Write("site/s.css", "");
  Write("site/p.svg", "");
  EXPECT_EQ(Run("check_links.py site"), 0);
  EXPECT_EQ(said_, "");

  Write("site/c.html",
        "<a href=\"gone.html\">1</a><a href=\"b/b.html#gone\">2</a><a href=\"#gone\">3</a>"
        "<script src=\"https://w/x.js\"></script><link href=\"//w/x.css\"><a href=\"b\">4</a>");
  EXPECT_EQ(Run("check_links.py site"), 1);
  for (const char* fault : {"no file for the link gone.html", "no such place: b/b.html#gone",
                            "no such place: #gone", "loads https://w/x.js from the network",
                            "loads //w/x.css from the network", "no file for the link b\n"}) {
    EXPECT_THAT(said_, HasSubstr(std::string("error: site/c.html: ") + fault));
  }
  EXPECT_THAT(said_, Not(HasSubstr("site/a.html")));
}

TEST_F(DocumentationTest, EachRuleOfWordingFindsItsExample) {
  const std::vector<std::string_view> examples{
      "It keeps the default where none is given.",
      "The sum of what goes in.",
      "This is no\nname.",  // over the end of a line
      "The log tells the time.",
      "The last row is left out.",
      "The mass stands at its stop.",
      "The run goes on.",
      "It has a process of its own.",
      "Reads models of Hopsan.",
      "Oil does not bear tension.",
      "Then nobody sees it.",
      "The text beside the drawing.",
      "Most steps were in vain.",
      "It ends at once.",
      "The file has two faults.",
      "It acts at the next step point.",
      "Drag it onto the sheet.",
      "\"Of the sine, in its unit\"",
      "It creeps where it should stick.",
      "The force pushes what is connected.",
      "Leakage for each pressure difference.",
      "The error dies away.",
      "It has 1 inputs.",
  };
  std::string page;
  for (const std::string_view example : examples) page += std::string(example) + "\n\n";
  Write("docs/a.md", page);
  EXPECT_EQ(Run("check_prose.py ."), 1);
  std::set<std::string> remedies;
  std::istringstream lines(said_);
  std::size_t errors = 0;
  for (std::string line; std::getline(lines, line); ++errors) {
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(line, parts, std::regex("docs/a\\.md:\\d+: error: '.*'; (.*)"))) << line;
    remedies.insert(parts[1]);
  }
  EXPECT_EQ(errors, examples.size()) << said_;
  EXPECT_EQ(remedies.size(), examples.size()) << said_;
  EXPECT_EQ(Run("check_prose.py --rules"), 0);
  EXPECT_EQ(std::ranges::count(said_, '\n'), std::ssize(examples)) << "a rule has no example here:\n"
                                                                   << said_;
}

TEST_F(DocumentationTest, WordingIsCheckedInTextsAndNotInCode) {
  Write("docs/a.md", "`it is no name`\n\n```cpp\n// faults\n```\n[other](faults.md)\n");
  Write("app/a.cc",
        "#include \"is no header.h\"\n// it is no name\nint faults = 0;  /* beside */\n"
        "const char* kText = \"it is no \"\n  \"name\", *kKey = \"beside\";\nauto raw = R\"(a\nb goes "
        "on)\";\n");
  Write("web/src/a.tsx",
        "const sheet = `${faults} beside`; // faults\n<p class=\"sheet one\">\n It stands {sheet}\n</p>\n");
  EXPECT_EQ(Run("check_prose.py ."), 1);
  EXPECT_EQ(std::ranges::count(said_, '\n'), 4) << said_;
  for (const char* error : {"app/a.cc:4: error: 'is no name'", "app/a.cc:7: error: 'goes on'",
                            "web/src/a.tsx:1: error: 'beside'", "web/src/a.tsx:3: error: 'stands'"})
    EXPECT_THAT(said_, HasSubstr(error));
}

TEST_F(DocumentationTest, WordingOfPagesAndProgramIsPlain) {
  Write("a", "");
  EXPECT_EQ(Run("check_prose.py " DAVIT_SOURCE_DIR), 0) << said_;
}

}  // namespace
}  // namespace davit
