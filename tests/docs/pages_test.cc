// The documentation does what it says: its files are written and its commands run as a reader types them, in
// a folder that looks like a clone; what it shows as an answer is in the answer; what it quotes is there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/docs/page_laws.h"
#include "tests/support/outside.h"
#include "tests/support/page.h"
#include "tests/support/read_all.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kRoot = DAVIT_SOURCE_DIR;

/// Pages from the root of the repository.
std::vector<fs::path> Pages() {
  std::vector<fs::path> pages{"README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"};
  for (const auto& entry : fs::directory_iterator(kRoot / "docs"))
    if (entry.path().extension() == ".md") pages.push_back(fs::path("docs") / entry.path().filename());
  std::ranges::sort(pages);
  return pages;
}

class DocsPage : public testing::TestWithParam<fs::path> {
 protected:
  const Page page_ = ReadPage(kRoot / GetParam());
};

void WriteProgram(const fs::path& file, const std::string& text) {
  std::ofstream(file) << text;
  fs::permissions(file, fs::perms::owner_all);
}

/// Stand-ins for the commands of SLURM: jobs run at once, those of an array one after the other.
void WriteBatchSystem(const fs::path& folder) {
  WriteProgram(folder / "sbatch", R"(#!/bin/sh
first=1 last=1
for option in "$@"; do
  case $option in
    --array=*) range=${option#--array=}; first=${range%-*}; last=${range#*-} ;;
    --*) ;;
    *) script=$option ;;
  esac
done
i=$first
while [ "$i" -le "$last" ]; do
  SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=$((last - first + 1)) SLURM_CPUS_PER_TASK=2 sh "$script" >&2 || exit
  i=$((i + 1))
done
echo 1000
)");
  WriteProgram(folder / "srun", R"(#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec "$@"
)");
}

/// A folder that looks like a clone in which davit was built. `davit` is the program; of what the launcher
/// does itself, .ci/run does all.
void LookLikeAClone(Outside& outside) {
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    const std::string name = entry.path().filename().string();
    if (name != "build" && name != "davit" && name != ".git")
      fs::create_symlink(entry.path(), outside.folder() / name);
  }
  fs::create_directory(outside.folder() / "build");
  fs::create_directory_symlink(DAVIT_BUILD_DIR, outside.folder() / "build/release");
  WriteBatchSystem(outside.folder());
  WriteProgram(outside.folder() / "davit",
               "#!/bin/sh\ncase $1 in\n"
               "  test|build|docs) echo \"davit $1 is done by .ci/run\" ;;\n"
               "  python) shift; PYTHONPATH=build/release/python exec /usr/bin/python3 \"$@\" ;;\n"
               "  *) exec '" DAVIT_BINARY "' \"$@\" ;;\nesac\n");
  fs::create_directory(outside.folder() / "home");
  outside.Set("HOME", (outside.folder() / "home").string());
  outside.Set("PATH", outside.folder().string() + ":" + std::getenv("PATH"));
  outside.Set("DAVIT_SOURCE_DIR", outside.folder().string());
}

/// The commands of a block. A line that ends with `# exit code N` must end so; any other must end well, also
/// where `&&` would hide from `set -e` that it does not.
std::string ToScript(const std::string& commands) {
  static const std::regex kExitCode("^(.*\\S)\\s*# exit code ([0-9]+)$");
  std::istringstream lines(commands);
  std::string script;
  std::string command;
  for (std::string line; std::getline(lines, line);) {
    command += line + '\n';
    if (line.ends_with('\\')) continue;
    std::smatch match;
    if (std::regex_match(line, match, kExitCode)) {
      script += "code=0; " + match[1].str() + " || code=$?; [ $code = " + match[2].str() + " ]\n";
    } else if (command.find(" && ") != std::string::npos) {
      script += "{ " + command + "} || exit 1\n";
    } else {
      script += command;
    }
    command.clear();
  }
  return script;
}

/// What tries a complete document that is no file of the reader's.
std::string Checker(const Block& block) {
  if (block.language != "xml") return {};
  if (block.text.find("<System") != std::string::npos) return "davit run";
  return block.text.find("<scxml") != std::string::npos ? "davit chart check" : "";
}

