// FMUs that a master loads and unloads again and again.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include "fmi/abi/abi2.h"
#include "fmi/fmu_description.h"
#include "fmi/zip_reader.h"
#include "tests/fmi/exported_fmu.h"

namespace davit {
namespace {

std::size_t BytesInUse() {
  const struct mallinfo2 use = mallinfo2();
  return use.uordblks + use.hblkhd;
}

// Law: a library that is unloaded gives back all that it has taken. What libstdc++ takes when it is loaded
// is more than 70,000 bytes; a thousandth of that for each time is less than what the allocator rounds to.
TEST(LoadTest, AnUnloadedFmuLeavesNoMemoryBehind) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizers have a heap of their own, and libraries share libstdc++";
#endif
  const std::filesystem::path folder = FreshFolder() / "unpacked";
  UnpackZip(ExportToFile({.system = ExampleSystem("mass_spring")}), folder);
  const std::filesystem::path library = folder / "binaries/linux64/mass_spring.so";
  Diagnostics diagnostics;
  const std::string token = ReadFmuDescription(folder / "modelDescription.xml", diagnostics).token;
  const std::string resources = "file://" + (folder / "resources").string();
  const auto load = [&](int times) {
    for (int i = 0; i < times; ++i) {
      void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
      ASSERT_NE(handle, nullptr) << dlerror();
      const fmi2CallbackFunctions callbacks{};
      const auto instantiate = reinterpret_cast<decltype(&fmi2Instantiate)>(dlsym(handle, "fmi2Instantiate"));
      const auto free = reinterpret_cast<decltype(&fmi2FreeInstance)>(dlsym(handle, "fmi2FreeInstance"));
      const fmi2Component c = instantiate("one", fmi2CoSimulation, token.c_str(), resources.c_str(),
                                          &callbacks, fmi2False, fmi2False);
      ASSERT_NE(c, nullptr);
      free(c);
      dlclose(handle);
    }
  };
  load(20);  // what the loader keeps for later
  const std::size_t before = BytesInUse();
  constexpr int kTimes = 1000;
  load(kTimes);
  constexpr std::size_t kPool = 70'000;
  EXPECT_LT(BytesInUse(), before + kPool) << "after " << kTimes << " times";
}

}  // namespace
}  // namespace davit
