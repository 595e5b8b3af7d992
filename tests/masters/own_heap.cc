// A program with a heap of its own: its operators new and delete, which it shows to the libraries that it
// loads, know their memory by a mark. Runs an FMU of FMI 2.0 for co-simulation; ends with 1 where memory
// of another heap was given to it.
//
//   davit_own_heap_master LIBRARY GUID RESOURCES

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "fmi/abi/abi2.h"

namespace {

constexpr char kMark[] = "of this program";
constexpr std::size_t kRoom = sizeof kMark;  // 16, as aligned as malloc

int foreign = 0;

void* Take(std::size_t size) {
  void* const memory = std::malloc(kRoom + size);
  if (memory == nullptr) std::abort();
  std::memcpy(memory, kMark, kRoom);
  return static_cast<char*>(memory) + kRoom;
}

void Give(void* memory) {
  if (memory == nullptr) return;
  char* const begin = static_cast<char*>(memory) - kRoom;
  if (std::memcmp(begin, kMark, kRoom) != 0) {
    ++foreign;  // and stays where it is
    return;
  }
  std::memset(begin, 0, kRoom);
  std::free(begin);
}

}  // namespace

void* operator new(std::size_t size) { return Take(size); }
void* operator new[](std::size_t size) { return Take(size); }
void operator delete(void* memory) noexcept { Give(memory); }
void operator delete[](void* memory) noexcept { Give(memory); }
void operator delete(void* memory, std::size_t) noexcept { Give(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Give(memory); }

#define DAVIT_CALL(NAME) (*reinterpret_cast<decltype(&NAME)>(dlsym(library, #NAME)))

int main(int count, char** arguments) {
  if (count != 4) return 2;
  void* const library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  for (int i = 0; i < 2; ++i) {
    const fmi2Component c = DAVIT_CALL(fmi2Instantiate)("a", fmi2CoSimulation, arguments[2], arguments[3],
                                                        nullptr, fmi2False, fmi2False);
    if (c == nullptr) return 2;
    bool is_right = DAVIT_CALL(fmi2EnterInitializationMode)(c) == fmi2OK &&
                    DAVIT_CALL(fmi2ExitInitializationMode)(c) == fmi2OK;
    for (int n = 0; n < 10; ++n)
      is_right = DAVIT_CALL(fmi2DoStep)(c, 0.01 * n, 0.01, fmi2True) == fmi2OK && is_right;
    is_right = DAVIT_CALL(fmi2Reset)(c) == fmi2OK && is_right;
    DAVIT_CALL(fmi2FreeInstance)(c);
    if (!is_right) return 2;
  }
  dlclose(library);
  if (foreign > 0) std::fprintf(stderr, "%d pieces of memory of another heap\n", foreign);
  return foreign > 0 ? 1 : 0;
}
