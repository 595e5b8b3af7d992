#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "studio/folder.h"
#include "tests/studio/studio_rig.h"

namespace davit {
namespace {

using testing::HasSubstr;

Json EditOf(std::size_t start, std::size_t end, const std::string& text) {
  const Json edit{{"start", start}, {"end", end}, {"text", text}};
  return {{"label", "Edit"}, {"edits", Json::array({edit})}};
}

/// A page that edits one file.
class PageOfTest {
 public:
  PageOfTest(const StudioRig& rig, std::string client, std::string hash)
      : rig_(rig), client_(std::move(client)), hash_(std::move(hash)) {}

  HttpReply Send(const Json& changes = Json::array()) const {
    Json file{{"path", "a.xml"}, {"hash", hash_}, {"changes", changes}};
    if (version_) file["version"] = *version_;
    return rig_.Post("/api/share", {{"client", client_},
                                    {"path", "a.xml"},
                                    {"chosen", Json::array({"pump"})},
                                    {"files", Json::array({file})}});
  }
  /// What it is told of its file; null: nothing.
  Json Ask(const Json& changes = Json::array()) {
    const Json answer = StudioRig::Parse(Send(changes));
    if (!answer.contains("files") || answer["files"].empty()) return nullptr;
    if (answer["files"][0].contains("version")) version_ = answer["files"][0]["version"].get<int>();
    return answer["files"][0];
  }

 private:
  const StudioRig& rig_;
  std::string client_;
  std::string hash_;
  std::optional<int> version_ = {};
};

TEST(Share, EditsOfOneReachTheOtherAndNothingIsOnDisk) {
  const TestFolder test("share");
  test.Write("a.xml", "<a/>");
  const StudioRig rig(test.path());
  PageOfTest anna(rig, "1", HashOf("<a/>")), ben(rig, "2", HashOf("<a/>"));
  EXPECT_EQ(ben.Ask()["is_shared"], false);
  EXPECT_EQ(anna.Ask(Json::array({EditOf(2, 2, " b=\"1\"")}))["version"], 1);
  const Json told = ben.Ask();
  EXPECT_EQ(told["version"], 1);
  EXPECT_EQ(told["changes"][0]["edits"], Json::parse(R"([{"start": 2, "end": 2, "text": " b=\"1\""}])"));
  EXPECT_EQ(told["changes"][0]["user"], "Guest 2") << "in the order of the first question";
  EXPECT_EQ(ben.Ask(), nullptr) << "nothing new";
  EXPECT_EQ(test.Read("a.xml"), "<a/>");

