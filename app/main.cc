#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <memory>

#include "app/program.h"
#include "components/register.h"

namespace davit {
namespace {

int Main(int argc, char** argv) {
  Registry registry = AllModels();
  CommandContext context{registry, std::cin, std::cout, std::cerr};
  const std::unique_ptr<CLI::App> program = MakeProgram(context);
  try {
    program->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return program->exit(error) == 0 ? kDone : kWrongInput;
  }
  return context.exit_code;
}

}  // namespace
}  // namespace davit

int main(int argc, char** argv) {
  try {
    return davit::Main(argc, argv);
  } catch (const std::exception& fault) {
    std::cerr << "error: " << fault.what() << '\n';
    return davit::kRunFailed;
  }
}
