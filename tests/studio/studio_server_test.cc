#include "studio/studio_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <string>
#include <vector>

#include "server/authentication.h"
#include "studio/folder.h"
#include "studio/system_loading.h"
#include "tests/studio/studio_rig.h"

namespace davit {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

TEST(StudioServer, ListsOpensAndSavesFiles) {
  const TestFolder test("studio_files");
  test.Write("swing.xml", kSpring);
  test.Write("charts/valve.scxml", "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\"/>");
  test.Write("notes.xml", "<notes/>");
  test.Write("broken.xml", "<!-- a --> <System");
  const StudioRig rig(test.path());
  std::map<std::string, std::string> kinds;
  const Json list = rig.Parse(rig.Get("/api/files"));
  for (const Json& file : list["files"]) kinds[file["path"]] = file["kind"];
  EXPECT_EQ(kinds, (std::map<std::string, std::string>{{"swing.xml", "system"},
                                                       {"charts/valve.scxml", "chart"},
                                                       {"notes.xml", "other"},
                                                       {"broken.xml", "system"}}));
  const Json opened = rig.Parse(rig.Get("/api/file?path=swing.xml"));
  EXPECT_EQ(opened["text"], kSpring);
  EXPECT_EQ(opened["hash"], HashOf(kSpring));
  const std::string changed = std::string(kSpring) + "<!-- more -->\n";
  const Json saved =
      rig.Parse(rig.Put("/api/file?path=swing.xml", {{"text", changed}, {"hash", opened["hash"]}}));
  EXPECT_EQ(saved["hash"], HashOf(changed));
  EXPECT_EQ(test.Read("swing.xml"), changed);

  // Somebody who still has the first text is told what the file has now.
  const HttpReply conflict =
      rig.Put("/api/file?path=swing.xml", {{"text", "mine"}, {"hash", opened["hash"]}});
  EXPECT_EQ(conflict.status, 409);
  EXPECT_EQ(rig.Parse(conflict)["text"], changed);
  EXPECT_EQ(rig.Parse(conflict)["hash"], HashOf(changed));
  EXPECT_EQ(test.Read("swing.xml"), changed);
  EXPECT_EQ(rig.Put("/api/file?path=swing.xml", {{"text", "mine"}, {"hash", nullptr}}).status, 409);
  EXPECT_EQ(rig.Put("/api/file?path=new/sheet.xml", {{"text", kSpring}, {"hash", nullptr}}).status, 200);
  EXPECT_EQ(test.Read("new/sheet.xml"), kSpring);
}

TEST(StudioServer, StaysInItsFolder) {
  const TestFolder test("studio_escape");
  fs::create_symlink("../secret.xml", test.path() / "link.xml");
  const StudioRig rig(test.path());
  for (const std::string path : {"../secret.xml", "%2e%2e/secret.xml", "link.xml", "%2Fetc%2Fpasswd"}) {
    EXPECT_EQ(rig.Get("/api/file?path=" + path).status, 404) << path;
    EXPECT_EQ(rig.Put("/api/file?path=" + path, {{"text", "x"}, {"hash", nullptr}}).status, 400) << path;
  }
  // A system leads out of it neither by what it includes nor by its charts.
  const std::string system = R"(<System name="s" xmlns="urn:davit:system:1">
  <Subsystem name="a" src="../secret.xml"/>
  <Subsystem name="b" src="/etc/passwd"/>
  <Statechart name="c" src="../secret.xml"/>
  <hydraulic.Tank name="tank"/>
</System>)";
  const Json checked = rig.Parse(rig.Post("/api/check", {{"path", "s.xml"}, {"texts", {{"s.xml", system}}}}));
  EXPECT_EQ(checked["can_run"], false);
  std::map<int, std::string> faults;
  for (const Json& fault : checked["faults"]) faults[fault["line"]] = fault["text"];
  for (const int line : {2, 3, 4}) EXPECT_THAT(faults[line], HasSubstr("outside of the folder")) << line;
  const Json linked = rig.Parse(rig.Post(
      "/api/check",
      {{"path", "s.xml"},
       {"texts",
        {{"s.xml",
          R"(<System xmlns="urn:davit:system:1"><Subsystem name="a" src="link.xml"/></System>)"}}}}));
  EXPECT_THAT(linked["faults"].dump(), HasSubstr("outside of the folder"));
  const std::string chart = R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" datamodel="ecmascript">
  <datamodel><data id="a" src="../secret.xml"/></datamodel>
  <state id="s"><invoke type="scxml" src="file:../secret.xml"/></state>
</scxml>)";
  const HttpReply reply =
      rig.Post("/api/chart/check", {{"path", "c.scxml"}, {"texts", {{"c.scxml", chart}}}});
  EXPECT_THAT(reply.body, HasSubstr("outside of the folder"));
  EXPECT_EQ(reply.body.find("name=\\\"secret"), std::string::npos);
}

