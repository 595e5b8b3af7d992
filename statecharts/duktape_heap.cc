#include "statecharts/duktape_heap.h"

#include <cstdlib>
#include <new>
#include <stdexcept>

#include "statecharts/metered_script.h"

namespace davit {
namespace {

constexpr std::size_t kMostMemory = std::size_t{256} << 20;
/// In front of each block, to know its size; keeps the alignment of malloc.
constexpr std::size_t kHeader = alignof(std::max_align_t);

std::size_t& SizeOf(void* block) { return *static_cast<std::size_t*>(block); }
void* ToUser(void* block) { return static_cast<char*>(block) + kHeader; }
void* ToBlock(void* place) { return static_cast<char*>(place) - kHeader; }

}  // namespace

DuktapeHeap::DuktapeHeap() : context_(duk_create_heap(&Allocate, &Reallocate, &Free, this, &Fatal)) {
  if (context_ == nullptr) throw std::bad_alloc();
  duk_push_global_object(context_);
  duk_push_string(context_, kMeterFunction);
  duk_push_c_function(context_, &CountOperation, 0);
  duk_def_prop(context_, -3, DUK_DEFPROP_HAVE_VALUE | DUK_DEFPROP_CLEAR_WEC);
  duk_pop(context_);
}

duk_ret_t DuktapeHeap::CountOperation(duk_context* context) {
  duk_memory_functions functions;
  duk_get_memory_functions(context, &functions);
  if (++static_cast<DuktapeHeap*>(functions.udata)->operations_ > kMostOperations) {
    // Raw: duk_error() would put the path of this file into the program.
    duk_error_raw(context, DUK_ERR_RANGE_ERROR, "davit", 0,
                  "the script does not end: %lu passes of loops and calls",
                  static_cast<unsigned long>(kMostOperations));
  }
  duk_push_true(context);
  return 1;
}

DuktapeHeap::~DuktapeHeap() { duk_destroy_heap(context_); }

void* DuktapeHeap::Allocate(void* heap, duk_size_t size) {
  auto& self = *static_cast<DuktapeHeap*>(heap);
  if (size == 0 || size > kMostMemory - self.used_) return nullptr;
  void* const block = std::malloc(size + kHeader);
  if (block == nullptr) return nullptr;
  SizeOf(block) = size;
  self.used_ += size;
  return ToUser(block);
}

void* DuktapeHeap::Reallocate(void* heap, void* place, duk_size_t size) {
  if (place == nullptr) return Allocate(heap, size);
  if (size == 0) {
    Free(heap, place);
    return nullptr;
  }
  auto& self = *static_cast<DuktapeHeap*>(heap);
  void* block = ToBlock(place);
  const std::size_t old_size = SizeOf(block);
  if (size > old_size && size - old_size > kMostMemory - self.used_) return nullptr;
  block = std::realloc(block, size + kHeader);
  if (block == nullptr) return nullptr;
  SizeOf(block) = size;
  self.used_ = self.used_ - old_size + size;
  return ToUser(block);
}

void DuktapeHeap::Free(void* heap, void* place) {
  if (place == nullptr) return;
  void* const block = ToBlock(place);
  static_cast<DuktapeHeap*>(heap)->used_ -= SizeOf(block);
  std::free(block);
}

void DuktapeHeap::Fatal(void* /*heap*/, const char* message) {
  throw std::runtime_error(std::string("Duktape failed: ") + (message == nullptr ? "no memory" : message));
}

}  // namespace davit
