#include "proof/bench_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "framework/counted.h"
#include "framework/xml/escape_xml.h"
#include "results/curve.h"
#include "results/gnuplot_process.h"
#include "results/gnuplot_script.h"
#include "results/panel.h"

namespace davit {
namespace {

std::string PlaceOf(const SourceLocation& place) {
  return fmt::format("{}:{}", place.file == nullptr ? "" : *place.file, place.line);
}

/// The curves of a failure, with a vertical line where it failed.
std::string Picture(const FailureCurves& failure, const std::string& title) {
  ResultTable table{.names = failure.names,
                    .units = failure.units,
                    .time = failure.time,
                    .columns = failure.values,
                    .options = failure.options};
  ResultTable reference;
  std::vector<NamedResult> results{{&table, {}}};
  if (!failure.reference.empty() && table.names.size() == 1) {
    reference = {.names = table.names,
                 .units = table.units,
                 .time = failure.reference_time,
                 .columns = {failure.reference}};
    results = {{&table, "run"}, {&reference, "reference"}};
  }
  const std::vector<Curve> curves = MakeCurves(results);
  if (curves.empty()) return {};
  std::vector<std::size_t> all(curves.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const std::vector<Panel> panels = MakePanels(curves, all);
  std::string script = MakeGnuplotScript(curves, panels, {}, title, PictureFormat::kSvg);
  if (failure.at) {
    const std::string line = fmt::format(
        "set arrow 1 from {0:.17g}, graph 0 to {0:.17g}, graph 1 nohead lc rgb \"#D55E00\" dt 2\n",
        *failure.at);
    const std::size_t plot = script.find("set multiplot");
    script.insert(plot == std::string::npos ? std::min(script.find("\nplot "), script.size() - 1) + 1 : plot,
                  line);
  }
  std::string svg = RunGnuplot(script);
  return svg.substr(std::min(svg.find("<svg"), svg.size()));
}

constexpr std::string_view kStyle =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:60rem;color:#1e293b}"
    "table{border-collapse:collapse;margin:.5rem 0 1rem}td,th{border:1px solid #cbd5e1;padding:.25rem .6rem;"
    "text-align:left;vertical-align:top}code{font-size:13px}.passed{color:#15803d}.failed{color:#b91c1c}"
    "svg{max-width:100%;height:auto}";

/// An expectation with its requirement, which people know it by.
std::string NameOf(const ExpectationResult& one) {
  return one.requirement.empty() ? one.expectation : fmt::format("{} ({})", one.requirement, one.expectation);
}

std::string_view StateOf(bool is_passed) { return is_passed ? "passed" : "failed"; }

}  // namespace

std::string TextReport(const std::vector<CaseReport>& reports, bool is_quiet) {
  std::string text;
  std::size_t passed = 0;
  for (const CaseReport& report : reports) {
    if (report.is_passed()) ++passed;
    if (is_quiet && report.is_passed()) continue;
    text += fmt::format("{} {}", report.is_interrupted ? "interrupted" : StateOf(report.is_passed()),
                        report.name);
    if (!report.is_interrupted) text += fmt::format(" ({:.6g} s)", report.simulated);
    text += '\n';
    if (!report.fault.empty()) text += fmt::format("  {}: {}\n", PlaceOf(report.fault_place), report.fault);
    for (const ExpectationResult& one : report.expectations) {
      if (one.verdict.is_met) continue;
      text += fmt::format("  {}: {}: {}\n", PlaceOf(one.place), NameOf(one), one.verdict.text);
    }
  }
  return text + fmt::format("{} of {} passed\n", passed, Counted(reports.size(), "case"));
}

std::string JunitReport(const Bench& bench, const std::vector<CaseReport>& reports) {
  std::size_t failures = 0, errors = 0, skipped = 0;
  double wall = 0;
  std::string cases;
  for (const CaseReport& report : reports) {
    wall += report.wall;
    cases += fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{:.3f}\" file=\"{}\" line=\"{}\"",
                         EscapeXml(report.name), EscapeXml(bench.file.stem().string()), report.wall,
                         EscapeXml(bench.file.string()), report.place.line);
    const std::string properties =
        report.requirement.empty()
            ? std::string()
            : fmt::format("      <properties><property name=\"text\" value=\"{}\"/></properties>\n",
                          EscapeXml(report.requirement));
    if (report.is_passed() && properties.empty()) {
      cases += "/>\n";
      continue;
    }
    cases += ">\n" + properties;
    if (report.is_interrupted) {
      ++skipped;
      cases += "      <skipped message=\"interrupted\"/>\n";
    } else if (!report.fault.empty()) {
      ++errors;
      cases += fmt::format("      <error message=\"{}\">{}</error>\n", EscapeXml(report.fault),
                           EscapeXml(PlaceOf(report.fault_place)));
    } else if (!report.is_passed()) {
      ++failures;
    }
    for (const ExpectationResult& one : report.expectations) {
      if (one.verdict.is_met) continue;
      cases += fmt::format("      <failure message=\"{}\">{}</failure>\n",
                           EscapeXml(fmt::format("{}: {}", NameOf(one), one.verdict.text)),
                           EscapeXml(PlaceOf(one.place)));
    }
    cases += "    </testcase>\n";
  }
  const std::string numbers =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", reports.size(),
                  failures, errors, skipped, wall);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n  <testsuite name=\"{1}\" {0}>\n{2}"
      "  </testsuite>\n</testsuites>\n",
      numbers, EscapeXml(bench.file.string()), cases);
}

