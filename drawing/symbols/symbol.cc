#include "drawing/symbols/symbol.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "drawing/symbols/pen.h"
#include "framework/item.h"
#include "framework/property.h"
#include "framework/tree/item_list.h"

namespace davit {
namespace {

/// The items of a component that are no ports. Looking at all of them is slow and done once a symbol.
const Item* FindItem(const std::vector<Item>& items, std::string_view name) {
  const auto found = std::ranges::find(items, name, &Item::name);
  return found == items.end() ? nullptr : &*found;
}

std::vector<Item> ItemsOf(const SymbolSubject& subject) { return ListItems(subject.component); }

}  // namespace

Symbol MakeBox(double width, double height, std::string shapes, std::vector<SymbolText> texts) {
  Symbol symbol;
  symbol.width = width;
  symbol.height = height;
  symbol.shapes = std::move(shapes);
  symbol.texts = std::move(texts);
  return symbol;
}

const SymbolEnd* SymbolSubject::FindEnd(std::string_view name) const {
  const auto found = std::ranges::find(ends, name, &SymbolEnd::name);
  return found == ends.end() ? nullptr : &*found;
}

double SymbolSubject::Read(std::string_view name) const {
  const std::vector<Item> items = ItemsOf(*this);
  const Item* item = FindItem(items, name);
  const double value = item == nullptr ? 0 : item->Read();
  return std::isfinite(value) ? value : 0;
}

bool SymbolSubject::HasSignal(std::string_view name) const {
  const std::vector<Item> items = ItemsOf(*this);
  const Item* item = FindItem(items, name);
  return item != nullptr && item->is_signal();
}

std::string SymbolSubject::ReadText(std::string_view name) const {
  const std::vector<Item> items = ItemsOf(*this);
  const Item* item = FindItem(items, name);
  return item == nullptr ? std::string() : item->ReadText();
}

void AddInputsAtLeft(const SymbolSubject& subject, Symbol& symbol, double begin) {
  const double left = -symbol.width / 2;
  bool has_input = false;
  for (const SymbolEnd& end : subject.ends) {
    if (end.is_port || end.is_output) continue;
    symbol.AddAnchor(end.name, left, 0, Side::kLeft);
    has_input = true;
  }
  if (has_input && begin > left) symbol.shapes = Pen().Line(left, 0, begin, 0, "t").text() + symbol.shapes;
}

Symbol MakeSource(const SymbolSubject& subject, const char* letter) {
  Pen pen;
  pen.Circle(0, 0, 16).Line(16, 0, 24, 0);
  Symbol symbol = MakeBox(48, 32, pen.text(), {{0, 0, letter, 13}});
  symbol.AddAnchor("port", 24, 0, Side::kRight);
  AddInputsAtLeft(subject, symbol, -16);
  return symbol;
}

void AddMissingAnchors(const SymbolSubject& subject, Symbol& symbol) {
  const double right = symbol.width / 2, top = -symbol.height / 2;
  const auto is_taken = [&](double x, double y) {
    return std::ranges::any_of(symbol.anchors, [&](const Anchor& a) { return a.x == x && a.y == y; });
  };
  // The first free place, outwards from the middle, on one side.
  const auto add = [&](const std::string& name, Side side, double first, double step) {
    const bool is_level = side == Side::kTop || side == Side::kBottom;
    const double edge = side == Side::kLeft    ? -right
                        : side == Side::kRight ? right
                        : side == Side::kTop   ? top
                                               : -top;
    const double most = (is_level ? symbol.width : symbol.height) / 2 - kGrid;
    double at = first;
    while (is_taken(is_level ? at : edge, is_level ? edge : at) && std::abs(at + step) <= most) at += step;
    symbol.AddAnchor(name, is_level ? at : edge, is_level ? edge : at, side);
    if (side == Side::kTop && symbol.signal_gap > 0)
      symbol.shapes = Pen().Line(at, top, at, top + symbol.signal_gap, "t").text() + symbol.shapes;
  };
  const double quarter = std::floor(symbol.width / 4 / kGrid) * kGrid;
  for (const SymbolEnd& end : subject.ends) {
    if (std::ranges::any_of(symbol.anchors, [&](const Anchor& a) { return a.name == end.name; })) continue;
    if (!end.is_port) {
      add(end.name, Side::kTop, end.is_output ? quarter : -quarter, end.is_output ? kGrid : -kGrid);
    } else {
      add(end.name, 2 * end.on_left >= end.count ? Side::kLeft : Side::kRight, 0, kGrid);
    }
  }
}

}  // namespace davit
