#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/outside.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class InstallTest : public testing::Test {
 protected:
  InstallTest()
      : outside_(std::string("install_test_") +
                 testing::UnitTest::GetInstance()->current_test_info()->name()) {}
  Outside outside_;
};

TEST_F(InstallTest, HoldsProgramHeadersPackageDataAndLicence) {
  const fs::path prefix = outside_.Install();
  EXPECT_EQ(outside_.FindFault("davit --version && davit list > /dev/null"), "");
  for (const char* file : {"include/davit/simulator/plugin_entry.h", "include/davit/framework/component.h",
                           "include/davit/components/hydraulic/laws/orifice_law.h", "share/davit/davit.xsd",
                           "share/davit/systems/parts/pump_stand.xml", "share/davit/opcua/server.mjs",
                           "share/davit/charts/hydraulic.Cylinder.scxml", "share/doc/davit/LICENSE",
                           "share/doc/davit/copyright", "share/doc/davit/extending.md"}) {
    EXPECT_TRUE(fs::exists(prefix / file)) << file;
  }
  EXPECT_EQ(outside_.FindFault(
                "grep -q '^PackageLicenseDeclared: Apache-2.0' installed/share/doc/davit/davit.spdx"),
            "");
}

TEST_F(InstallTest, ItsSystemsAreRight) {
  outside_.Install();
  EXPECT_EQ(outside_.FindFault("for f in installed/share/davit/systems/*.xml; do davit check \"$f\"; done"),
            "");
}

/// Each header that plug-ins may use can be included alone, with nothing but the package.
TEST_F(InstallTest, EveryFrameworkHeaderOfAModelCompilesAlone) {
  outside_.Install();
  EXPECT_EQ(
      outside_.FindFault(
          "for h in framework/plugin.h simulator/plugin_entry.h simulator/tlm_component.h simulator/guard.h "
          "framework/indicator.h framework/mode.h framework/alarm.h framework/message.h framework/archive.h "
          "components/hydraulic/laws/cavitating_ends.h tests/support/component_harness.h "
          "tests/support/system_harness.h; do\n"
          "echo \"#include \\\"$h\\\"\" > one.cc\n"
          "$CXX -std=c++20 -fsyntax-only -Iinstalled/include/davit one.cc\ndone"),
      "");
}

TEST_F(InstallTest, BuildsAPluginAndLoadsIt) {
  outside_.Install();
  const fs::path project = outside_.folder() / "project";
  fs::create_directories(project);
  fs::copy_file(DAVIT_SOURCE_DIR "/tests/plugins/oscillators.cc", project / "oscillators.cc");
  std::ofstream(project / "CMakeLists.txt") << "cmake_minimum_required(VERSION 3.25)\n"
                                               "project(oscillators LANGUAGES CXX)\n"
                                               "set(CMAKE_BUILD_TYPE Release)\n"
                                               "find_package(davit REQUIRED)\n"
                                               "davit_add_plugin(oscillators oscillators.cc)\n";
  std::ofstream(project / "system.xml") << "<System name=\"s\" xmlns=\"urn:davit:system:1\">\n"
                                           "<Plugin src=\"build/oscillators.so\"/>\n"
                                           "<plugin.Harmonic name=\"body\"/>\n</System>\n";
  EXPECT_EQ(outside_.FindFault("cmake -B build && cmake --build build && davit run system.xml -o result.csv",
                               "project"),
            "");
  EXPECT_EQ(outside_.FindFault("davit list plugin --plugin build/oscillators.so", "project"), "");
  EXPECT_THAT(outside_.output(), HasSubstr("plugin.Harmonic"));
  EXPECT_EQ(
      outside_.FindFault("davit fmu export system.xml -o system.fmu && DAVIT_FMU_CACHE=$PWD/cache davit fmu "
                         "check system.fmu",
                         "project"),
      "");
  EXPECT_THAT(outside_.output(), HasSubstr("the same"));
}

/// Of the packages that `cpack` makes, unpacked into one folder: each lists what it needs, all runs, and
/// nothing names a folder of the build.
TEST_F(InstallTest, TheDebianPackagesRunWithoutTheBuild) {
  if (!outside_.FindFault("command -v dpkg-shlibdeps && command -v dpkg-deb").empty()) {
    GTEST_SKIP() << "no tools to make a Debian package";
  }
  ASSERT_EQ(outside_.FindFault("cpack -G DEB --config '" DAVIT_BUILD_DIR
                               "/CPackConfig.cmake' -B \"$PWD/packed\" > packed.log && "
                               "dpkg-deb --field packed/davit_*.deb Depends"),
            "");
  for (const char* library : {"libc6", "libfmt", "libtinyxml2", "libudunits2"})
    EXPECT_THAT(outside_.output(), HasSubstr(library));
  for (const char* large : {"sundials", "openmpi", "python3"})
    EXPECT_THAT(outside_.output(), Not(HasSubstr(large))) << "a hundred packages more";
  EXPECT_EQ(
      outside_.FindFault(
          "for f in packed/*.deb; do dpkg-deb --extract \"$f\" unpacked; done\n"
          "unpacked/usr/bin/davit --version && "
          "unpacked/usr/bin/davit check unpacked/usr/share/davit/systems/lifting_cylinder.xml && "
          "for p in $(ls packed/*.deb | xargs -n 1 basename | cut -d _ -f 1); do "
          "test -s unpacked/usr/share/doc/$p/copyright -a -s unpacked/usr/share/doc/$p/changelog.gz; done && "
          "test -s unpacked/usr/lib*/davit/davit_fmu_plugin_runtime.so && "
          "test -s unpacked/usr/lib*/cmake/davit/davitConfig.cmake"),
      "");
#ifdef NDEBUG  // assertions have paths
  EXPECT_EQ(outside_.FindFault("! grep -rlF -e '" DAVIT_SOURCE_DIR "/' -e '" DAVIT_BUILD_DIR "' unpacked"),
            "");
#endif
  EXPECT_EQ(
      outside_.FindFault("find unpacked -type f \\( -name '*.so' -o -perm /1 \\) | while read -r f; do "
                         "readelf -d \"$f\" | grep -E 'RPATH|RUNPATH' | grep -vF '[$ORIGIN]' || continue; "
                         "echo \"$f\"; exit 1; done"),
      "");
  if (!outside_.FindFault("test -d unpacked/usr/lib/python3/dist-packages/davit").empty())
    return;  // left out
  EXPECT_EQ(outside_.FindFault(
                "PYTHONPATH=unpacked/usr/lib/python3/dist-packages /usr/bin/python3 -c \"import davit; r = "
                "davit.load('unpacked/usr/share/davit/systems/mass_spring.xml').run(until='1 s'); "
                "print(r.time[-1])\""),
            "");
  EXPECT_THAT(outside_.output(), HasSubstr("1.0"));
}

}  // namespace
}  // namespace davit
