#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/component.h"

namespace davit {

/// Where something leaves a symbol. The order is clockwise.
enum class Side : std::uint8_t { kLeft, kTop, kRight, kBottom };

/// Where a line meets a symbol: at the edge of its box, at a multiple of kGrid.
struct Anchor {
  std::string name;  ///< of a port, an input or an output
  double x = 0;
  double y = 0;
  Side side = Side::kLeft;
};

/// Lines run, and anchors lie, at multiples of it [units].
inline constexpr double kGrid = 8;

/// A word in a symbol, upright however the symbol is turned.
struct SymbolText {
  double x = 0;
  double y = 0;  ///< of the middle of the letters
  std::string text;
  double size = 12;
};

/// How a component looks, drawn about the origin: x to the right, y down. Flow goes from left to right where
/// it has a direction.
struct Symbol {
  double width = 0;    ///< of the box, an even multiple of kGrid
  double height = 0;   ///< the same
  std::string shapes;  ///< SVG elements
  std::vector<SymbolText> texts;
  std::vector<Anchor> anchors;  ///< several of one name: lines take the nearest free one

  void AddAnchor(std::string_view name, double x, double y, Side side) {
    anchors.push_back({std::string(name), x, y, side});
  }
};

/// An end of lines or routes at a component, by the name of its port, input or output.
struct SymbolEnd {
  std::string name;
  bool is_port = false;
  bool is_output = false;   ///< of no port
  std::size_t count = 0;    ///< of lines or routes there
  std::size_t on_left = 0;  ///< how many of them lead to something that the system names before
};

/// What a symbol is made of: a component and what is connected to it.
struct SymbolSubject {
  Component& component;
  std::string path;
  std::vector<SymbolEnd> ends;

  const SymbolEnd* FindEnd(std::string_view name) const;
  /// The present value of an output, input, state or parameter of the component; 0 where it has none.
  double Read(std::string_view name) const;
  bool HasSignal(std::string_view name) const;
  /// The text of a property or aspect; empty where it has none.
  std::string ReadText(std::string_view name) const;
};

/// Gives each end that has no anchor one: signals at the top, ports at the sides.
void AddMissingAnchors(const SymbolSubject& subject, Symbol& symbol);

}  // namespace davit
