// The scripts of docs/site, which `./davit docs` calls: links between pages that were moved, and the check
// that none is broken.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

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
    said_ = script->messages;
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

}  // namespace
}  // namespace davit
