#include "tests/fmi/outside_program.h"

namespace davit {

ProgramResult RunDavit(const std::vector<std::string>& arguments) {
  return RunProgram(DAVIT_BINARY, arguments, "").value_or(ProgramResult{});
}

ProgramResult RunFmpy(const std::string& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"PYTHONPATH=" + folder, "/usr/bin/python3", "-m", "fmpy"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return RunProgram("env", all, "").value_or(ProgramResult{});
}

std::string NameOf(FmiVersion version) { return version == FmiVersion::k2 ? "_2" : "_3"; }

}  // namespace davit