TEST_P(DocsPage, CommandsAndFilesWork) {
  Outside outside("docs_" + GetParam().stem().string());
  LookLikeAClone(outside);
  const auto output_of = [&](std::size_t i) { return outside.folder() / ("output_" + std::to_string(i)); };

  std::string script;
  for (std::size_t i = 0; i < page_.blocks.size(); ++i) {
    const Block& block = page_.blocks[i];
    const std::string redirection = "exec > '" + output_of(i).string() + "' 2>&1\n";
    std::string file = block.file;
    std::string commands;
    if (block.language == "sh") {
      script += redirection + ToScript(block.text);
      continue;
    }
    if (block.language == "text" || !block.source.empty()) continue;
    const std::string checker = Checker(block);
    if (file.empty() && !checker.empty())
      file = outside.folder() / ("block_" + std::to_string(block.line) + ".xml");
    script += "cat > '" + file + "' <<'END_OF_THE_FILE'\n" + block.text + "END_OF_THE_FILE\n";
    if (!checker.empty() && block.file.empty()) script += redirection + checker + " '" + file + "'\n";
  }
  const std::string fault = outside.FindFault(script);
  std::size_t last = 0;
  for (std::size_t i = 0; i < page_.blocks.size(); ++i)
    if (fs::exists(output_of(i))) last = i;
  ASSERT_EQ(fault.substr(0, fault.find('\n')), "")
      << GetParam() << ":" << page_.blocks[last].line << ": this failed:\n"
      << page_.blocks[last].text << ReadAll(output_of(last));

  std::string answer;
  for (std::size_t i = 0; i < page_.blocks.size(); ++i) {
    const Block& block = page_.blocks[i];
    if (block.language == "sh") answer = ReadAll(output_of(i));
    if (block.language != "text" || !block.source.empty()) continue;
    std::istringstream lines(block.text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_THAT(answer, HasSubstr(line)) << GetParam() << ":" << block.line;
    }
  }
  CheckResultsOf(GetParam().stem().string(), outside.folder());
}

TEST_P(DocsPage, EveryBlockIsRunWrittenOrQuoted) {
  for (const Block& block : page_.blocks) {
    const std::string place = GetParam().string() + ":" + std::to_string(block.line) + ": ";
    EXPECT_THAT(block.language, testing::AnyOf("sh", "text", "cpp", "xml", "cmake")) << place;
    if (!block.source.empty()) {
      const auto own = std::ranges::find(page_.blocks, block.source, &Block::file);
      ASSERT_TRUE(own != page_.blocks.end() || fs::exists(kRoot / block.source)) << place << block.source;
      const std::string source = own != page_.blocks.end() ? own->text : ReadAll(kRoot / block.source);
      EXPECT_EQ(FindMisquotation(block.text, source), "") << place << "not in " << block.source;
    } else if (block.language != "sh" && block.language != "text") {
      EXPECT_TRUE(!block.file.empty() || !Checker(block).empty()) << place << "the text above names no file";
    }
  }
  EXPECT_THAT(page_.indented, testing::IsEmpty()) << "code without a fence is run by nobody";
}

TEST_P(DocsPage, LinksLeadSomewhere) {
  for (const std::string& link : page_.links)
    EXPECT_TRUE(fs::exists(kRoot / GetParam().parent_path() / link)) << GetParam() << ": " << link;
}

INSTANTIATE_TEST_SUITE_P(All, DocsPage, testing::ValuesIn(Pages()), [](const auto& page) {
  std::string name = page.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
});

/// The commands of the launcher itself cannot run inside of its own test; the gate runs them.
TEST(DocsTest, TheGateDoesWhatTheLauncherDoes) {
  const std::string gate = ReadAll(kRoot / ".ci/run");
  for (const char* command : {"./davit bootstrap", "./davit build", "./davit test"})
    EXPECT_THAT(gate, HasSubstr(command));
}

TEST(DocsTest, AMisquotationIsFound) {
  EXPECT_EQ(FindMisquotation("  a = b;  // so\n...\n  c;\n", "x;\na =\n  b;\ny;\nc;\n"), "");
  EXPECT_EQ(FindMisquotation("c;\n...\na = b;\n", "a = b;\nc;\n"), "a = b;\n");
}

}  // namespace
}  // namespace davit