TEST(StudioServer, KeepsTheRulesOfItsListener) {
  const TestFolder test("studio_rules");
  test.Write("swing.xml", kSpring);
  {
    const StudioRig rig(test.path());
    const auto with = [&](const std::string& lines) {
      return SendRaw(rig.port(), "GET /api/files HTTP/1.1\r\nConnection: close\r\n" + lines + "\r\n").status;
    };
    EXPECT_EQ(with("Host: 127.0.0.1\r\n"), 200);
    EXPECT_EQ(with("Host: evil.example\r\n"), 403);
    EXPECT_EQ(with("Host: 127.0.0.1\r\nOrigin: http://evil.example\r\n"), 403);
    EXPECT_EQ(rig.Get("/api/none").status, 404);
    EXPECT_EQ(SendRequest(rig.port(), "DELETE", "/api/files").status, 405);
    EXPECT_EQ(rig.Post("/api/check", {{"texts", 3}}).status, 400);
    EXPECT_EQ(rig.Put("/api/file?path=a.xml", {{"text", 3}}).status, 400);
    EXPECT_EQ(SendRequest(rig.port(), "POST", "/api/check", "{{{{").status, 400);
    EXPECT_EQ(rig.Get("/run/1/api/state").status, 404);
    EXPECT_EQ(rig.Get("/run/99999999999999/api/state").status, 404);
  }
  {
    const StudioRig rig(test.path(), {.is_read_only = true});
    EXPECT_EQ(rig.Put("/api/file?path=a.xml", {{"text", "x"}, {"hash", nullptr}}).status, 403);
    EXPECT_EQ(rig.Parse(rig.Get("/api/studio"))["read_only"], true);
    // Runs change no file.
    EXPECT_EQ(rig.Parse(rig.Post("/api/runs", {{"path", "swing.xml"}, {"paused", true}}))["run"], 1);
    EXPECT_EQ(rig.Post("/run/1/api/control", {{"action", "start"}}).status, 200);
  }
  {
    const StudioRig rig(test.path(), {.user = "ann", .password = "x"});
    for (const char* const path : {"/api/files", "/api/file?path=swing.xml", "/api/models", "/api/runs"})
      EXPECT_EQ(rig.Get(path).status, 401) << path;
    EXPECT_EQ(rig.Post("/api/check", {{"path", "swing.xml"}}).status, 401);
    EXPECT_EQ(rig.Parse(rig.Get("/api/login"))["user_required"], true);
  }
}

