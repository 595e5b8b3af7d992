// <Note> of <Layout>: texts and pictures on drawings.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "components/register.h"
#include "framework/tree/note_board.h"
#include "framework/xml/picture_file.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kPictureText = R"(<svg xmlns="http://www.w3.org/2000/svg"/>)";

/// The begin of a PNG of this size; readers of its pixels are not asked.
std::string PngOf(unsigned width, unsigned height) {
  std::string bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
  for (const unsigned number : {width, height}) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(number >> shift & 255U);
  }
  return bytes;
}

class LayoutNotesTest : public testing::Test {
 protected:
  LayoutNotesTest() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    fs::remove_all(above_);
    fs::create_directories(folder_ / "pictures");
  }
  ~LayoutNotesTest() override { fs::remove_all(above_); }

  void Write(const fs::path& file, std::string_view bytes) const {
    std::ofstream(folder_ / file, std::ios::binary) << bytes;
  }
  /// Line 2 is the first inside of the layout.
  void Load(const std::string& notes) {
    diagnostics_ = Diagnostics();
    system_ = LoadSystemText("<System><Layout>\n" + notes + "</Layout></System>", folder_ / "test.xml",
                             registry_, {}, diagnostics_);
  }
  std::vector<std::string> Faults() const {
    std::vector<std::string> faults;
    for (const Diagnostic& fault : diagnostics_.SortedByPlace()) {
      std::string text = ToText(fault);
      faults.push_back(text.substr(text.find("test.xml")));
    }
    return faults;
  }

  const fs::path above_ =
      fs::path(testing::TempDir()) /
      ("davit_notes_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
  const fs::path folder_ = above_ / "system";
  Registry registry_;
  Diagnostics diagnostics_;
  std::unique_ptr<System> system_;
};

TEST_F(LayoutNotesTest, ReadsTextsAndPictures) {
  Write("pictures/plant.SVG", kPictureText);
  Write("photo.png", PngOf(640, 480));
  Load(R"(<Note x="-8.5" y="16" text="a &lt;b&gt;&#10;c" width="100"/>
<Note x="0" y="0" text="as it is"/>
<Note x="0" y="0" picture="pictures/plant.SVG"/>
<Note x="0" y="0" picture="photo.png" width="40" height="30" text="below"/>
<For name="i" from="1" to="2"><Note x="{10*i}" y="0" text="number {i}"/></For>)");
  EXPECT_THAT(Faults(), IsEmpty());
  const std::span<const DrawingNote> notes = NotesOf(system_->root());
  ASSERT_EQ(notes.size(), 6U);
  EXPECT_EQ(notes[0].x, -8.5);
  EXPECT_EQ(notes[0].text, "a <b>\nc");
  EXPECT_EQ(notes[0].width, 100);
  EXPECT_EQ(notes[1].width, std::nullopt);
  EXPECT_EQ(notes[1].picture, nullptr);
  ASSERT_NE(notes[2].picture, nullptr);
  EXPECT_EQ(notes[2].picture->type, "image/svg+xml");
  EXPECT_EQ(notes[2].picture->bytes, kPictureText);
  EXPECT_GT(notes[2].width, 0);
  EXPECT_GT(notes[2].height, 0);
  ASSERT_NE(notes[3].picture, nullptr);
  EXPECT_EQ(notes[3].picture->type, "image/png");
  EXPECT_EQ(notes[3].height, 30);
  EXPECT_EQ(notes[3].text, "below");
  EXPECT_EQ(notes[5].x, 20);
  EXPECT_EQ(notes[5].text, "number 2");
}

