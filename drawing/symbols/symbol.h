#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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
  int lean = 0;  ///< where the other end should be: -1 to the left, 1 to the right, 0 anywhere
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

  /// From the upper edge of the box down to the shape, where signals without an anchor of their own come in.
  double signal_gap = 0;
  /// Where the badge of the level is; nothing: beside the upper right corner.
  std::optional<std::pair<double, double>> badge;

  void AddAnchor(std::string_view name, double x, double y, Side side) {
    AddAnchor(name, x, y, side, side == Side::kLeft ? -1 : side == Side::kRight ? 1 : 0);
  }
  void AddAnchor(std::string_view name, double x, double y, Side side, int lean) {
    anchors.push_back({std::string(name), x, y, side, lean});
  }
};

/// A symbol without anchors.
Symbol MakeBox(double width, double height, std::string shapes = {}, std::vector<SymbolText> texts = {});

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

/// Lets all inputs in at the left, with a thin line to the shape that begins at x = `begin`.
void AddInputsAtLeft(const SymbolSubject& subject, Symbol& symbol, double begin);
/// A source of any domain: a circle with a letter, its port at the right, its inputs at the left.
Symbol MakeSource(const SymbolSubject& subject, const char* letter);

/// Gives each end that has no anchor one: signals at the top, ports at the sides.
void AddMissingAnchors(const SymbolSubject& subject, Symbol& symbol);

}  // namespace davit
