#include "simulator/passes/wave_boundaries.h"

#include "simulator/passes/connection_bond.h"
#include "simulator/passes/evaluation_contexts.h"
#include "simulator/passes/partition.h"
#include "simulator/passes/system_index.h"

namespace davit {

WaveBoundaries FindWaveBoundaries(const SystemIndex& index, const Partition& partition,
                                  const EvaluationContexts& contexts) {
  WaveBoundaries result;
  result.waves.resize(contexts.size());
  for (std::uint32_t number = 0; number < index.connection_count(); ++number) {
    const Connection& connection = index.connection(number);
    const std::uint32_t c = index.CSide(number);
    const std::uint32_t q = index.QSide(number);
    if (!partition.IsTlm(c)) continue;
    double* wave = WaveOf(connection);
    if (index.component(c).entry().is_tlm) {
      result.ends.push_back({connection.c.path + ".c", &index.component(c), connection.c.port->domain, wave});
    }
    if (partition.IsTlm(q) || contexts.instances[q].empty()) continue;
    result.waves[contexts.instances[q].front().context].push_back(wave);
  }
  return result;
}

}  // namespace davit
