#include "app/absent_part.h"
#include "app/hopsan/hopsan_command.h"
#include "app/hopsan_files.h"
#include "hopsan/register.h"

namespace davit {
namespace {

constexpr AbsentPart kHopsan{"hopsan"};

}  // namespace

void AddHopsanCommand(CLI::App& command, CommandContext& /*context*/) { AddAbsentCommand(command, kHopsan); }

std::shared_ptr<const SystemDescription> MakeSystemOfHopsan(const std::filesystem::path& /*file*/,
                                                            const HopsanOptions& /*options*/,
                                                            CommandContext& /*context*/) {
  throw kHopsan;
}

int RunHopsan(const RunOptions& /*run*/, const HopsanOptions& /*options*/, CommandContext& /*context*/) {
  throw kHopsan;
}

void RegisterHopsan(Registry& /*registry*/) { throw kHopsan; }

}  // namespace davit
