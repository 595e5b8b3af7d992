#pragma once

#include <string>
#include <vector>

#include "framework/system.h"

namespace davit {

class SystemIndex;
struct EvaluationContexts;
struct Partition;

/// Where waves of fixed-step (TLM) components meet others.
struct WaveBoundaries {
  /// Where a TlmComponent offers a wave.
  struct WaveEnd {
    std::string name;  ///< of the wave: `line.a.c`
    const Component* owner = nullptr;
    const Domain* domain = nullptr;
    double* c = nullptr;
  };

  std::vector<WaveEnd> ends;  ///< in the order of the connections
  /// By context: the waves c that an island reads from fixed-step components at its boundary. They change
  /// linearly over a step.
  std::vector<std::vector<double*>> waves;
};

WaveBoundaries FindWaveBoundaries(const SystemIndex& index, const Partition& partition,
                                  const EvaluationContexts& contexts);

}  // namespace davit
