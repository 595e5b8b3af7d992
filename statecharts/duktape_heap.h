#pragma once

#include <duktape.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace davit {

/// A Duktape of its own with bounds on its memory and on what a metered script (MeterScript) does in one
/// call. Wraps the C interface: whatever may fail runs in Protect.
///
/// Duktape leaves functions by longjmp, so the functions given to Protect hold no object with a destructor.
class DuktapeHeap {
 public:
  /// Passes of loops and calls of functions in one call of Protect; about a second.
  static constexpr std::uint32_t kMostOperations = 10'000'000;

  DuktapeHeap();
  ~DuktapeHeap();
  DuktapeHeap(const DuktapeHeap&) = delete;
  DuktapeHeap& operator=(const DuktapeHeap&) = delete;

  duk_context* context() const { return context_; }

  /// Calls `function(context)`, which leaves one value on the stack; that value is on the stack afterwards.
  /// After an error the stack is as before, `fault` says why, and false is returned.
  template <class Function>
  bool Protect(Function function, std::string& fault) {
    if (duk_check_stack(context_, kPlaces) == 0) {
      fault = "too deeply nested";
      return false;
    }
    operations_ = 0;
    const duk_int_t result = duk_safe_call(context_, &Call<Function>, &function, 0, 1);
    if (result == DUK_EXEC_SUCCESS) return true;
    fault = duk_safe_to_string(context_, -1);
    duk_pop(context_);
    return false;
  }

 private:
  static constexpr duk_idx_t kPlaces = 64;

  template <class Function>
  static duk_ret_t Call(duk_context* context, void* function) {
    (*static_cast<Function*>(function))(context);
    return 1;
  }
  /// kMeterFunction.
  static duk_ret_t CountOperation(duk_context* context);
  static void* Allocate(void* heap, duk_size_t size);
  static void* Reallocate(void* heap, void* place, duk_size_t size);
  static void Free(void* heap, void* place);
  [[noreturn]] static void Fatal(void* heap, const char* message);

  std::size_t used_ = 0;
  std::uint32_t operations_ = 0;  ///< in the present call of Protect
  duk_context* context_ = nullptr;
};

}  // namespace davit
