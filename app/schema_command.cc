#include "app/schema_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <ostream>

#include "analysis/studies/study_schema.h"
#include "app/exit_code.h"
#include "framework/counted.h"
#include "framework/exception_text.h"
#include "proof/bench_element.h"
#include "results/output_file.h"
#include "session/system_schema.h"

namespace davit {
namespace {

/// Writes a schema, and tells what is in it.
int WriteSchema(const std::string& schema, const std::string& content, const std::filesystem::path& output,
                std::ostream& out, std::ostream& err) {
  if (output.empty()) {
    out << schema;
    return kDone;
  }
  try {
    OutputFile file(output);
    file.Write(schema);
    file.Close();
  } catch (const std::exception& failure) {
    err << "error: " << Explain(failure) << '\n';
    return kRunFailed;
  }
  out << fmt::format("{}: {}\n", output.string(), content);
  return kDone;
}

}  // namespace

int RunSchema(const std::filesystem::path& output, const Registry& registry, std::ostream& out,
              std::ostream& err) {
  return WriteSchema(MakeSchema(registry), Counted(registry.entries().size(), "model"), output, out, err);
}

int RunBenchSchema(const std::filesystem::path& output, std::ostream& out, std::ostream& err) {
  return WriteSchema(MakeBenchSchema(), "bench files", output, out, err);
}

int RunStudySchema(const std::filesystem::path& output, std::ostream& out, std::ostream& err) {
  return WriteSchema(MakeStudySchema(), "study files", output, out, err);
}

void AddSchemaCommand(CLI::App& command, CommandContext& context) {
  const auto file = std::make_shared<std::filesystem::path>();
  command.add_option("-o,--output", *file, "File to write; standard output if none is given")
      ->type_name("FILE");
  const auto is_of_studies = std::make_shared<bool>(false);
  command.add_flag("--study", *is_of_studies, "Writes the schema of study files (davit study) instead");
  const auto is_of_benches = std::make_shared<bool>(false);
  command.add_flag("--bench", *is_of_benches, "Writes the schema of bench files (davit bench) instead");
  AddPluginOption(command, context);
  command.callback([&context, file, is_of_studies, is_of_benches] {
    if (*is_of_benches) {
      context.exit_code = RunBenchSchema(*file, context.out, context.err);
      return;
    }
    if (*is_of_studies) {
      context.exit_code = RunStudySchema(*file, context.out, context.err);
      return;
    }
    context.exit_code =
        context.LoadPlugins() ? RunSchema(*file, context.registry, context.out, context.err) : kWrongInput;
  });
}

}  // namespace davit
