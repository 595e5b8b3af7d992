#pragma once

#include <array>
#include <cstddef>

#include "hopsan/nodes.h"

namespace davit::hopsan {

/// What a C component with two ends offers: each end sees the wave of the other, low-pass filtered by alpha.
/// c1 = alpha c1' + (1 - alpha) (c2' + 2 Z flow2), and the same for end 2. ' is what stands in the node.
/// `impedance` is that of the waves now offered; Z weighs the flows.
template <class Node>
void ExchangeWaves(Node& end1, double flow1, Node& end2, double flow2, double Z, double alpha,
                   double impedance) {
  const double to1 = end2.c + 2 * Z * flow2, to2 = end1.c + 2 * Z * flow1;
  end1.c = alpha * end1.c + (1 - alpha) * to1;
  end2.c = alpha * end2.c + (1 - alpha) * to2;
  end1.Zc = end2.Zc = impedance;
}
template <class Node>
void ExchangeWaves(Node& end1, double flow1, Node& end2, double flow2, double Z, double alpha) {
  ExchangeWaves(end1, flow1, end2, flow2, Z, alpha, Z);
}

/// Impedance of each of n waves of a volume V with the bulk modulus beta, filter alpha, time step T.
inline double VolumeImpedance(std::size_t n, double V, double beta, double alpha, double T) {
  return static_cast<double>(n) * beta * T / (2 * V * (1 - alpha));
}

/// The wave of a volume with several ports: c' and q of its own, `mean` of c' + 2 Z q over all of them.
inline double VolumeWave(double c, double q, double Z, double mean, double alpha) {
  return alpha * c + (1 - alpha) * (2 * mean - c - 2 * Z * q);
}

/// Single ports in place of a multi-port.
template <std::size_t N>
struct NodeRow {
  std::array<HydraulicNode*, N> nodes;
  static constexpr std::size_t size() { return N; }
  HydraulicNode& operator[](std::size_t i) { return *nodes[i]; }
};

/// The first waves of a volume at rest at the pressures of its ports.
template <class Ports>
void StartStar(Ports& ports, double Z) {
  for (std::size_t i = 0; i < ports.size(); ++i) {
    ports[i].c = ports[i].p + Z * ports[i].q;
    ports[i].Zc = Z;
  }
}
/// The next waves of a volume with several ports; Z also weighs the flows of the step before.
template <class Ports>
void MixWaves(Ports& ports, double Z, double alpha) {
  double sum = 0;
  for (std::size_t i = 0; i < ports.size(); ++i) sum += ports[i].c + 2 * Z * ports[i].q;
  const double mean = sum / static_cast<double>(ports.size());
  for (std::size_t i = 0; i < ports.size(); ++i) {
    ports[i].c = VolumeWave(ports[i].c, ports[i].q, Z, mean, alpha);
    ports[i].Zc = Z;
  }
}

}  // namespace davit::hopsan
