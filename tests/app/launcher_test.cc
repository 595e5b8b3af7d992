// The launcher ./davit: which packages and which targets each command asks for. It is run in a folder of its
// own, where the programs that install, configure and build only note what they were called with.

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
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kPackages =
    "# what it needs\n\n[run]\nrun-dev\nboth  # used "
    "twice\n\n[plot]\nplotter\n[graph]\ngrapher\n[docs]\nwriter\n"
    "[python]\nsnake-dev\n[web] unless no-such-program  # else\nbundler\n[test]\ntester\n[browser] unless "
    "bash\nchrome\n[lint]\nlinter";

class LauncherTest : public testing::Test {
 protected:
  LauncherTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "fake");
    fs::copy_file(DAVIT_SOURCE_DIR "/davit", folder_ / "davit");
    Write("packages.txt", kPackages);
    // Installed is what apt-get was asked for before.
    Fake("dpkg-query",
         "grep -qw -e \"${@: -1}\" \"$root/installed\" 2>/dev/null && echo installed || exit 1");
    Fake("apt-get",
         "[[ $2 != install ]] || { echo \"${@:5}\" >>\"$root/asked\"; echo \"$@\" >>\"$root/installed\"; }");
    Fake("sudo", "[[ $1 == -v ]] || \"$@\"");
    Fake("ctest", "echo \"tests ${@: -1}\"");
    Fake("cmake", R"(echo "$*" >>"$root/cmake"
case $1 in
  --preset)
    mkdir -p build/release && touch build/release/build.ninja
    tests=$(grep -o 'DAVIT_TESTS=O[A-Z]*' <<<"$*")
    printf '%s\n' "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "DAVIT_TESTS:BOOL=${tests#*=}" >build/release/CMakeCache.txt
    ;;
  --build)
    program=$2/bin/$6
    [[ $6 != davit_cli && $6 != all ]] || program=$2/bin/davit
    mkdir -p "$2/bin" && cp "$root/fake/program" "$program" && chmod +x "$program" ;;
esac)");
    // Sweeps are a part that the first program lacks, and FMUs one that the program for sweeps lacks as well.
    Write("fake/program", R"(#!/bin/bash
case "${0##*/} $*" in
  davit_with_run\ sweep*) DAVIT_PART=studies exec "$DAVIT_LAUNCHER" "$@" ;;
  davit_with_studies*.fmu) DAVIT_PART=whole exec "$DAVIT_LAUNCHER" "$@" ;;
