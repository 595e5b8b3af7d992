#include "analysis/faults/fmea_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/xml/escape_xml.h"
#include "results/display_unit.h"

namespace davit {
namespace {

constexpr std::string_view kSheetStyle =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2rem;color:#1e293b}"
    "table{border-collapse:collapse;margin:.5rem 0 1rem}td,th{border:1px solid #cbd5e1;padding:.25rem .6rem;"
    "text-align:left;vertical-align:top}th{background:#f1f5f9}.late{background:#fee2e2}.seen{background:#"
    "fef9c3}"
    ".usual{color:#64748b}";

std::string Cell(std::string_view text) { return fmt::format("<td>{}</td>", EscapeXml(text)); }

}  // namespace

bool FaultRow::is_hazardous(const std::vector<FaultHazard>& hazards_of_campaign) const {
  for (std::size_t i = 0; i < hazards.size(); ++i) {
    const FaultHazard& hazard = hazards_of_campaign[i];
    if (hazard.is_condition && hazards[i] > 0.5 && !(hazard.usual > 0.5)) return true;
  }
  return false;
}

std::string HazardText(const FaultHazard& hazard, double value) {
  if (std::isnan(value)) return {};
  if (hazard.is_condition) return value > 0.5 ? "yes" : "no";
  const DisplayUnit unit = FindDisplayUnit(hazard.unit, std::abs(value));
  return fmt::format("{:.4g}{}{}", value * unit.factor, unit.plain.empty() ? "" : " ", unit.plain);
}

std::string MakeFmeaSheet(std::string_view title, std::string_view conditions,
                          const std::vector<FaultHazard>& hazards, const std::vector<FaultRow>& rows) {
  const auto count = [&](bool is_hazardous, bool is_detected) {
    return std::ranges::count_if(rows, [&](const FaultRow& row) {
      return row.is_hazardous(hazards) == is_hazardous && row.is_detected() == is_detected;
    });
  };
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>FMEA: "
      "{0}</title><style>{1}</style>"
      "</head><body>\n<h1>Failure mode and effects analysis: {0}</h1>\n<p>{2}</p>\n"
      "<table><tr><th></th><th>detected</th><th>not detected</th></tr>\n"
      "<tr><th>hazardous</th><td class=\"seen\">{3}</td><td class=\"late\">{4}</td></tr>\n"
      "<tr><th>not hazardous</th><td>{5}</td><td>{6}</td></tr></table>\n",
      EscapeXml(title), kSheetStyle, EscapeXml(conditions), count(true, true), count(true, false),
      count(false, true), count(false, false));
  page += "<table><tr><th>Fault</th><th>Meaning</th>";
  for (const FaultHazard& hazard : hazards)
    page += fmt::format("<th>{}<br><code>{}</code></th>", EscapeXml(hazard.name), EscapeXml(hazard.text));
  page +=
      "<th>Detected by</th><th>after</th><th>Status</th></tr>\n<tr class=\"usual\"><td>none</td><td></td>";
  for (const FaultHazard& hazard : hazards) page += Cell(HazardText(hazard, hazard.usual));
  page += "<td></td><td></td><td></td></tr>\n";
  for (const FaultRow& row : rows) {
    page += fmt::format("<tr{}>", !row.is_hazardous(hazards) ? ""
                                  : row.is_detected()        ? " class=\"seen\""
                                                             : " class=\"late\"");
    page += Cell(row.fault) + Cell(row.meaning);
    for (std::size_t i = 0; i < hazards.size(); ++i)
      page += Cell(i < row.hazards.size() ? HazardText(hazards[i], row.hazards[i]) : std::string());
    page += Cell(row.detected_by) +
            Cell(row.is_detected() ? fmt::format("{:.4g} s", row.detection_time) : std::string()) +
            Cell(row.message.empty() ? row.status : row.status + ": " + row.message) + "</tr>\n";
  }
  return page + "</table>\n</body></html>\n";
}

}  // namespace davit
