// For a library with a libstdc++ of its own, linked statically: that takes 72 KB for exceptions without
// memory when it is loaded, and leaves them behind when it is unloaded.

namespace __gnu_cxx {  // NOLINT(bugprone-reserved-identifier): of libstdc++, which declares it in no header
void __freeres();
}

namespace {

// The lowest priority that is not reserved: it runs last, after the destructors of all objects.
[[gnu::destructor(101)]] void FreeEmergencyPool() { __gnu_cxx::__freeres(); }

}  // namespace
