#pragma once

#include <complex>
#include <string>
#include <vector>

#include "results/gnuplot_script.h"

namespace davit {

/// Curves over one axis, in panels above each other: what MakeGnuplotScript draws, from numbers.
struct AxisPicture {
  struct Series {
    std::string label;
    std::vector<double> values;
  };
  struct PanelOf {
    std::string label;  ///< of the y axis, with its unit
    std::vector<Series> series = {};
    bool is_log = false;
  };
  /// The panel with this label; a new one if there is none.
  PanelOf& PanelWith(const std::string& label, bool is_log = false);

  std::string title;
  std::string x_label;
  std::vector<double> x = {};
  std::vector<PanelOf> panels = {};
  bool is_log_x = false;
};

/// Unit of a gain, from those of output and input: `m/N`, `(m/s)/N`, `1/(N.m)`; empty if they are the same.
std::string UnitOfGain(const std::string& output, const std::string& input);
/// Of the axis: `Gain [dB re 1 m/N]`, `Gain [dB]` without a unit.
std::string GainLabel(const std::string& unit_of_gain);

/// The gnuplot script of the picture.
std::string AxisPictureScript(const AxisPicture& picture, PictureFormat format);

/// The complex plane: eigenvalues, zeros, loci. One unit has one length on both axes where the extents allow
/// it.
struct PlanePicture {
  enum class Style { kLine, kCross, kCircle, kSmallCross };
  struct Series {
    std::string label;
    std::vector<std::complex<double>> points;  ///< what is not finite is left out
    Style style = Style::kLine;
  };
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series = {};
  bool marks_minus_one = false;  ///< the point -1 of Nyquist
};

std::string PlanePictureScript(const PlanePicture& picture, PictureFormat format);

}  // namespace davit
