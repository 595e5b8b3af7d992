#pragma once

#include <span>
#include <string>
#include <string_view>

#include "results/panel.h"
#include "results/result_table.h"

namespace davit {

enum class PictureFormat { kSvg, kPng };

/// The gnuplot script that draws `panels` above each other, with all data in it; the picture goes to
/// gnuplot's standard output. Names are passed as plain text: nothing in them is taken for a command, an
/// index or markup.
///
/// Pre: the table has rows, and there is at least one panel.
std::string MakeGnuplotScript(const ResultTable& table, std::span<const Panel> panels, std::string_view title,
                              PictureFormat format);

}  // namespace davit
