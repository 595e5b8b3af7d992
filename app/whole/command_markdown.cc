#include "app/whole/command_markdown.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/model_markdown.h"

namespace davit {
namespace {

std::vector<const CLI::App*> SubcommandsOf(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<const CLI::Option*> OptionsOf(const CLI::App& command) {
  return command.get_options([](const CLI::Option*) { return true; });
}

/// `davit chart run`.
std::string FullName(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : FullName(*parent) + ' ' + command.get_name();
}

/// Of the heading with the full name, as GitHub and MkDocs make it.
std::string Anchor(const CLI::App& command) {
  std::string anchor = FullName(command);
  std::ranges::replace(anchor, ' ', '-');
  return anchor;
}

/// `davit plot [OPTIONS] RESULT [MORE]...`.
std::string Usage(const CLI::App& command) {
  std::string usage = FullName(command) + " [OPTIONS]";
  for (const CLI::Option* option : OptionsOf(command)) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true);
    usage += option->get_required() ? ' ' + name : fmt::format(" [{}]", name);
    if (option->get_expected_max() > 1) usage += "...";
  }
  if (!SubcommandsOf(command).empty()) usage += " COMMAND";
  return usage;
}

/// `-o`, `--output`, each as code.
std::string NamesOf(const CLI::Option& option) {
  if (option.get_positional()) return fmt::format("`{}`", option.get_name(true));
  std::string names;
  for (const std::string& name : option.get_snames()) names += fmt::format("`-{}`, ", name);
  for (const std::string& name : option.get_lnames()) names += fmt::format("`--{}`, ", name);
  return names.substr(0, names.size() - 2);
}

/// The argument shown after the option: `FILE`, or `[FACTOR]` where it may be missing. Nothing for a flag,
/// and for an argument, whose name says it.
std::string ValueOf(const CLI::Option& option) {
  if (option.get_positional() || option.get_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  return option.get_expected_min() == 0 ? fmt::format("`[{}]`", type) : fmt::format("`{}`", type);
}

std::string MeaningOf(const CLI::Option& option) {
  std::string text = option.get_description();
  std::ranges::replace(text, '\n', ' ');
  text = EscapeMarkdown(text);
  if (option.get_required()) text += "; required";
  if (!option.get_default_str().empty()) text += fmt::format("; default `{}`", option.get_default_str());
  return text;
}

void WriteCommand(const CLI::App& command, std::ostream& out) {
  out << fmt::format("\n## {}\n\n{}.\n\n```sh\n{}\n```\n\n", FullName(command),
                     EscapeMarkdown(command.get_description()), Usage(command));
  out << "| option | value | meaning |\n| --- | --- | --- |\n";
  for (const CLI::Option* option : OptionsOf(command)) {
    out << fmt::format("| {} | {} | {} |\n", NamesOf(*option), ValueOf(*option), MeaningOf(*option));
  }
  for (const CLI::App* sub : SubcommandsOf(command)) WriteCommand(*sub, out);
}

void WriteRows(const CLI::App& command, std::ostream& out) {
  for (const CLI::App* sub : SubcommandsOf(command)) {
    out << fmt::format("| [{}](#{}) | {} |\n", FullName(*sub), Anchor(*sub),
                       EscapeMarkdown(sub->get_description()));
    WriteRows(*sub, out);
  }
}

}  // namespace

void WriteCommandsMarkdown(const CLI::App& program, std::ostream& out) {
  out << fmt::format("# Commands\n\n{}.\n\n| command | does |\n| --- | --- |\n",
                     EscapeMarkdown(program.get_description()));
  WriteRows(program, out);
  out << fmt::format("\n{}\n\n| option | meaning |\n| --- | --- |\n", EscapeMarkdown(program.get_footer()));
  for (const CLI::Option* option : OptionsOf(program)) {
    out << fmt::format("| {} | {} |\n", NamesOf(*option), MeaningOf(*option));
  }
  for (const CLI::App* command : SubcommandsOf(program)) WriteCommand(*command, out);
}

}  // namespace davit
