/** The table of contents of carom. Each header below is one subject and names its parts at its
 * head; any header that is not listed here, or in models/models.h, is internal and not installed.
 * (stable) marks what goes only after a minor version of deprecation (README, "Stability").
 *
 * What fails is told by a status. GSL's error handler, which ends a program unless it is replaced,
 * is reached only where GSL itself gets no memory. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

/* Status codes and what failed, compiler attributes, matrices (stable). */
#include <carom/base/base.h>

/* Linear complementarity problems (stable). */
#include <carom/lcp/lcp.h>

/* What moves: the interface that every method works on; trees of rigid bodies in the plane; linear
 * structures with one contact (all stable). */
#include <carom/mechanism/linear_system.h>
#include <carom/mechanism/mechanism.h>
#include <carom/mechanism/planar_tree.h>

/* The systems of the papers, one header each (stable). */
#include <carom/models/models.h>

/* What happens in an instant: the impact problem (stable), its laws in one table (impact_law.h,
 * stable), and what single laws tell beyond the table. */
#include <carom/impact/anitescu_potra.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/impact_problem.h>
#include <carom/impact/propagative_impact.h>
#include <carom/impact/routh.h>
#include <carom/impact/sequential_impact.h>

/* What happens over time: one trajectory (stable), six families of schemes (galpha.h stable). */
#include <carom/timestepping/compliant/compliant.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/plastic/plastic.h>
#include <carom/timestepping/trajectory.h>
#include <carom/timestepping/variational/variational.h>

/* Nonsmooth modes of linear structures: the structure and one periodic motion (modal_basis.h and
 * orbit.h, stable), all of them, and closed forms for one and two impacts per period. */
#include <carom/modes/few_impacts.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

/* Collisionless motions, whose plastic contacts lose nothing: from two spectra, in all coordinates,
 * with two degrees of freedom; the roots of their impact conditions; gaits of the exact biped. */
#include <carom/collisionless/gait/gait.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/motion/two_modes.h>
#include <carom/collisionless/roots/impact_roots.h>

/* Results in files, written and read (stable). */
#include <carom/record/reader.h>
#include <carom/record/record.h>

/* What the main of every experiment shares. */
#include <carom/program/program.h>

#endif