std::string HtmlReport(const Bench& bench, const std::vector<CaseReport>& reports,
                       const CoverageMap& coverage) {
  const auto passed = std::ranges::count_if(reports, &CaseReport::is_passed);
  const std::string title = EscapeXml(bench.file.stem().string());
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>"
      "<body>\n<h1>{0}</h1>\n<p>{2}</p>\n<p class=\"{3}\">{4} of {5} passed</p>\n"
      "<table><tr><th>Case</th><th>Requirement</th><th>Result</th></tr>\n",
      title, kStyle, EscapeXml(bench.text), StateOf(passed == std::ssize(reports)), passed,
      Counted(reports.size(), "case"));
  for (std::size_t i = 0; i < reports.size(); ++i) {
    page += fmt::format("<tr><td><a href=\"#case-{}\">{}</a></td><td>{}</td><td class=\"{}\">{}</td></tr>\n",
                        i + 1, EscapeXml(reports[i].name), EscapeXml(reports[i].requirement),
                        StateOf(reports[i].is_passed()), StateOf(reports[i].is_passed()));
  }
  page += "</table>\n";
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const CaseReport& report = reports[i];
    page += fmt::format("<h2 id=\"case-{}\">{}</h2>\n<p>{}</p>\n", i + 1, EscapeXml(report.name),
                        EscapeXml(report.requirement));
    if (!report.fault.empty())
      page += fmt::format("<p class=\"failed\">{}: {}</p>\n", EscapeXml(PlaceOf(report.fault_place)),
                          EscapeXml(report.fault));
    page += "<table><tr><th>Requirement</th><th>Expectation</th><th>Result</th></tr>\n";
    for (const ExpectationResult& one : report.expectations) {
      page += fmt::format("<tr><td>{}</td><td><code>{}</code></td><td class=\"{}\">{}{}{}</td></tr>\n",
                          EscapeXml(one.requirement), EscapeXml(one.expectation), StateOf(one.verdict.is_met),
                          StateOf(one.verdict.is_met), one.verdict.text.empty() ? "" : ": ",
                          EscapeXml(one.verdict.text));
    }
    page += "</table>\n";
    for (const ExpectationResult& one : report.expectations) {
      if (one.curves) page += fmt::format("<figure>{}</figure>\n", Picture(*one.curves, one.expectation));
    }
  }
  if (!coverage.empty())
    page += fmt::format("<h2>Coverage</h2>\n<pre>{}</pre>\n", EscapeXml(CoverageTable(coverage)));
  return page + "</body></html>\n";
}

}  // namespace davit
