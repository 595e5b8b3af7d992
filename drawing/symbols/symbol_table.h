#pragma once

#include <span>
#include <string_view>

#include "drawing/symbols/symbol.h"

namespace davit {

/// How one model is drawn.
struct SymbolMaker {
  std::string_view model;
  Symbol (*make)(const SymbolSubject& subject);
};

// One function a family, in the file of its name.
std::span<const SymbolMaker> MachineSymbols();  ///< pumps, motors, cylinders
std::span<const SymbolMaker> ValveSymbols();    ///< hydraulic
std::span<const SymbolMaker> LineSymbols();     ///< hydraulic lines, volumes, conditioning, sensors, sources
std::span<const SymbolMaker> MechanicalSymbols();  ///< moving along a line, and turning
std::span<const SymbolMaker> ElectricalSymbols();
std::span<const SymbolMaker> ThermalSymbols();
std::span<const SymbolMaker> PneumaticSymbols();  ///< but for those that look like hydraulic ones
std::span<const SymbolMaker> MarineSymbols();
std::span<const SymbolMaker> SignalSymbols();

/// The symbol of a component; a block with its name and ports where its model has none.
Symbol MakeSymbol(const SymbolSubject& subject);

/// A block with signals in at the left and out at the right, and a small icon or a word. Inputs and outputs
/// have anchors; ports are where what is connected to them lies in the system file.
Symbol MakeBlock(const SymbolSubject& subject, std::string_view word, std::string_view icon = {});

}  // namespace davit