esac
echo "davit $*"
)");
  }
  ~LauncherTest() override { fs::remove_all(folder_); }

  void Write(const fs::path& file, std::string_view text) {
    std::ofstream(folder_ / file, std::ios::binary) << text;
  }
  std::string Read(const fs::path& file) const {
    std::ifstream stream(folder_ / file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void Fake(const std::string& program, std::string_view script) {
    Write("fake/" + program, "#!/bin/bash\nroot='" + folder_.string() + "'\n" + std::string(script) + "\n");
    fs::permissions(folder_ / "fake" / program, fs::perms::owner_all);
  }
  /// Runs the launcher; keeps what it writes, and returns its exit code.
  int Davit(const std::string& arguments) {
    const std::string line = "PATH='" + (folder_ / "fake").string() + "':\"$PATH\"; exec '" +
                             (folder_ / "davit").string() + "' " + arguments;
    const auto run = RunProgram("bash", {"-c", line}, "");
    if (!run) return -1;
    output_ = run->output;
    said_ = run->messages;
    return run->exit_code;
  }

  fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("launcher_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  std::string output_;
  std::string said_;
};

TEST_F(LauncherTest, ARunNeedsTheProgramOnly) {
  ASSERT_EQ(Davit("run crane.xml -o crane.csv"), 0) << said_;
  EXPECT_EQ(output_, "davit run crane.xml -o crane.csv\n");
  EXPECT_EQ(Read("asked"), "run-dev both\n");
  EXPECT_THAT(Read("cmake"), AllOf(HasSubstr("-DDAVIT_TESTS=OFF"), HasSubstr("--target davit_with_run")));
}

TEST_F(LauncherTest, APartIsBuiltForTheFirstCommandThatNeedsIt) {
  ASSERT_EQ(Davit("run crane.xml"), 0) << said_;
  Write("cmake", "");
  ASSERT_EQ(Davit("sweep 'a crane.xml'"), 0) << said_;
  EXPECT_EQ(output_, "davit sweep a crane.xml\n");
  EXPECT_THAT(Read("cmake"), HasSubstr("--target davit_with_studies"));
  Write("cmake", "");
  ASSERT_EQ(Davit("sweep crane.xml"), 0) << said_;
  EXPECT_EQ(said_, "");
  EXPECT_THAT(Read("cmake"), IsEmpty());
  ASSERT_EQ(Davit("sweep crane.fmu"), 0) << said_;
  EXPECT_EQ(output_, "davit sweep crane.fmu\n");
  EXPECT_THAT(Read("cmake"), HasSubstr("--target davit_cli")) << "which has all parts";
  Write("cmake", "");
  ASSERT_EQ(Davit("sweep crane.fmu"), 0) << said_;
  EXPECT_THAT(Read("cmake"), IsEmpty());
}

TEST_F(LauncherTest, NothingIsInstalledOrBuiltTwice) {
  ASSERT_EQ(Davit("list"), 0) << said_;
  const std::string asked = Read("asked");
  const std::string built = Read("cmake");
  ASSERT_EQ(Davit("list"), 0) << said_;
  EXPECT_EQ(said_, "");
  EXPECT_EQ(Read("asked"), asked);
  EXPECT_EQ(Read("cmake"), built);
}

TEST_F(LauncherTest, ACommandThatDrawsInstallsWhatItDrawsWith) {
  ASSERT_EQ(Davit("list"), 0) << said_;
  const auto asked_for = [&](const std::string& command) {
    fs::remove_all(folder_ / "asked");
    fs::remove_all(folder_ / "installed");
    fs::remove_all(folder_ / "build/installed");
    EXPECT_EQ(Davit(command), 0) << said_;
    return Read("asked");
  };
  EXPECT_EQ(asked_for("check crane.xml"), "run-dev both\n");
  EXPECT_EQ(asked_for("plot a.csv x -o x.svg"), "run-dev both plotter\n");
  EXPECT_EQ(asked_for("run crane.xml --plot x.svg"), "run-dev both plotter\n");
  EXPECT_EQ(asked_for("run crane.xml --plot=x.svg"), "run-dev both plotter\n");
  EXPECT_EQ(asked_for("graph crane.xml -o x.svg"), "run-dev both grapher\n");
  EXPECT_EQ(asked_for("chart graph lift.scxml -o x.svg"), "run-dev both grapher\n");
  EXPECT_EQ(asked_for("serve crane.xml"), "run-dev both grapher bundler\n");
}

TEST_F(LauncherTest, PythonBuildsTheModuleOnceAndRunsWithIt) {
  Fake("cmake", R"(echo "$*" >>"$root/cmake"
case $1 in
  --preset) mkdir -p build/release && touch build/release/build.ninja build/release/CMakeCache.txt ;;
  --build) mkdir -p "$2/python/davit" && echo 'print("module")' >"$2/python/davit/__init__.py" ;;
esac)");
  ASSERT_EQ(Davit("python -c 'import davit, sys; print(sys.argv[1])' x"), 0) << said_;
  EXPECT_EQ(output_, "module\nx\n");
  EXPECT_EQ(Read("asked"), "run-dev both snake-dev\n");
  EXPECT_THAT(Read("cmake"), AllOf(HasSubstr("--target davit_python"), Not(HasSubstr("davit_cli"))));
  Write("cmake", "");
  ASSERT_EQ(Davit("python -c 'import davit'"), 0) << said_;
  EXPECT_THAT(Read("cmake"), IsEmpty());
  Write("build/release/CMakeCache.txt", "DAVIT_PYTHON_LEFT_OUT:INTERNAL=no headers\n");
  fs::remove(folder_ / "build/release/built.davit_python");
  ASSERT_EQ(Davit("python -c 'import davit'"), 0) << said_;
  EXPECT_THAT(Read("cmake"), HasSubstr("--preset release")) << "the headers may be there now";
}

