#pragma once

#include <string>

namespace davit {

/// The system file `rig`: a mass on a spring, and `elements` from line 8 on.
inline std::string SpringSystem(const std::string& elements, const std::string& stop_time = "1000 s") {
  return R"(<System name="rig" xmlns="urn:davit:system:1">
  <SimulatorManager TimeStep="10 ms" StopTime=")" +
         stop_time + R"("/>
  <mechanical.Fixed name="wall"/>
  <mechanical.Spring name="spring" stiffness="400 N/m"/>
  <mechanical.Mass name="load" mass="10 kg"><Start x="0.1 m"/></mechanical.Mass>
  <Connect from="wall.port" to="spring.a"/>
  <Connect from="spring.b" to="load.a"/>
)" + elements +
         "</System>";
}

}  // namespace davit
