#pragma once

#include <iosfwd>

namespace CLI {
class App;
}

namespace davit {

/// The commands of a program with their sub-commands, options and texts, as a page of Markdown. All of it
/// comes from the definitions of the command line, as `--help` does.
void WriteCommandsMarkdown(const CLI::App& program, std::ostream& out);

}  // namespace davit
