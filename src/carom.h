/** The table of contents of carom: one header for each subject, which names its parts at its head.
 * Any header that is not listed here, or in models/models.h, is internal and not installed. Headers
 * marked (stable) change only after a minor version of deprecation (README, "Stability").
 *
 * What fails is told by a status. GSL's error handler, which ends a program unless it is replaced,
 * is reached only where GSL itself gets no memory. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

/* Status codes and the report of what failed, compiler attributes, storage of matrices (stable). */
#include <carom/base/base.h>

/* Linear complementarity problems: one solution, or all (stable). */
#include <carom/lcp/lcp.h>

/* What moves: a mechanism, which every method works on, and the check of its derivatives (stable).
 */
#include <carom/mechanism/mechanism.h>
/* A mechanism from rigid bodies in the plane: links, joints, shapes, walls (stable). */
#include <carom/mechanism/planar_tree.h>
/* A linear structure with one contact, from its mass and stiffness (stable). */
#include <carom/mechanism/linear_system.h>

/* The systems of the papers, one header each (stable). */
#include <carom/models/models.h>

/* An impact in an instant: masses, normals, tangents, friction, restitution, velocity (stable). */
#include <carom/impact/impact_problem.h>
/* Every impact law by its name: what it needs, how to run it, its outcomes (stable). */
#include <carom/impact/impact_law.h>
/* Single laws further than the table takes them. One problem for the whole impulse, all solutions:
 */
#include <carom/impact/anitescu_potra.h>
/* the set of outcomes with friction, by random increments of impulse (halm-2023); */
#include <carom/impact/impact_inclusion.h>
/* reflections contact by contact until all open, every order (seghete-2014); */
#include <carom/impact/propagative_impact.h>
/* one contact with friction in closed form; */
#include <carom/impact/routh.h>
/* contacts one at a time, again and again. */
#include <carom/impact/sequential_impact.h>

/* Motion in time: what every scheme writes (stable), */
#include <carom/timestepping/trajectory.h>
/* fixed steps with joints and restitution: generalized-alpha, Moreau-Jean (bruls-2014, stable); */
#include <carom/timestepping/galpha/galpha.h>
/* the variational integrator through impacts (seghete-2014); */
#include <carom/timestepping/variational/variational.h>
/* the differential inclusion with friction, plastic (halm-2023); */
#include <carom/timestepping/inclusion/inclusion.h>
/* one plastic contact with exact events; */
#include <carom/timestepping/plastic/plastic.h>
/* contacts as springs and dampers; */
#include <carom/timestepping/compliant/compliant.h>
/* the way of engines for games, with error reduction. */
#include <carom/timestepping/engine/error_reduction.h>

/* Nonsmooth modes (thorin-2017): a linear structure in its vibration modes (stable), */
#include <carom/modes/modal_basis.h>
/* one periodic motion with impacts: solved for, admissible, stable (stable); */
#include <carom/modes/orbit.h>
/* all of them: random search and continuation; */
#include <carom/modes/orbit_search.h>
/* one and two impacts per period in closed form. */
#include <carom/modes/few_impacts.h>

/* Collisionless motion (pankov-2024), whose plastic contact loses nothing: from two spectra, */
#include <carom/collisionless/motion/spectral_motion.h>
/* in all coordinates of a linear system, */
#include <carom/collisionless/motion/collisionless_motion.h>
/* with two degrees of freedom in closed form; */
#include <carom/collisionless/motion/two_modes.h>
/* all pairs of phase times that make one; */
#include <carom/collisionless/roots/impact_roots.h>
/* gaits of the biped as it is, not linearised. */
#include <carom/collisionless/gait/gait.h>

/* Results in HDF5 files: written (stable), */
#include <carom/record/record.h>
/* and read: data sets, numbers by expressions, texts (stable). */
#include <carom/record/reader.h>

/* What the main of every program shares: options, progress, the record. */
#include <carom/program/program.h>

#endif
