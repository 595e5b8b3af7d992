#include "simulator/network/tlm_schedule.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/test_system.h"

namespace davit {
namespace {

/// A mass between two springs, one of them damped, and another of the same kind that nobody touches.
std::string Springs(const std::string& start, const std::string& commands, const std::string& stop) {
  std::string text;
  for (const std::string name : {"touched", "other"}) {
    text += "<mechanical.Fixed name=\"left_" + name + "\"/><mechanical.Fixed name=\"right_" + name + "\"/>" +
            "<mechanical.SpringC name=\"a_" + name + "\" stiffness=\"3 kN/m\" damping=\"5 N.s/m\"/>" +
            "<mechanical.SpringC name=\"b_" + name + "\" stiffness=\"1 kN/m\"/>" +
            "<mechanical.Mass name=\"" + name + "\" mass=\"2 kg\" weight=\"20 N\">" +
            (name == "touched" ? start : "<Start v=\"0.2\"/>") + "</mechanical.Mass>" +
            "<Connect from=\"left_" + name + ".port\" to=\"a_" + name + ".a\"/>" + "<Connect from=\"a_" +
            name + ".b\" to=\"" + name + ".a\"/>" + "<Connect from=\"" + name + ".b\" to=\"b_" + name +
            ".a\"/>" + "<Connect from=\"b_" + name + ".b\" to=\"right_" + name + ".port\"/>\n";
  }
  return SystemText("TimeStep=\"1 ms\" StopTime=\"" + stop + "\"", "", text + commands);
}

const char* const kSet =
    "<At time=\"0.5 s\" set=\"touched.x\" value=\"0.1 m\"/><At time=\"0.5 s\" set=\"touched.v\" "
    "value=\"-0.3 m/s\"/>";

std::vector<TestRow> Record(const std::string& text) { return TestSystem(text).RunAndRecord(); }

TEST(TlmScheduleTest, AStateThatIsSetGoesOnAsARunStartedThere) {
  const std::string record =
      "<Record signals=\"touched.x touched.v touched.acceleration a_touched.force b_touched.force\"/>";
  const std::vector<TestRow> set = Record(Springs("", kSet + record, "1 s"));
  const std::vector<TestRow> started =
      Record(Springs("<Start x=\"0.1 m\" v=\"-0.3 m/s\"/>", record, "0.5 s"));
  ASSERT_EQ(set.size(), 1001U);
  ASSERT_EQ(started.size(), 501U);
  for (std::size_t i = 1; i < started.size(); ++i)
    ASSERT_EQ(set[500 + i].values, started[i].values) << started[i].t;
}

TEST(TlmScheduleTest, NothingElseIsTouched) {
  const std::string record = "<Record signals=\"other.x other.v a_other.force b_other.force\"/>";
  EXPECT_EQ(Record(Springs("", kSet + record, "1 s")), Record(Springs("", record, "1 s")));
}

TEST(TlmScheduleTest, SettingWhatIsAlreadyThereChangesNothing) {
  const std::string system =
      "<hydraulic.VolumeC name=\"volume\"><Start p=\"50 bar\"/></hydraulic.VolumeC>"
      "<hydraulic.Orifice name=\"outlet\" area=\"1 mm2\"/><hydraulic.Tank name=\"tank\"/>"
      "<Connect from=\"outlet.a\" to=\"volume.port\"/><Connect from=\"outlet.b\" to=\"tank.port\"/>"
      "<Record signals=\"volume.p volume.quantity outlet.q\"/>";
  TestSystem plain(SystemText("TimeStep=\"1 ms\" StopTime=\"0.2 s\"", "", system));
  TestSystem touched(SystemText("TimeStep=\"1 ms\" StopTime=\"0.2 s\"", "", system));
  touched.StartRecording();
  touched.manager().Initialize();
  touched.manager().RunUntil(0.1);
  const StateSlot& slot = *touched.Find("volume.quantity").slot();
  slot.memory->is_overridden = true;  // as OverrideStateValue does
  while (!touched.manager().is_finished()) touched.manager().Step();
  EXPECT_EQ(touched.TakeRows(), plain.RunAndRecord());
}

TEST(TlmScheduleTest, OilThatIsSetIsSeenByTheNeighboursInTheNextStep) {
  const std::string system =
      "<hydraulic.VolumeC name=\"volume\"><Start p=\"{}\"/></hydraulic.VolumeC>"
      "<hydraulic.Orifice name=\"outlet\" area=\"1 mm2\"/><hydraulic.Tank name=\"tank\"/>"
      "<Connect from=\"outlet.a\" to=\"volume.port\"/><Connect from=\"outlet.b\" to=\"tank.port\"/>"
      "<Record signals=\"volume.p volume.quantity outlet.q\"/>";
  const auto with_start = [&](const std::string& p, const std::string& more, const std::string& stop) {
    std::string text = system;
    text.replace(text.find("{}"), 2, p);
    return Record(SystemText("TimeStep=\"1 ms\" StopTime=\"" + stop + "\"", "", text + more));
  };
  const std::vector<TestRow> set =
      with_start("0 Pa", "<At time=\"0.1 s\" set=\"volume.quantity\" value=\"3.125e-5 m3\"/>", "0.2 s");
  const std::vector<TestRow> started = with_start("50 bar", "", "0.1 s");  // beta Q/V
  for (std::size_t i = 1; i < started.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_DOUBLE_EQ(set[100 + i].values[k], started[i].values[k]) << started[i].t;
  }
}

}  // namespace
}  // namespace davit
