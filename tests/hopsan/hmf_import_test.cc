#include "hopsan/import/hmf_import.h"

#include <fmt/format.h>

#include <cmath>

#include "components/register.h"
#include "hopsan/import/hmf_expression.h"
#include "hopsan/register.h"
#include "tests/hopsan/fault_text.h"
#include "tests/support/system_harness.h"

namespace davit {
namespace {

const Registry& TypesOfHopsan() {
  static const Registry registry = [] {
    Registry models = AllModels();
    RegisterHopsan(models);
    return models;
  }();
  return registry;
}

/// A model with these objects and connects; lines 1 to 5 are its head.
std::string Model(const std::string& objects, const std::string& connects = {},
                  const std::string& head = {}) {
  return "<hopsanmodelfile hopsancoreversion='2.24.0'>\n<system typename='Subsystem' name='m'>\n"
         "<simulationtime start='0' stop='0.01' timestep='0.001'/>\n" +
         head + "\n<objects>\n" + objects + "</objects>\n<connections>\n" + connects +
         "</connections></system></hopsanmodelfile>";
}

std::string Gain(const std::string& name, const std::string& parameters = {}) {
  return "<component typename='SignalGain' name='" + name + "'><parameters>" + parameters +
         "</parameters></component>\n";
}

std::string Value(const std::string& name, const std::string& value) {
  return "<parameter name='" + name + "' value='" + value + "'/>";
}

std::string Connect(const std::string& a, const std::string& p, const std::string& b, const std::string& q) {
  return "<connect startcomponent='" + a + "' startport='" + p + "' endcomponent='" + b + "' endport='" + q +
         "'/>\n";
}

std::string FaultsOf(const std::string& text, bool has_stubs = false) {
  Diagnostics diagnostics;
  hopsan::ImportHmf("model.hmf", TypesOfHopsan(), {.has_stubs = has_stubs, .text = &text}, diagnostics);
  return TextOfFaults(diagnostics);
}

/// The value of a variable after the first step.
double Read(const std::string& model, const std::string& path) {
  Diagnostics diagnostics;
  const auto import = hopsan::ImportHmf("model.hmf", TypesOfHopsan(), {.text = &model}, diagnostics);
  if (!import) throw std::invalid_argument(TextOfFaults(diagnostics));
  const auto simulation =
      Simulation::Load({.file = "model.hmf", .description = import->description}, TypesOfHopsan()).Take();
  simulation->Initialize();
  simulation->Step();
  return simulation->Read(path);
}

TEST(HmfExpression, HasThePrecedenceOfHopsan) {
  const auto value = [](std::string_view text) {
    Fault fault;
    return hopsan::EvaluateHmfExpression(
               text,
               [](std::string_view name, Fault*) {
                 return name == "a.b" ? std::optional(4.0) : std::nullopt;
               },
               &fault)
        .value_or(NAN);
  };
  EXPECT_EQ(value("1+2*3^2"), 19);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("2*3>2"), 2);  // > before *
  EXPECT_EQ(value("max(a.b, 2) + 1e-1"), 4.1);
  EXPECT_EQ(value("0|1&1"), 1);
  for (const char* wrong : {"", "1+", "(1", "1 2", "b", "sin()", "sin(1,2)", "1/0", "2)", "#"})
    EXPECT_TRUE(std::isnan(value(wrong))) << wrong;
}

TEST(HmfImport, LooksNamesUpOutwards) {
  const std::string head = "<parameters>" + Value("k", "3") + Value("twice", "2*self.k") + "</parameters>";
  EXPECT_EQ(Read(Model(Gain("g", Value("k#Value", "twice+self.in.Value") + Value("in#Value", "k")), {}, head),
                 "g.out"),
            27);
}

TEST(HmfImport, RunsScriptsFirst) {
  const std::string head = "<parameters>" + Value("k", "3") +
                           "</parameters><numhopscript>k = 5; # a comment\ng.in.Value = 2*k</numhopscript>";
  EXPECT_EQ(Read(Model(Gain("g", Value("k#Value", "k")), {}, head), "g.out"), 50);
}

TEST(HmfImport, CleansNames) {
  EXPECT_EQ(Read(Model(Gain("4/3 gain", Value("in#Value", "2")) + Gain("b c", Value("k", "3")),
                       Connect("4/3 gain", "out", "b c", "in")),
                 "b_c.out"),
            6);
}

TEST(HmfImport, NamesPlaceFaultAndRemedy) {
  const auto expect = [](const std::string& model, const std::string& text) {
    EXPECT_THAT(FaultsOf(model), testing::HasSubstr(text));
  };
  expect("<html/>",
         "model.hmf:1: error: the root element is 'html', not hopsanmodelfile; name a Hopsan model (.hmf)");
  expect(Model("<component typename='SignalGian' name='g'/>\n"),
         "model.hmf:6: error: the type 'SignalGian' is not known to davit (1 of it in the model); did you "
         "mean 'SignalGain'?");
  expect(Model(Gain("g"), Connect("g", "out", "h", "in")),
         "model.hmf:9: error: /: connect: no component 'h'; it has g");
  expect(Model(Gain("g") + Gain("h"), Connect("g", "aut", "h", "in")),
         "no port 'aut' on 'g' (SignalGain); did you mean 'out'?");
  expect(Model(Gain("g") + Gain("h"), Connect("g", "out", "h", "out")),
         "both 'g.out' and 'h.out' are outputs; a signal has one source");
  expect(Model(Gain("g", Value("k", "2*x"))),
         "model.hmf:6: error: /g: k: '2*x': no parameter 'x'; name a parameter of an enclosing system");
  expect(Model(Gain("g", Value("k", "self.k"))), "refers to itself; break the cycle");
  expect(Model(Gain("g", Value("q", "1"))),
         "model.hmf:6: warning: /g: SignalGain has no parameter 'q'; it is ignored");
  expect(
      Model(
          "<component typename='HydraulicTankC' name='a'/><component typename='HydraulicTankC' name='b'/>\n",
          Connect("a", "P1", "b", "P1")),
      "are C ports; put a component of type Q between them, such as an orifice or a mass");
  expect(
      Model("<component typename='HydraulicTankC' name='a'/>\n" + Gain("g"), Connect("a", "P1", "g", "in")),
      "are a signal and a power port; read a node with a sensor");
  expect(Model("<system name='s' external_path='no_such.hmf'/>\n"), "external_path: ");
}

TEST(HmfImport, RefusesLoopsOfSignals) {
  EXPECT_THROW(
      Read(Model(Gain("g") + Gain("h"), Connect("g", "out", "h", "in") + Connect("h", "out", "g", "in")),
           "g.out"),
      std::invalid_argument);
}

TEST(HmfImport, StubsKeepOutputsConstant) {
  const std::string model = Model("<component typename='Unheard' name='u'/>\n" + Gain("g", Value("k", "2")),
                                  Connect("u", "y", "g", "in"));
  EXPECT_THAT(FaultsOf(model), testing::HasSubstr("error: the type 'Unheard' is not known"));
  EXPECT_THAT(FaultsOf(model, true), testing::HasSubstr("warning: the type 'Unheard'"));
}

// Hopsan wants P1 to move against P2; a mass takes its start from the C components beside it.
TEST(HmfImport, WarnsOfStartValuesThatDoNotFit) {
  const auto springs = [](const std::string& left, const std::string& right) {
    return FaultsOf(Model("<component typename='MechanicTranslationalSpring' name='l'><parameters>" +
                              Value("P2#Velocity", left) +
                              "</parameters></component>"
                              "<component typename='MechanicTranslationalSpring' name='r'><parameters>" +
                              Value("P1#Velocity", right) +
                              "</parameters></component>"
                              "<component typename='MechanicTranslationalMass' name='m'/>",
                          Connect("l", "P2", "m", "P1") + Connect("m", "P2", "r", "P1")));
  };
  EXPECT_THAT(springs("-2", "2"), testing::Not(testing::HasSubstr("do not fit")));
  EXPECT_THAT(
      springs("2", "2"),
      testing::HasSubstr("warning: /m: start values at its ports do not fit: Velocity is 2 at P1 and 2 at "
                         "P2; give P2 the negative of P1"));
}

// A text cut anywhere is refused with a fault, or is a model.
TEST(HmfImport, RefusesFilesCutAnywhere) {
  const std::string model = Model(Gain("g", Value("k", "2")) + Gain("h"), Connect("g", "out", "h", "in"));
  for (std::size_t size = 0; size + 1 < model.size(); ++size) {
    EXPECT_THAT(FaultsOf(model.substr(0, size)), testing::HasSubstr("error: ")) << size;
  }
}

// Each parameter of a component is evaluated once: a chain of 60 doublings would take 2^60 evaluations else.
TEST(HmfImport, EvaluatesLongChainsOfParameters) {
  std::string parameters = Value("in#Value", "1") + Value("k#Value", "self.p0") + Value("p60", "1");
  for (int i = 0; i < 60; ++i)
    parameters += Value("p" + std::to_string(i), fmt::format("self.p{0}+self.p{0}", i + 1));
  EXPECT_EQ(Read(Model(Gain("g", parameters)), "g.out"), std::exp2(60));
}

}  // namespace
}  // namespace davit
