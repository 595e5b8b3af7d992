// Every type of FMI 3.0 from an input to an output, y = u, for co-simulation; an array of variable size
// y[i] = gain * u[i]; a text and an enumeration.

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "fmi/abi/abi3.h"

namespace {

/// Inputs have odd references, and the output of each follows it.
constexpr fmi3ValueReference kSize = 101, kGain = 102, kArrayInput = 103, kArrayOutput = 104, kText = 105,
                             kTextLength = 106;

struct Types {
  std::map<fmi3ValueReference, double> numbers;
  std::map<fmi3ValueReference, std::int64_t> whole;
  std::uint64_t size = 2;
  double gain = 1;
  std::vector<double> array{1, 2};
  std::string text = "start";
  bool is_configuring = false;
};

Types& Of(fmi3Instance c) { return *static_cast<Types*>(c); }
fmi3ValueReference SourceOf(fmi3ValueReference reference) {
  return reference % 2 == 0 ? reference - 1 : reference;
}

template <class Number, class T>
fmi3Status GetAll(std::map<fmi3ValueReference, Number>& all, const fmi3ValueReference r[], std::size_t n,
                  T values[]) {
  for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<T>(all[SourceOf(r[i])]);
  return fmi3OK;
}
template <class Number, class T>
fmi3Status SetAll(std::map<fmi3ValueReference, Number>& all, const fmi3ValueReference r[], std::size_t n,
                  const T values[]) {
  for (std::size_t i = 0; i < n; ++i) all[r[i]] = static_cast<Number>(values[i]);
  return fmi3OK;
}

}  // namespace

extern "C" {

fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean, fmi3Boolean, const fmi3ValueReference[], std::size_t,
                                         fmi3InstanceEnvironment, fmi3LogMessageCallback,
                                         fmi3IntermediateUpdateCallback) {
  return new Types;
}
void fmi3FreeInstance(fmi3Instance c) { delete &Of(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean,
                                       fmi3Float64) {
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) {
  Of(c).is_configuring = true;
  return fmi3OK;
}
fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) {
  Of(c).is_configuring = false;
  Of(c).array.resize(Of(c).size);
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance, fmi3Float64 t, fmi3Float64 h, fmi3Boolean, fmi3Boolean* has_event,
                      fmi3Boolean* is_end, fmi3Boolean* is_early, fmi3Float64* reached) {
  *has_event = *is_end = *is_early = false;
  *reached = t + h;
  return fmi3OK;
}

fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, fmi3Float64 values[],
                          std::size_t count) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (r[i] != kArrayOutput) {
      values[k++] = Of(c).numbers[SourceOf(r[i])];
      continue;
    }
    for (const double value : Of(c).array) values[k++] = Of(c).gain * value;
  }
  return k == count ? fmi3OK : fmi3Error;
}
fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference r[], std::size_t n,
                          const fmi3Float64 values[], std::size_t count) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (r[i] == kGain) {
      Of(c).gain = values[k++];
    } else if (r[i] != kArrayInput) {
      Of(c).numbers[r[i]] = values[k++];
    } else {
      for (double& value : Of(c).array) value = values[k++];
    }
  }
  return k == count ? fmi3OK : fmi3Error;
}
fmi3Status fmi3GetFloat32(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, fmi3Float32 v[],
                          std::size_t) {
  return GetAll(Of(c).numbers, r, n, v);
}
fmi3Status fmi3SetFloat32(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, const fmi3Float32 v[],
                          std::size_t) {
  return SetAll(Of(c).numbers, r, n, v);
}
fmi3Status fmi3GetUInt64(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, fmi3UInt64 v[],
                         std::size_t) {
  return GetAll(Of(c).whole, r, n, v);
}
fmi3Status fmi3SetUInt64(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, const fmi3UInt64 v[],
                         std::size_t) {
  if (r[0] != kSize) return SetAll(Of(c).whole, r, n, v);
  if (!Of(c).is_configuring) return fmi3Error;
  Of(c).size = v[0];
  return fmi3OK;
}
#define DAVIT_TYPE(TYPE)                                                                                \
  fmi3Status fmi3Get##TYPE(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, fmi3##TYPE v[], \
                           std::size_t) {                                                               \
    return GetAll(Of(c).whole, r, n, v);                                                                \
  }                                                                                                     \
  fmi3Status fmi3Set##TYPE(fmi3Instance c, const fmi3ValueReference r[], std::size_t n,                 \
                           const fmi3##TYPE v[], std::size_t) {                                         \
    return SetAll(Of(c).whole, r, n, v);                                                                \
  }
DAVIT_TYPE(Int8)
DAVIT_TYPE(UInt8)
DAVIT_TYPE(Int16)
DAVIT_TYPE(UInt16)
DAVIT_TYPE(UInt32)
DAVIT_TYPE(Int64)
DAVIT_TYPE(Boolean)
#undef DAVIT_TYPE
fmi3Status fmi3GetInt32(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, fmi3Int32 v[],
                        std::size_t) {
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = r[i] == kTextLength ? static_cast<fmi3Int32>(Of(c).text.size())
                               : static_cast<fmi3Int32>(Of(c).whole[SourceOf(r[i])]);
  }
  return fmi3OK;
}
fmi3Status fmi3SetInt32(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, const fmi3Int32 v[],
                        std::size_t) {
  return SetAll(Of(c).whole, r, n, v);
}
fmi3Status fmi3SetString(fmi3Instance c, const fmi3ValueReference r[], std::size_t n, const fmi3String v[],
                         std::size_t) {
  if (n != 1 || r[0] != kText) return fmi3Error;
  Of(c).text = v[0];
  return fmi3OK;
}

}  // extern "C"