TEST_F(LauncherTest, PackagesArePackedFromABuildOfTheProgramAndTheModule) {
  fs::create_directories(folder_ / "python");
  fs::create_directories(folder_ / "packaging");
  Write("packaging/Containerfile", "FROM debian");
  Write("python/wheel_backend.py",
        "def build_wheel(folder, settings):\n    open(folder + '/a.whl', 'w').write(settings['build'])\n");
  Fake("cpack", "mkdir -p \"${@: -1}/_CPack_Packages\" && echo \"$SOURCE_DATE_EPOCH\" >\"${@: -1}/a.deb\"");
  ASSERT_EQ(Davit("package"), 0) << said_;
  EXPECT_EQ(Read("asked"), "run-dev both snake-dev bundler tester\n");
  EXPECT_THAT(Read("cmake"), AllOf(HasSubstr("--target davit_cli"), HasSubstr("--target davit_python"),
                                   HasSubstr("-DDAVIT_TESTS=ON"), Not(HasSubstr("--target all"))));
  EXPECT_EQ(Read("build/packages/a.whl"), (folder_ / "build/release").string());
  EXPECT_EQ(Read("build/packages/Containerfile"), "FROM debian");
  EXPECT_FALSE(fs::exists(folder_ / "build/packages/_CPack_Packages"));
  EXPECT_THAT(Read("build/packages/SHA256SUMS"), AllOf(HasSubstr("  a.deb\n"), HasSubstr("  a.whl\n")));
  const std::string date = Read("build/packages/a.deb");
  EXPECT_GT(std::stol(date), 0);
  Write("build/packages/old.deb", "of another version");
  ASSERT_EQ(Davit("package"), 0) << said_;
  EXPECT_FALSE(fs::exists(folder_ / "build/packages/old.deb"));
  Fake("cpack", "echo 'no dpkg-shlibdeps' && exit 1");
  EXPECT_EQ(Davit("package"), 1);
  EXPECT_THAT(said_, AllOf(HasSubstr("no dpkg-shlibdeps"), HasSubstr("could not make the packages")));
}

TEST_F(LauncherTest, OnlyWhatIsMissingIsInstalled) {
  ASSERT_EQ(Davit("run crane.xml"), 0) << said_;
  ASSERT_EQ(Davit("run crane.xml --plot x.svg"), 0) << said_;
  EXPECT_EQ(Read("asked"), "run-dev both\nplotter\n");
}

TEST_F(LauncherTest, ABuildAddsTheTestsAndKeepsThem) {
  ASSERT_EQ(Davit("list"), 0) << said_;
  ASSERT_EQ(Davit("build"), 0) << said_;
  EXPECT_EQ(Read("asked"), "run-dev both\nsnake-dev bundler tester\n");
  EXPECT_THAT(Read("cmake"), AllOf(HasSubstr("-DDAVIT_TESTS=ON"), HasSubstr("--target all")));
  fs::remove(folder_ / "build/release/built.davit_cli");
  fs::remove(folder_ / "build/release/built.davit_with_run");
  Write("cmake", "");
  ASSERT_EQ(Davit("list"), 0) << said_;
  EXPECT_THAT(Read("cmake"), AllOf(HasSubstr("--target davit_with_run"), Not(HasSubstr("DAVIT_TESTS"))));
}

TEST_F(LauncherTest, AProgramThatWasConfiguredWithoutNpmGetsItsPageWhenThereIsNpm) {
  ASSERT_EQ(Davit("build"), 0) << said_;
  Fake("npm", "true");
  std::ofstream(folder_ / "build/release/CMakeCache.txt", std::ios::app)
      << "NPM_PROGRAM:FILEPATH=NPM_PROGRAM-NOTFOUND\n";
  Write("cmake", "");
  ASSERT_EQ(Davit("list"), 0) << said_;
  EXPECT_THAT(Read("cmake"),
              AllOf(HasSubstr("--preset release -DDAVIT_TESTS=ON"), HasSubstr("--target davit_with_run")));
}

TEST_F(LauncherTest, ATestInstallsAllGroups) {
  ASSERT_EQ(Davit("test -R One"), 0) << said_;
  EXPECT_EQ(output_, "tests One\n");
  EXPECT_EQ(Read("asked"), "run-dev both plotter grapher writer snake-dev bundler tester linter\n")
      << "the group [browser] is not needed: there is bash";
}

