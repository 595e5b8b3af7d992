#include <exception>
#include <iostream>

#include "app/program.h"
#include "components/register.h"

namespace davit {
namespace {

int Main(int argc, char** argv) {
  Registry registry = AllModels();
  CommandContext context{registry, std::cin, std::cout, std::cerr};
  return RunCommandLine(argc, argv, context);
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
