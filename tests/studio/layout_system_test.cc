#include "studio/layout_system.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

#include "tests/studio/studio_rig.h"

namespace davit {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> SystemsOfDavit() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(fs::path(DAVIT_SOURCE_DIR) / "systems")) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path().filename().string());
  }
  std::ranges::sort(files);
  return files;
}

class LayOut {
 public:
  explicit LayOut(const fs::path& folder) : folder_(std::make_shared<const Folder>(folder)) {}
  Json operator()(const std::string& path, Texts texts = {}) const {
    return Json::parse(LayOutSystem(folder_, {registry_}, path, std::move(texts)));
  }

 private:
  Registry registry_ = ModelsOfTests();
  std::shared_ptr<const Folder> folder_;
};

TEST(LayOutSystem, EveryComponentOfASystemHasAPlaceAndEveryLineEndsAtTwo) {
  const LayOut lay_out(fs::path(DAVIT_SOURCE_DIR) / "systems");
  for (const std::string& file : SystemsOfDavit()) {
    const Json layout = lay_out(file);
    ASSERT_EQ(layout["is_drawn"], true) << file;
    std::map<std::string, const Json*> places;
    for (const Json& place : layout["places"]) {
      EXPECT_TRUE(places.emplace(place["path"], &place).second) << file << place["path"];
      EXPECT_LT(place["symbol"].get<std::size_t>(), layout["symbols"].size()) << file;
      EXPECT_TRUE(place["at"]["line"].get<int>() > 0) << file << place;
    }
    EXPECT_GE(places.size(), 1U) << file;
    for (const Json& line : layout["lines"]) {
      for (const char* end : {"from", "to"}) {
        // component.port, where both may have dots.
        std::string path = line[end];
        while (!places.contains(path) && path.find('.') != std::string::npos) path.resize(path.rfind('.'));
        EXPECT_TRUE(places.contains(path)) << file << ' ' << line[end];
      }
      EXPECT_GE(line["points"].size(), 2U) << file << line;
    }
  }
}

TEST(LayOutSystem, PlacesOfTheFileStay) {
  const TestFolder test("studio_layout_places");
  std::string text(kSpring);
  text.insert(text.find("</System>"),
              "  <Layout>\n    <Place name=\"load\" x=\"160\" y=\"-80\" rotation=\"90\" mirror=\"true\"/>\n  "
              "</Layout>\n");
  const Json layout = LayOut(test.path())("swing.xml", {{"swing.xml", text}});
  ASSERT_EQ(layout["places"].size(), 3U);
  for (const Json& place : layout["places"]) {
    const bool is_load = place["name"] == "load";
    EXPECT_EQ(place["is_placed"], is_load);
    if (!is_load) continue;
    EXPECT_EQ(place["x"], 160.0);
    EXPECT_EQ(place["y"], -80.0);
    EXPECT_EQ(place["rotation"], 90);
    EXPECT_EQ(place["mirror"], true);
  }
}

TEST(LayOutSystem, WhatCanBeReadOfAFaultySystemIsDrawn) {
  const TestFolder test("studio_layout_faulty");
  const LayOut lay_out(test.path());
  std::string text(kSpring);
  text.replace(text.find("mechanical.Fixed"), 16, "mechanical.Unknown");
  const Json layout = lay_out("swing.xml", {{"swing.xml", text}});
  EXPECT_EQ(layout["is_drawn"], true);
  EXPECT_EQ(layout["places"].size(), 2U);
  EXPECT_EQ(layout["lines"].size(), 1U);
  const Json broken = lay_out("swing.xml", {{"swing.xml", text.substr(0, text.size() / 2)}});
  EXPECT_EQ(broken["is_drawn"], false);
  EXPECT_EQ(broken["faults"].size(), 1U);
  EXPECT_EQ(lay_out("none.xml")["is_drawn"], false);
}

TEST(LayOutSystem, LinesTakenOutOfASystemLeaveADrawing) {
  // Whatever an editor's text lacks for a while, there is an answer.
  const fs::path systems = fs::path(DAVIT_SOURCE_DIR) / "systems";
  const LayOut lay_out(systems);
  std::mt19937 random(25);
  for (const std::string file : {"lifting_cylinder.xml", "position_servo.xml", "operated_lift.xml",
                                 "signal_operators.xml", "electric_winch.xml", "level_switching.xml"}) {
    const std::string text = ReadAllOf(systems / file);
    for (int trial = 0; trial < 3; ++trial) {
      std::istringstream lines(text);
      std::string kept;
      for (std::string line; std::getline(lines, line);) {
        // Elements of one line can go without making the XML ill-formed.
        const std::size_t begin = line.find_first_not_of(' ');
        const bool is_element = begin != std::string::npos && line[begin] == '<' && line.ends_with("/>");
        if (!is_element || random() % 4 != 0) kept += line + '\n';
      }
      EXPECT_EQ(lay_out(file, {{file, kept}})["is_drawn"], true) << file;
    }
  }
}

}  // namespace
}  // namespace davit