TEST_F(LauncherTest, ATestOfAFolderBuildsAndRunsThatFolder) {
  fs::create_directories(folder_ / "tests/framework");
  ASSERT_EQ(Davit("list"), 0) << said_;
  fs::remove(folder_ / "build/release/built.davit_with_run");
  ASSERT_EQ(Davit("test framework -R One"), 0) << said_;
  EXPECT_THAT(Read("cmake"), HasSubstr("--target davit_framework_test"));
  EXPECT_FALSE(fs::exists(folder_ / "build/release/built.davit_with_run"))
      << "the program itself was not built";
  EXPECT_EQ(Davit("test framwork"), 2);
  EXPECT_THAT(said_, AllOf(HasSubstr("no folder tests/framwork"), HasSubstr("framework")));
}

TEST_F(LauncherTest, BootstrapInstallsAllGroupsOrThoseNamed) {
  ASSERT_EQ(Davit("bootstrap docs lint"), 0) << said_;
  EXPECT_EQ(Read("asked"), "writer linter\n");
  ASSERT_EQ(Davit("bootstrap"), 0) << said_;
  EXPECT_EQ(Read("asked"), "writer linter\nrun-dev both plotter grapher snake-dev bundler tester\n");
  EXPECT_EQ(Davit("bootstrap doc"), 2);
  EXPECT_THAT(said_, HasSubstr("there is no group 'doc'"));
  EXPECT_THAT(Read("cmake"), IsEmpty());
}

TEST_F(LauncherTest, AGroupThatChangedIsInstalledAgain) {
  ASSERT_EQ(Davit("list"), 0) << said_;
  Write("packages.txt", std::string(kPackages) + "\n[run]\nmore-dev\n");
  ASSERT_EQ(Davit("list"), 0) << said_;
  EXPECT_EQ(Read("asked"), "run-dev both\nmore-dev\n");
}

TEST_F(LauncherTest, ALineOutsideOfTheGroupsIsRefusedWithItsPlace) {
  const std::string file = (folder_ / "packages.txt").string();
  Write("packages.txt", "[run]\nrun-dev\n\n[ploot]\nplotter\n");
  EXPECT_EQ(Davit("list"), 2);
  EXPECT_THAT(said_, HasSubstr(file + ":4: error: there is no group '[ploot]'; the groups are [run] [plot]"));
  Write("packages.txt", "# none\nrun-dev\n[run]\n");
  EXPECT_EQ(Davit("build"), 2);
  EXPECT_THAT(said_,
              HasSubstr(file + ":2: error: 'run-dev' is in no group; above it write a line such as [run]"));
  Write("packages.txt", "[run\n");
  EXPECT_EQ(Davit("test"), 2);
  EXPECT_THAT(said_, HasSubstr(file + ":1: error: there is no group '[run'"));
  EXPECT_FALSE(fs::exists(folder_ / "asked"));
  EXPECT_FALSE(fs::exists(folder_ / "cmake"));
}

TEST_F(LauncherTest, AFailedInstallationSaysWhatRootHasToType) {
  Fake("apt-get", "exit 1");
  EXPECT_EQ(Davit("list"), 2);
  EXPECT_THAT(said_, EndsWith("apt-get update && apt-get install -y --no-install-recommends run-dev both\n"));
}

TEST_F(LauncherTest, ThePackagesOfDavitAreInGroupsOnceEach) {
  fs::copy_file(DAVIT_SOURCE_DIR "/packages.txt", folder_ / "packages.txt",
                fs::copy_options::overwrite_existing);
  for (const std::string group : {"run", "plot", "graph", "python", "docs", "test", "browser", "lint"}) {
    const std::string before = Read("asked");
    ASSERT_EQ(Davit("bootstrap " + group), 0) << said_;
    EXPECT_NE(Read("asked"), before) << group << " has no packages, or those of another group";
  }
  EXPECT_THAT(Read("build/installed/run"),
              AllOf(HasSubstr("g++\n"), Not(HasSubstr("gtest")), Not(HasSubstr("clang"))));
}

}  // namespace
}  // namespace davit