  // Who does not know a change is told it, and has changed nothing.
  EXPECT_EQ(anna.Ask(Json::array({EditOf(0, 0, "x")}))["version"], 2);
  const Json behind = ben.Ask(Json::array({EditOf(0, 0, "y")}));
  EXPECT_EQ(behind["version"], 2);
  EXPECT_EQ(behind["changes"].size(), 1u);
  // A request whose answer was lost is not done twice: the own changes come back without edits.
  PageOfTest again(rig, "1", HashOf("<a/>"));
  const Json own = again.Ask(Json::array({EditOf(2, 2, " b=\"1\"")}));
  EXPECT_EQ(own["version"], 2);
  EXPECT_FALSE(own["changes"][0].contains("edits"));
}

TEST(Share, ASaveIsToldAndTheDiskIsFollowed) {
  const TestFolder test("share_save");
  test.Write("a.xml", "<a/>");
  const StudioRig rig(test.path());
  PageOfTest anna(rig, "1", HashOf("<a/>")), ben(rig, "2", HashOf("<a/>"));
  anna.Ask(Json::array({EditOf(1, 2, "b")}));
  ben.Ask();
  // A text without the edits of all is not written.
  const auto put = [&](const std::string& text, const std::string& known) {
    return rig.Put("/api/file?path=a.xml&client=1", {{"text", text}, {"hash", HashOf(known)}}).status;
  };
  EXPECT_EQ(put("<c/>", "<a/>"), 423);
  EXPECT_EQ(test.Read("a.xml"), "<a/>");
  EXPECT_EQ(put("<b/>", "<a/>"), 200);
  EXPECT_EQ(test.Read("a.xml"), "<b/>");
  const Json saved = ben.Ask();
  EXPECT_EQ(saved["changes"][0]["saved"], HashOf("<b/>"));
  EXPECT_EQ(saved["changes"][0]["user"], "Guest 1");

  test.Write("a.xml", "<disk/>");
  rig.Get("/api/files");
  const Json disk = ben.Ask();
  ASSERT_EQ(disk["changes"].size(), 2u);
  EXPECT_EQ(disk["changes"][0]["client"], "");
  EXPECT_EQ(disk["changes"][1]["saved"], HashOf("<disk/>"));
  // With edits that are not saved, nobody is overrun: saving tells the conflict.
  anna.Ask();
  anna.Ask(Json::array({EditOf(0, 0, " ")}));
  ben.Ask();
  test.Write("a.xml", "<other/>");
  rig.Get("/api/files");
  EXPECT_EQ(ben.Ask(), nullptr);
  EXPECT_EQ(put(" <disk/>", "<disk/>"), 409);
}

TEST(Share, WithTheLastPageGoesWhatIsNotSaved) {
  const TestFolder test("share_leave");
  test.Write("a.xml", "<a/>");
  const StudioRig rig(test.path());
  PageOfTest anna(rig, "1", HashOf("<a/>")), ben(rig, "2", HashOf("<a/>"));
  anna.Ask(Json::array({EditOf(1, 2, "b")}));
  ben.Ask();
  const auto leave = [&](const std::string& client) {
    rig.Post("/api/share", {{"client", client}, {"leaves", true}, {"files", Json::array()}});
  };
  leave("1");
  const Json people = StudioRig::Parse(ben.Send())["people"];
  EXPECT_EQ(people.size(), 0u);
  PageOfTest carla(rig, "3", HashOf("<a/>"));
  EXPECT_EQ(carla.Ask()["changes"].size(), 1u);
  leave("2");
  leave("3");
  PageOfTest dora(rig, "4", HashOf("<a/>"));
  EXPECT_EQ(dora.Ask()["is_shared"], false);
}

TEST(Share, ATextThatTheServerDoesNotKnowIsAnsweredWithAllOfIt) {
  const TestFolder test("share_text");
  test.Write("a.xml", "<a/>");
  const StudioRig rig(test.path());
  PageOfTest anna(rig, "1", HashOf("<a/>")), ben(rig, "2", HashOf("<old/>"));
  anna.Ask(Json::array({EditOf(1, 2, "b")}));
  const Json told = ben.Ask();
  EXPECT_EQ(told["text"], "<b/>");
  EXPECT_EQ(told["saved"], nullptr);
}

TEST(Share, RefusesWhatIsWrongAndChangesNothing) {
  const TestFolder test("share_wrong");
  test.Write("a.xml", "<a/>");
  const StudioRig rig(test.path());
  const auto post = [&](const Json& body) { return rig.Post("/api/share", body); };
  const auto with = [](const Json& file) { return Json{{"client", "1"}, {"files", Json::array({file})}}; };
  const std::string hash = HashOf("<a/>");
  const auto changed = [&](const std::string& change) {
    return with({{"path", "a.xml"}, {"changes", Json::array({Json::parse(change)})}});
  };
  for (const Json& body : {
           Json(nullptr),
           Json::array(),
           Json{{"client", "1"}},
           Json{{"client", 1}, {"files", Json::array()}},
           Json{{"client", ""}, {"files", Json::array()}},
           Json{{"client", std::string(600, 'x')}, {"files", Json::array()}},
           with(1),
           with({{"path", ""}}),
           with({{"path", "a.xml"}, {"version", -1}}),
           with({{"path", "a.xml"}, {"changes", 1}}),
           changed("1"),
           changed(R"({"edits": [{"start": -1, "end": 0, "text": ""}]})"),
           changed(R"({"edits": [{"start": 0, "end": 0}]})"),
       })
    EXPECT_EQ(post(body).status, 400) << body.dump();
  PageOfTest anna(rig, "1", hash);
  const HttpReply outside = anna.Send(Json::array({EditOf(3, 9, "")}));
  EXPECT_EQ(outside.status, 400);
  EXPECT_THAT(outside.body, HasSubstr("text of 4 units"));
  const HttpReply none =
      post(with({{"path", "../secret.xml"}, {"hash", hash}, {"changes", Json::array({EditOf(0, 0, "x")})}}));
  EXPECT_EQ(none.status, 200);
  EXPECT_EQ(StudioRig::Parse(none)["files"][0]["is_shared"], false) << "nothing outside of the folder";
  EXPECT_EQ(test.Read("a.xml"), "<a/>");
}

// Edits that nobody saves do not fill the memory.
TEST(Share, TheTextsTogetherAreBounded) {
  const TestFolder test("share_large");
  const StudioRig rig(test.path());
  const std::string large(Folder::kLargestFile - 10, 'x');
  int status = 200, files = 0;
  for (; status == 200 && files < 10; ++files) {
    const std::string path = std::to_string(files) + ".xml";
    test.Write(path, "<a/>");
    const Json file{
        {"path", path}, {"hash", HashOf("<a/>")}, {"changes", Json::array({EditOf(0, 0, large)})}};
    status = rig.Post("/api/share", {{"client", "1"}, {"files", Json::array({file})}}).status;
  }
  EXPECT_EQ(status, 413);
  EXPECT_EQ(files, 6) << "five texts of 16 Mi are more than 64 Mi, and the sixth is refused";
}

TEST(Share, WhoOnlyReadsSeesTheEditsOfOthersAndMakesNone) {
  const TestFolder test("share_read");
  test.Write("a.xml", "<a/>");
  LiveServerOptions options;
  options.is_read_only = true;
  const StudioRig rig(test.path(), options);
  PageOfTest anna(rig, "1", HashOf("<a/>"));
  EXPECT_EQ(anna.Send().status, 200);
  EXPECT_EQ(anna.Send(Json::array({EditOf(0, 0, " ")})).status, 403);
}

}  // namespace
}  // namespace davit
