#include <exception>
#include <iostream>

#include "app/program.h"
#include "app/standard_streams.h"
#include "components/register.h"
#include "results/hdf5_writer.h"

namespace davit {
namespace {

int Main(int argc, char** argv) {
  Registry registry = AllModels();
  CommandContext context{registry, std::cin, std::cout, std::cerr};
  const int code = RunCommandLine(argc, argv, context);
  return FinishStandardOutput(code, std::cout, std::cerr);
}

}  // namespace
}  // namespace davit

int main(int argc, char** argv) {
  davit::OpenStandardStreams();
  davit::IgnoreSignalsOfWriting();
  davit::Hdf5Writer::SkipWorkAtExit();
  try {
    return davit::Main(argc, argv);
  } catch (const std::exception& fault) {
    std::cerr << "error: " << fault.what() << '\n';
    return davit::kRunFailed;
  }
}
