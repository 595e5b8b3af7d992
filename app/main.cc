#include <exception>
#include <iostream>
#include <memory>
#include <sstream>

#include "analysis/study/serve_cases.h"
#include "app/absent_part.h"
#include "app/fmu_files.h"
#include "app/interfaces.h"
#include "app/mpi_start.h"
#include "app/program.h"
#include "app/standard_streams.h"
#include "app/studies/mpi_ranks.h"
#include "components/register.h"
#include "framework/exception_text.h"
#include "results/hdf5_writer.h"

namespace davit {
namespace {

/// However the command ends, the other processes do, too.
struct Dismissal {
  RankChannel* ranks;
  ~Dismissal() {
    try {
      if (ranks != nullptr) DismissRanks(*ranks);
    } catch (const std::exception& fault) {
      std::cerr << "error: " << Explain(fault) << '\n';
    }
  }
};

/// A process that runs cases for that of rank 0, which alone reads, writes and answers.
int ServeMain(int argc, char** argv, Registry& registry, RankChannel& ranks) {
  for (std::ostream* stream : {&std::cout, &std::cerr}) stream->setstate(std::ios::failbit);
  std::ostringstream said;
  std::ostream nothing(nullptr);
  CommandContext context{registry, std::cin, nothing, said};
  context.ranks = &ranks;
  const int code = IsForAllRanks(argc, argv) ? RunCommandLine(argc, argv, context) : kDone;
  LeaveRanks(ranks, code == kDone ? "" : said.str());
  return kDone;
}

int Main(int argc, char** argv) {
  Registry registry = AllModels();
  RegisterFmuModels(registry);
  RegisterInterfaces(registry);
  const std::unique_ptr<RankChannel> ranks = IsStartedByMpi() ? JoinMpi() : nullptr;
  if (ranks != nullptr && ranks->rank() != 0) return ServeMain(argc, argv, registry, *ranks);
  CommandContext context{registry, std::cin, std::cout, std::cerr};
  if (ranks != nullptr && IsForAllRanks(argc, argv)) context.ranks = ranks.get();
  const Dismissal dismissal{ranks.get()};
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
  } catch (const davit::AbsentPart& part) {
    return davit::BringPart(part, argv);
  } catch (const std::exception& fault) {
    std::cerr << "error: " << davit::Explain(fault) << '\n';
    return davit::kRunFailed;
  }
}
