#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drawing/symbols/symbol.h"
#include "framework/drawing_note.h"
#include "framework/drawing_place.h"
#include "framework/system.h"

namespace davit {

struct DiagramPoint {
  double x = 0;
  double y = 0;
};

struct DiagramBox {
  double left = 0, top = 0, right = 0, bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }
  void Include(const DiagramBox& other);
  DiagramBox MovedBy(double x, double y) const { return {left + x, top + y, right + x, bottom + y}; }
};

/// A component in a drawing.
struct DiagramNode {
  Component* component = nullptr;
  std::string path;
  std::size_t frame = 0;  ///< that contains it
  Symbol symbol;
  DrawingPlace place;  ///< in the drawing; found by PlaceNodes where the system has none

  // Where the name stands, from the middle of the symbol.
  DiagramPoint label;
  bool label_begins_there = false;  ///< else its middle is there

  /// A point of the symbol, turned as it is, from its middle.
  DiagramPoint Turned(double x, double y) const;
  Side Turned(Side side) const;
  /// An anchor in the drawing.
  DiagramPoint At(const Anchor& anchor) const;
  /// The box of the symbol, turned, about its middle.
  DiagramBox box() const;
  DiagramBox label_box() const;
};

/// The root, or a sub-system, which is drawn as a frame around what is inside.
struct DiagramFrame {
  Component* component = nullptr;
  std::string path;
  std::size_t parent = 0;  ///< of the root itself
  DiagramBox box;          ///< in the drawing
};

/// One end of a line, by the name of its port, input or output.
struct DiagramEnd {
  std::size_t node = 0;
  std::string name;
  std::size_t anchor = 0;  ///< of the symbol; chosen after the places
};

/// A connection, from its Q to its C end, or a route. So oil flows along a line where its flow is positive.
struct DiagramLine {
  enum class Mark : std::uint8_t { kNone, kFrom, kTo };

  const Connection* connection = nullptr;
  const Route* route = nullptr;
  DiagramEnd from, to;
  Mark mark = Mark::kNone;  ///< the end that is not drawn: a mark is, near the other end
  std::size_t net = 0;      ///< lines of one net may lie on each other
  std::vector<DiagramPoint> points;
};

/// A text or a picture that a system file puts on its drawing.
struct DiagramNote {
  const DrawingNote* note = nullptr;
  std::size_t frame = 0;  ///< that contains it
  std::vector<std::string> lines;
  DiagramBox box;  ///< in the drawing, with picture and text; found by PlaceNodes

  /// Where the picture is, above the text.
  DiagramBox picture_box() const;
  /// Where a line of its text begins, at the base of its letters.
  DiagramPoint At(std::size_t line) const;
};

/// What is drawn of a system, with what places and lines are found for it.
struct Diagram {
  std::vector<DiagramFrame> frames;  ///< the root first, each before those inside it
  std::vector<DiagramNode> nodes;
  std::vector<DiagramLine> lines;
  std::vector<DiagramNote> notes;
  DiagramBox box;

  /// Components with their symbols, and which lines there are. Components are all models `domain.Type` and
  /// the charts of systems, but no operators, which belong to the component that they are in.
  static Diagram Of(System& system);
};

/// The width of a text of the size that names have [units].
double LabelWidth(std::string_view text);

/// The lines of a text: as it has them, and broken at spaces where a line would be longer than `width`. A
/// word that is longer stays whole. The editor has the same rule (web/src/studio/sheet/notes.ts).
std::vector<std::string> BreakLines(std::string_view text, std::optional<double> width);
/// The size of a note with these lines, from its upper left corner.
DiagramBox SizeOfNote(const DrawingNote& note, const std::vector<std::string>& lines);

}  // namespace davit