/// Of each request that changes something: the role that it needs.
TEST(StudioServer, RefusesWhatTheRoleOfAUserDoesNotInclude) {
  const TestFolder test("studio_roles");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path(), {.users = {{"vera", UserRole::kView, Sha256("vera:p")},
                                              {"olga", UserRole::kOperate, Sha256("olga:p")},
                                              {"edda", UserRole::kEdit, Sha256("edda:p")}}});
  const auto log_in = [&](const std::string& name) {
    const std::string challenge = FromBase64(std::string(rig.Parse(rig.Get("/api/login"))["challenge"]));
    const Json body{{"user", name}, {"response", ToBase64(Sha256(challenge + ":" + Sha256(name + ":p")))}};
    const HttpReply reply = rig.Post("/api/login", body);
    EXPECT_EQ(reply.status, 200) << reply.body;
    const std::size_t begin = reply.head.find("davit_session=");
    return reply.head.substr(begin, reply.head.find(';', begin) - begin);
  };
  const auto ask = [&](const std::string& cookie, const std::string& method, const std::string& target,
                       const Json& body) {
    const std::string text = body.dump();
    return SendRaw(rig.port(), method + ' ' + target +
                                   " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nCookie: " + cookie +
                                   "\r\nContent-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text);
  };
  const std::string vera = log_in("vera");
  const std::string olga = log_in("olga");
  const std::string edda = log_in("edda");
  const Json run{{"path", "swing.xml"}, {"paused", true}};
  ASSERT_EQ(StudioRig::Parse(ask(olga, "POST", "/api/runs", run))["run"], 1);
  struct Change {
    std::string method;
    std::string target;
    Json body;
    UserRole needed;
  };
  const std::vector<Change> changes{
      {"POST", "/api/runs", run, UserRole::kOperate},
      {"POST", "/run/1/api/control", {{"action", "step"}}, UserRole::kOperate},
      {"POST", "/run/1/api/command", {{"command", "set load.mass 8 kg"}}, UserRole::kOperate},
      {"POST", "/run/1/api/acknowledge", {{"path", "load.x"}}, UserRole::kOperate},
      {"POST", "/run/1/api/snapshot", {{"none", 1}}, UserRole::kOperate},
      {"POST", "/run/1/api/snapshots/load?name=a", {{"none", 1}}, UserRole::kOperate},
      {"POST", "/run/1/api/travel", {{"none", 1}}, UserRole::kOperate},
      {"POST", "/api/chart/run", {{"none", 1}}, UserRole::kOperate},
      {"POST", "/api/chart/send", {{"none", 1}}, UserRole::kOperate},
      {"DELETE", "/api/chart/run?session=1", {{"none", 1}}, UserRole::kOperate},
      {"DELETE", "/api/runs?run=7", {{"none", 1}}, UserRole::kOperate},
      {"POST", "/run/1/api/snapshots?name=a", {{"none", 1}}, UserRole::kEdit},
      {"POST", "/api/studies", {{"none", 1}}, UserRole::kEdit},
      {"DELETE", "/api/studies?study=7", {{"none", 1}}, UserRole::kEdit},
      {"PUT", "/api/file?path=new.xml", {{"text", "x"}, {"hash", nullptr}}, UserRole::kEdit},
  };
  struct Visitor {
    std::string cookie;
    UserRole role;
  };
  for (const Visitor& visitor :
       std::vector<Visitor>{{vera, UserRole::kView}, {olga, UserRole::kOperate}, {edda, UserRole::kEdit}}) {
    for (const Change& change : changes) {
      const HttpReply reply = ask(visitor.cookie, change.method, change.target, change.body);
      const bool is_refused = reply.body.find("needs the role") != std::string::npos;
      EXPECT_EQ(is_refused, visitor.role < change.needed)
          << change.method << ' ' << change.target << reply.body;
      EXPECT_EQ(reply.status == 403, is_refused) << reply.body;
    }
    for (const char* const path : {"/api/files", "/api/runs", "/api/studies", "/run/1/api/state"})
      EXPECT_EQ(ask(visitor.cookie, "GET", path, {}).status, 200) << path;
    EXPECT_EQ(ask(visitor.cookie, "POST", "/api/check", {{"path", "swing.xml"}}).status, 200);
    const Json studio = StudioRig::Parse(ask(visitor.cookie, "GET", "/api/studio", {}));
    EXPECT_EQ(studio["role"], std::string(ToText(visitor.role)));
    EXPECT_EQ(studio["read_only"], visitor.role < UserRole::kEdit);
    const Json state = StudioRig::Parse(ask(visitor.cookie, "GET", "/run/1/api/state", {}));
    EXPECT_EQ(state["read_only"], visitor.role < UserRole::kOperate);
    EXPECT_EQ(std::filesystem::exists(test.path() / "new.xml"), visitor.role == UserRole::kEdit);
  }
  EXPECT_EQ(StudioRig::Parse(ask(olga, "GET", "/api/studio", {}))["user"], "olga");
  EXPECT_EQ(rig.Get("/api/studio").status, 401) << "without a cookie";
}