TEST_F(LayoutNotesTest, SaysWhatIsWrong) {
  Load(R"(<Note x="1" y="2"/>
<Note x="1" y="2" text="  "/>
<Note y="2 mm" text="a"/>
<Note x="1" y="2" text="a" width="0" height="3"/>
<Note x="1" y="2" text="a" colour="red"/>
<Note x="1" y="2" text="a">b</Note>
)");
  EXPECT_THAT(
      Faults(),
      ElementsAre("test.xml:2: error: /: a note without text; give it text=\"...\" or picture=\"...\"",
                  HasSubstr("test.xml:3: error: /: a note without text"),
                  HasSubstr("test.xml:4: error: /: Note has no attribute 'x'"),
                  HasSubstr("test.xml:4: error: /: y: '2 mm' is not a number"),
                  HasSubstr("test.xml:5: error: /: no attribute 'height' on Note"),
                  HasSubstr("test.xml:5: error: /: width: '0' is not a number between 1 and 10000"),
                  HasSubstr("test.xml:6: error: /: no attribute 'colour' on Note"),
                  HasSubstr("test.xml:7: error: /: ")));
}

/// Nothing is drawn that is no picture, is large, or lies elsewhere, whatever it is called.
TEST_F(LayoutNotesTest, RefusesWhatIsNoPictureOfTheFolder) {
  Write("../secret.svg", kPictureText);
  Write("page.svg", "<!-- <svg> --><html><svg/></html>");
  Write("bomb.svg", R"(<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg>&a;</svg>)");
  Write("text.png", "PNG");
  Write("wide.png", PngOf(8193, 1));
  Write("large.png", PngOf(1, 1) + std::string(kLargestPicture, '\0'));
  Write("script.js", "alert(1)");
  fs::create_symlink("../secret.svg", folder_ / "link.svg");
  const std::vector<std::string> names{"../secret.svg",
                                       (above_ / "secret.svg").string(),
                                       "link.svg",
                                       "page.svg",
                                       "bomb.svg",
                                       "text.png",
                                       "wide.png",
                                       "large.png",
                                       "script.js",
                                       "missing.png",
                                       "pictures/../photo.png",
                                       ""};
  std::string notes;
  for (const std::string& name : names) notes += R"(<Note x="0" y="0" picture=")" + name + "\"/>\n";
  Load(notes);
  const std::string outside =
      " leads out of the folder of the system file; copy the picture into that folder";
  EXPECT_THAT(Faults(),
              ElementsAre("test.xml:2: error: /: picture: '../secret.svg'" + outside, HasSubstr(outside),
                          HasSubstr("test.xml:4: error: /: picture: 'link.svg'" + outside),
                          HasSubstr("cannot use 'page.svg': it has no <svg>"),
                          HasSubstr("cannot use 'bomb.svg': it declares entities"),
                          HasSubstr("cannot use 'text.png': it is not a PNG file"),
                          HasSubstr("cannot use 'wide.png': it has 8193 x 1 pixels"),
                          HasSubstr("cannot use 'large.png': it has more than 1 MiB"),
                          HasSubstr("'script.js' is not a picture; name a .png or .svg file"),
                          HasSubstr("no such file"), HasSubstr(outside), HasSubstr("is not a picture")));
}

/// A drawing contains its pictures, once for each note: their sum is bounded, and the fault comes once.
TEST_F(LayoutNotesTest, BoundsThePicturesOfADrawing) {
  Write("large.png", PngOf(1, 1) + std::string(kLargestPicture / 2, '\0'));
  const auto repeated = [](int count) {
    return R"(<For name="i" from="1" to=")" + std::to_string(count) +
           R"("><Note x="0" y="0" picture="large.png"/></For>)";
  };
  Load(repeated(15));
  EXPECT_THAT(Faults(), IsEmpty());
  Load(repeated(100));
  EXPECT_THAT(Faults(), ElementsAre(HasSubstr("the pictures of the drawing have more than 8 MiB")));
}

TEST(PictureFileTest, AddressesContainAllBytes) {
  // RFC 4648, section 10.
  const std::vector<std::pair<std::string, std::string>> known{
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : known)
    EXPECT_EQ(ToDataUri({"image/png", bytes}), "data:image/png;base64," + text);
  EXPECT_EQ(ToDataUri({"image/png", "\xff\xfe\xfd"}), "data:image/png;base64,//79");
}

}  // namespace
}  // namespace davit
