#pragma once

#include <string_view>

#include "components/marine/laws/response_table.h"

namespace davit {

/// Motion responses in a file of ShipX (VERES), `.re1`: six lines of text, three lines of data of the vessel,
/// a line `velocities headings frequencies degrees`; for each velocity a line that begins with it [m/s], for
/// each heading a line with it [deg], for each frequency a line with it [rad/s], and for each degree a line
/// `number real imaginary` [m/m, rad/m].
///
/// There x points aft, y to starboard and z upwards, and waves of heading 0 come from ahead. The vessel is
/// symmetric. `speed` [m/s] selects the velocity.
ResponseTable::Result ReadShipX(std::string_view text, double speed);

/// Motion responses in an output of WAMIT, `.4`: lines `period heading mode modulus phase real imaginary`,
/// heading in degrees, of one body. Turns are in parts of the wave slope amplitude/`length` [m], the ULEN of
/// the WAMIT run. x and z are forward and up as in davit. Lines with a period that is not above 0 are
/// ignored.
ResponseTable::Result ReadWamit(std::string_view text, double length);

/// Motion responses of a vessel of the Marine Systems Simulator (MSS), a structure in a MAT-file: `headings`
/// [rad], `velocities` [m/s], and `motionRAO` with the frequencies `w` [rad/s] and the cells `amp` and
/// `phase`, one for each degree, by frequency, heading and velocity.
///
/// There x points forward, y to starboard and z downwards, and phases lead. `speed` [m/s] selects the
/// velocity.
ResponseTable::Result ReadMss(std::string_view bytes, double speed);

}  // namespace davit