TEST(StudioServer, ChecksTextsThatAreNotSaved) {
  const TestFolder test("studio_check");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path());
  const Json good = rig.Parse(rig.Post("/api/check", {{"path", "swing.xml"}}));
  EXPECT_EQ(good["can_run"], true);
  EXPECT_EQ(good["faults"].size(), 0U);
  EXPECT_EQ(good["states"], 2);
  std::string text(kSpring);
  text.replace(text.find("stiffness=\"400 N/m\""), 19, "stifness=\"400 N/m\"");
  const Json bad =
      rig.Parse(rig.Post("/api/check", {{"path", "swing.xml"}, {"texts", {{"swing.xml", text}}}}));
  EXPECT_EQ(bad["can_run"], false);
  ASSERT_EQ(bad["faults"].size(), 1U) << bad;
  const Json& fault = bad["faults"][0];
  EXPECT_EQ(fault["file"], "swing.xml");
  EXPECT_EQ(fault["line"], 5);
  EXPECT_EQ(fault["path"], "spring");
  EXPECT_EQ(fault["severity"], "error");
  EXPECT_THAT(fault["text"].get<std::string>(), HasSubstr("stifness"));
  EXPECT_THAT(fault["remedy"].get<std::string>(), HasSubstr("stiffness"));
  // A part that is not saved either takes the place of its file.
  test.Write("part.xml", "<System name=\"part\" xmlns=\"urn:davit:system:1\"/>");
  const std::string whole =
      R"(<System name="whole" xmlns="urn:davit:system:1"><Subsystem name="a" src="part.xml"/></System>)";
  const Json part = rig.Parse(rig.Post(
      "/api/check", {{"path", "whole.xml"}, {"texts", {{"whole.xml", whole}, {"part.xml", "<System>"}}}}));
  ASSERT_EQ(part["faults"].size(), 1U) << part;
  EXPECT_EQ(part["faults"][0]["file"], "part.xml");
}

/// A system of `count` masses, without what a run needs.
std::string ManyMasses(std::size_t count) {
  std::string text = "<System name=\"many\" xmlns=\"urn:davit:system:1\">\n";
  for (std::size_t i = 0; i < count; ++i)
    text += "<mechanical.Mass name=\"m" + std::to_string(i) + "\" mass=\"1 kg\"/>\n";
  return text + "</System>\n";
}

// However long a check takes, whatever does not ask for one is answered: here it lasts until all others were.
TEST(StudioServer, AnswersOthersWhileACheckRuns) {
  const TestFolder test("studio_busy");
  test.Write("slow.xml", kSpring);
  test.Write("swing.xml", kSpring);
  test.Write("idle.scxml", R"(<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a"/></scxml>)");
  std::promise<void> begun, others_answered;
  const std::shared_future<void> end = others_answered.get_future().share();
  const auto wait_in_slow = [&](const fs::path& file, const FolderFiles&, Registry&, Diagnostics&) {
    if (file.filename() != "slow.xml") return;
    begun.set_value();
    end.wait();
  };
  const StudioRig rig(test.path(), {}, wait_in_slow);
  auto slow = std::async(std::launch::async, [&] { return rig.Post("/api/check", {{"path", "slow.xml"}}); });
  begun.get_future().wait();
  for (const char* target : {"/api/studio", "/api/files", "/api/file?path=swing.xml", "/api/models"})
    EXPECT_EQ(rig.Get(target).status, 200) << target;
  EXPECT_EQ(rig.Put("/api/file?path=new.xml", {{"text", kSpring}, {"hash", nullptr}}).status, 200);
  EXPECT_EQ(rig.Parse(rig.Post("/api/layout", {{"path", "swing.xml"}}))["is_drawn"], true);
  EXPECT_EQ(rig.Parse(rig.Post("/api/chart/run", {{"path", "idle.scxml"}}))["is_running"], true);
  EXPECT_EQ(rig.Parse(rig.Post("/api/runs", {{"path", "swing.xml"}, {"free", true}}))["run"], 1);
  others_answered.set_value();
  EXPECT_EQ(rig.Parse(slow.get())["can_run"], true);
}

