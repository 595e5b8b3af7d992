#include "framework/xml/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <string>

#include "components/register.h"
#include "framework/message.h"
#include "framework/xml/system_loader.h"
#include "simulator/simulator_manager.h"

namespace davit {
namespace {

using Action = CommandLine::Action;

class CommandLineTest : public testing::Test {
 protected:
  CommandLineTest() {
    RegisterSimulator(registry_);
    RegisterComponents(registry_);
    Diagnostics diagnostics;
    system_ = LoadSystem(DAVIT_SOURCE_DIR "/systems/lifting_cylinder.xml", registry_, {}, diagnostics);
  }
  std::optional<CommandLine> Parse(std::string_view line) {
    Diagnostics diagnostics;
    auto result =
        ParseCommandLine(*system_, line, {std::make_shared<const std::string>("lines"), 7}, diagnostics);
    fault_.clear();
    for (const Diagnostic& d : diagnostics.all()) fault_ += ToText(d);
    EXPECT_EQ(result.has_value(), fault_.empty()) << line;
    return result;
  }
  std::string FaultOf(std::string_view line) {
    Parse(line);
    return fault_;
  }

  Registry registry_;
  std::unique_ptr<System> system_;
  std::string fault_;
};

TEST_F(CommandLineTest, SetReadsPathAndValueAsAnAtDoes) {
  const auto line = Parse("  12.5 s\tset pump.speed  1500 rpm \r");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->action, Action::kCommand);
  EXPECT_EQ(line->time, 12.5);
  const auto& write = *line->command->write();
  Fault fault;
  const auto at = system_->FindLiveAssignment(system_->root(), "pump.speed", "1500 rpm", &fault);
  EXPECT_EQ(write.item.path(), "pump.speed");
  EXPECT_EQ(write.number, at->number);
  EXPECT_EQ(write.item.target(), at->item.target());
}

TEST_F(CommandLineTest, ATimeIsOneWordOrTwoOrNone) {
  EXPECT_EQ(Parse("pause")->time, std::nullopt);
  EXPECT_EQ(Parse("12 pause")->time, 12);
  EXPECT_EQ(Parse("12s pause")->time, 12);
  EXPECT_EQ(Parse("12 ms pause")->time, 0.012);
}

TEST_F(CommandLineTest, KnowsAllVerbs) {
  EXPECT_EQ(Parse("pause")->action, Action::kPause);
  EXPECT_EQ(Parse("continue")->action, Action::kContinue);
  EXPECT_EQ(Parse("3 stop")->action, Action::kStop);
  EXPECT_EQ(Parse("3 s get load.x")->argument, "load.x");
  EXPECT_EQ(Parse("list")->argument, "");
  EXPECT_EQ(Parse("save a file")->argument, "a file");
  EXPECT_EQ(Parse("load a")->action, Action::kLoad);
  EXPECT_EQ(Parse("until 1500 ms")->time, 1.5);
  EXPECT_EQ(Parse("until load.x gt 1.2 m")->argument, "load.x gt 1.2 m");
  EXPECT_EQ(Parse("until load.x gt 1.2 m")->time, std::nullopt);
  EXPECT_EQ(Parse("goto 1500 ms")->time, 1.5);
  EXPECT_EQ(Parse("back")->argument, "");
  EXPECT_EQ(Parse("back load.x gt 1.2 m")->argument, "load.x gt 1.2 m");
  EXPECT_EQ(Parse("branch trunk")->argument, "trunk");
  EXPECT_EQ(Parse("why pump.level")->argument, "pump.level");
  EXPECT_EQ(Parse("why pump.level 3 s")->argument, "pump.level");
  EXPECT_EQ(Parse("why pump.level 3 s")->time, 3);
  EXPECT_EQ(Parse("quit")->action, Action::kQuit);
  EXPECT_EQ(Parse("event operator.lift")->command->event()->name, "operator.lift");
  EXPECT_EQ(Parse("message SimulatorManager Reset")->command->message()->message->label().name, "Reset");
  EXPECT_EQ(Parse("level pump Ideal")->command->write()->item.kind(), Item::Kind::kLevel);
  EXPECT_EQ(Parse("")->action, Action::kNone);
  EXPECT_EQ(Parse(" \t\r")->action, Action::kNone);
  EXPECT_EQ(Parse("# set load.mass 1")->action, Action::kNone);
}

TEST_F(CommandLineTest, SaysWhatIsWrongAndWhatWouldBeRight) {
  EXPECT_EQ(FaultOf("sett load.mass 5 t"), "lines:7: error: no command 'sett'; did you mean 'set'?");
  EXPECT_EQ(FaultOf("5 sett load.mass 5 t"), "lines:7: error: no command 'sett'; did you mean 'set'?");
  EXPECT_EQ(
      FaultOf("blah"),
      "lines:7: error: no command 'blah'; use one of set, level, message, event, pause, continue, stop, get, "
      "list, save, load, until, ...");
  EXPECT_EQ(FaultOf("goto noon"), "lines:7: error: time: 'noon' is not a number; write for example 10 ms");
  EXPECT_EQ(FaultOf("3 until 5"),
            "lines:7: error: until has its time behind it; write for example 'until 12 s'");
  EXPECT_EQ(FaultOf("set load.mass"),
            "lines:7: error: set is incomplete; write [T] set PATH VALUE, for example 'set load.mass 5 t'");
  EXPECT_EQ(FaultOf("goto"), "lines:7: error: goto is incomplete; write goto T, for example 'goto 3 s'");
  EXPECT_EQ(FaultOf("stop now"),
            "lines:7: error: stop has too many words; write [T] stop, for example 'stop'");
  EXPECT_EQ(FaultOf("5 continue"),
            "lines:7: error: time does not advance during a pause, so continue takes no time; leave it out");
  EXPECT_EQ(FaultOf("5 bar pause"),
            "lines:7: error: time: '5 bar' is Pa, but s is needed; write for example 5 s");
  EXPECT_EQ(FaultOf("-1 pause"),
            "lines:7: error: time: '-1' is before the run; write a time at or after the start");
  EXPECT_EQ(FaultOf("set load.mas 5 t"),
            "lines:7: error: /load: no parameter 'mas' on mechanical.Mass; did you mean 'mass'?");
  EXPECT_EQ(
      FaultOf("set cylinder.bore 5 cm"),
      "lines:7: error: /cylinder: cylinder.bore is structural and cannot change during a run; set it in "
      "the element or with --set");
  EXPECT_EQ(FaultOf("set dcv.spool 1"),
            "lines:7: error: /dcv: dcv.spool is driven by a <Route>, so setting it has no effect; set the "
            "source of the route");
  EXPECT_EQ(FaultOf("event a..b"),
            "lines:7: error: 'a..b' is not an event name; write words joined by dots, such as operator.lift");
}

TEST_F(CommandLineTest, TakesAnyText) {
  rc::check("any text is a line or is answered", [this](const std::string& text) { Parse(text); });
  rc::check("also behind a verb", [this](const std::string& text) {
    for (const char* verb : {"set ", "level ", "message ", "event ", "1 set pump.speed ", "set pump"}) {
      Parse(verb + text);
    }
  });
}

}  // namespace
}  // namespace davit