// A text that is not saved has the limit of a file, and a system one of its components.
TEST(StudioServer, LimitsTextsAndComponents) {
  const TestFolder test("studio_limits");
  const StudioRig rig(test.path());
  const auto check = [&](const std::string& text) {
    return rig.Parse(rig.Post("/api/check", {{"path", "s.xml"}, {"texts", {{"s.xml", text}}}}));
  };
  std::string long_text(kSpring);
  long_text.append(Folder::kLargestFile, ' ');
  const Json too_long = check(long_text);
  EXPECT_EQ(too_long["can_run"], false);
  EXPECT_THAT(too_long["faults"].dump(), HasSubstr("it has more than 16 MiB"));
  const Json too_many = check(ManyMasses(EditedSystem::kMostComponents + 1));
  EXPECT_EQ(too_many["can_run"], false);
  EXPECT_THAT(too_many["faults"].dump(), HasSubstr("the system has more than 20000 components"));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they keep what is freed
/// From /proc/self/status, e.g. VmRSS and its peak VmHWM [KiB].
std::size_t MemoryOf(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::stoul(line.substr(name.size() + 1));
  }
  return 0;
}

// What large texts have taken goes back to the system, up to a fifth of what the server had.
TEST(StudioServer, GivesTheMemoryOfLargeTextsBack) {
  const TestFolder test("studio_memory");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path());
  ASSERT_EQ(rig.Post("/api/check", {{"path", "swing.xml"}}).status, 200);
  std::ofstream("/proc/self/clear_refs") << "5";  // the peak is that from here on
  const std::size_t before = MemoryOf("VmRSS");
  const auto check = [&](const std::string& text) {
    EXPECT_EQ(rig.Post("/api/check", {{"path", "s.xml"}, {"texts", {{"s.xml", text}}}}).status, 200);
  };
  check(std::string(20U << 20, ' '));  // larger than a file may be
  check(ManyMasses(44'000));           // and more components than a system may have
  check(ManyMasses(EditedSystem::kMostComponents - 1));
  check(std::string(20U << 20, ' '));
  EXPECT_GT(MemoryOf("VmHWM"), 2 * before);
  const auto is_back = [&] { return MemoryOf("VmRSS") <= before + before / 5; };
  for (int i = 0; i < 100 && !is_back(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_TRUE(is_back()) << before << " KiB before, " << MemoryOf("VmRSS") << " after";
}
#endif

TEST(StudioServer, RunsAnEditedSystem) {
  const TestFolder test("studio_run");
  const StudioRig rig(test.path());
  const Json body{{"path", "swing.xml"}, {"texts", {{"swing.xml", kSpring}}}, {"free", true}};
  const Json begun = rig.Parse(rig.Post("/api/runs", body));
  ASSERT_EQ(begun["run"], 1) << begun;
  const auto wait_for = [&](int run, const std::string& status) {
    for (int i = 0; i < 3000; ++i) {
      const Json runs = rig.Parse(rig.Get("/api/runs"));
      for (const Json& one : runs["runs"]) {
        if (one["run"] == run && one["status"] == status) return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  };
  ASSERT_TRUE(wait_for(1, "finished"));
  // The same rows as a simulation without a server gives.
  const Registry registry = ModelsOfTests();
  std::unique_ptr<Simulation> alone = Simulation::LoadText(kSpring, "swing.xml", registry).Take();
  const fs::path csv = test.outside() / "alone.csv";
  alone->StartRecording({.files = {csv}, .has_row_now = false});
  alone->Initialize();
  while (!alone->is_finished()) alone->Step();
  alone->StopRecordings();
  const HttpReply result = rig.Get("/run/1/api/result.csv");
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(result.body, ReadAllOf(csv));

  EXPECT_EQ(rig.Parse(rig.Get("/run/1/api/state"))["status"], "finished");
  EXPECT_EQ(rig.Parse(rig.Get("/run/1/api/system"))["name"], "swing");
  EXPECT_EQ(rig.Post("/run/1/api/control", {{"action", "reset"}}).status, 200);

  // A second one beside it, which is deleted while it runs.
  Json slow = body;
  slow["free"] = false;
  slow["stop"] = "1000 s";
  ASSERT_EQ(rig.Parse(rig.Post("/api/runs", slow))["run"], 2);
  ASSERT_TRUE(wait_for(2, "running"));
  EXPECT_EQ(SendRequest(rig.port(), "DELETE", "/api/runs?run=2").status, 200);
  EXPECT_EQ(rig.Get("/run/2/api/state").status, 404);
  EXPECT_EQ(SendRequest(rig.port(), "DELETE", "/api/runs?run=2").status, 404);
  EXPECT_EQ(rig.Get("/run/1/api/state").status, 200);

  // What cannot run says why, and is not kept.
  std::string text(kSpring);
  text.replace(text.find("spring.b"), 8, "spring.c");
  const Json faulty =
      rig.Parse(rig.Post("/api/runs", {{"path", "swing.xml"}, {"texts", {{"swing.xml", text}}}}));
  ASSERT_TRUE(faulty.contains("faults")) << faulty;
  EXPECT_EQ(faulty["faults"][0]["line"], 7);
  EXPECT_EQ(rig.Parse(rig.Get("/api/runs"))["runs"].size(), 1U);
}

TEST(StudioServer, ServesStudioApiOfEachRunUntilItIsDeleted) {
  const TestFolder test("studio_upgrade");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path());
  ASSERT_EQ(rig.Parse(rig.Post("/api/runs", {{"path", "swing.xml"}, {"paused", true}}))["run"], 1);
  const auto upgrade = [&](const std::string& target, std::string_view last) {
    return SendBytes(rig.port(),
                     "GET " + target +
                         " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                         "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                     last);
  };
  for (const char* const other : {"/", "/run/2/", "/run/1/api/"})
    EXPECT_THAT(upgrade(other, "\r\n\r\n"), HasSubstr("404")) << other;
  std::string received;
  std::thread client([&] { received = upgrade("/run/1/", "the run was deleted"); });
  const auto clients = [&] { return rig.Parse(rig.Get("/run/1/api/state"))["clients"] == 1; };
  for (int i = 0; i < 3000 && !clients(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(clients());
  EXPECT_EQ(SendRequest(rig.port(), "DELETE", "/api/runs?run=1").status, 200);
  client.join();
  EXPECT_THAT(received, HasSubstr("101 Switching Protocols"));
  EXPECT_THAT(received, HasSubstr("swing"));  // the hello of the run
  EXPECT_THAT(received, HasSubstr("the run was deleted"));
}

TEST(StudioServer, TemplatesCanBeRun) {
  const TestFolder test("studio_templates");
  const StudioRig rig(test.path());
  const Json list = rig.Parse(rig.Get("/api/templates"));
  EXPECT_GE(list["templates"].size(), 4U);
  for (const Json& one : list["templates"]) {
    EXPECT_NE(one["text"], "") << one["name"];
    const std::string path = one["kind"] == "chart" ? "new.scxml" : "new.xml";
    const std::string target = one["kind"] == "chart" ? "/api/chart/check" : "/api/check";
    const Json checked = rig.Parse(rig.Post(target, {{"path", path}, {"texts", {{path, one["content"]}}}}));
    EXPECT_EQ(checked["can_run"], true) << one["name"] << checked;
    EXPECT_EQ(checked["faults"].size(), 0U) << one["name"] << checked;
  }
}

TEST(StudioServer, AnswersManyAtOnceAndWhateverTheySend) {
  const TestFolder test("studio_many");
  test.Write("swing.xml", kSpring);
  const StudioRig rig(test.path());
  const std::string whole = Json{{"path", "swing.xml"}, {"texts", {{"swing.xml", kSpring}}}}.dump();
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  for (int client = 0; client < 8; ++client) {
    clients.emplace_back([&, client] {
      for (std::size_t i = 0; i < 40; ++i) {
        const char* const targets[] = {"/api/check",     "/api/layout",     "/api/models", "/api/chart/check",
                                       "/api/chart/run", "/api/chart/send", "/api/runs"};
        // Bodies that are cut off somewhere, or have another text inside.
        std::string body = whole.substr(0, (i * 37 + static_cast<std::size_t>(client)) % (whole.size() + 1));
        if (i % 3 == 0) body = Json{{"path", "swing.xml"}, {"texts", {{"swing.xml", body}}}}.dump();
        answered += SendRequest(rig.port(), "POST", targets[i % 7], body).status >= 200 ? 1 : 0;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 8 * 40);
  EXPECT_EQ(rig.Get("/api/studio").status, 200);
}

TEST(StudioServer, KeepsACertainNumberOfRuns) {
  const TestFolder test("studio_many_runs");
  test.Write("swing.xml", kSpring);
  StudioRig rig(test.path());
  const std::size_t most = rig.Parse(rig.Get("/api/runs"))["most"];
  const Json body{{"path", "swing.xml"}, {"paused", true}};
  for (std::size_t i = 0; i < most; ++i) EXPECT_EQ(rig.Post("/api/runs", body).status, 200);
  const HttpReply refused = rig.Post("/api/runs", body);
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("delete one first"));
  EXPECT_EQ(SendRequest(rig.port(), "DELETE", "/api/runs?run=1").status, 200);
  int status = 0;
  for (int i = 0; i < 1000 && status != 200; ++i) {  // its thread has to end first
    status = rig.Post("/api/runs", body).status;
    if (status != 200) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(status, 200);
  rig.server().Stop();  // with all of them under way
}

TEST(StudioServer, RunsAChartStepByStep) {
  const TestFolder test("studio_chart");
  const StudioRig rig(test.path());
  const std::string chart = R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:davit="urn:davit:chart:1"
    datamodel="davit" initial="low">
  <datamodel><data id="count" expr="0"/></datamodel>
  <state id="low">
    <transition event="up" target="high"><assign location="count" expr="count + 1"/></transition>
  </state>
  <state id="high">
    <transition event="down" target="low"/>
    <transition target="low" davit:after="2s"/>
    <transition cond="tank.p &gt; 5" target="over"/>
  </state>
  <final id="over"/>
</scxml>)";
  const Json texts{{"c.scxml", chart}};
  const Json checked = rig.Parse(rig.Post("/api/chart/check", {{"path", "c.scxml"}, {"texts", texts}}));
  EXPECT_EQ(checked["can_run"], true) << checked;
  EXPECT_EQ(checked["states"], 3);
  Json now = rig.Parse(rig.Post("/api/chart/run", {{"path", "c.scxml"}, {"texts", texts}}));
  ASSERT_TRUE(now.contains("session")) << now;
  const auto send = [&](Json body) {
    body["session"] = now["session"];
    return rig.Parse(rig.Post("/api/chart/send", body));
  };
  const auto active = [](const Json& answer) { return answer["active"][0]["id"].get<std::string>(); };
  EXPECT_EQ(active(now), "low");
  EXPECT_EQ(now["variables"][0]["value"], 0.0);
  now = send({{"event", "up"}});
  EXPECT_EQ(active(now), "high");
  EXPECT_EQ(now["variables"][0]["value"], 1.0);
  EXPECT_EQ(now["trace"][0]["text"], "up");
  now = send({{"advance", 1.5}});
  EXPECT_EQ(active(now), "high");
  now = send({{"advance", 1.0}});
  EXPECT_EQ(active(now), "low");
  EXPECT_NEAR(now["active"][0]["since"].get<double>(), 2, 0.011);  // within a step of 10 ms
  now = send({{"event", {{"name", "up"}, {"values", {{"a", 1}, {"b", "x"}}}}}});
  now = send({{"set", {{"tank.p", 6}}}});
  EXPECT_EQ(active(now), "over");
  EXPECT_EQ(now["has_reached_final"], true);
  EXPECT_THAT(send({{"set", {{"tank.q", 6}}}})["error"].get<std::string>(), HasSubstr("tank.p"));
  EXPECT_THAT(send({{"event", "up"}})["error"].get<std::string>(), HasSubstr("has ended"));
  EXPECT_EQ(rig.Post("/api/chart/send", {{"session", 77}, {"event", "up"}}).status, 404);
}

}  // namespace
}  // namespace davit
