/** The table of contents of carom: one header for each subject, each with the comment above it. A
 * header that neither this list nor models/models.h has is internal and not installed. What is
 * (stable) changes only after a minor version in which the old is deprecated, the others in any
 * version (docs/install.md, "Stability").
 *
 * What fails is told by a status. Only where GSL itself gets no memory does its error handler end
 * the program, unless it is replaced. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

/* Status codes and the report of what failed, compiler attributes, storage of matrices (stable). */
#include <carom/base/base.h>
/* Who computes independent items of work: threads and ranks. */
#include <carom/base/workers.h>

/* Linear complementarity problems: one solution, or all (stable). */
#include <carom/lcp/lcp.h>

/* What moves: a mechanism, which every method works on, and the check of its derivatives (stable).
 */
#include <carom/mechanism/mechanism.h>
/* Rotations in space as unit quaternions (stable). */
#include <carom/mechanism/rotation.h>
/* A mechanism from rigid bodies in the plane: links, joints, shapes, walls (stable). */
#include <carom/mechanism/planar_tree.h>
/* Free rigid bodies in the plane of which any two may touch, with joints, springs and trees of
 * bodies among them; in space. */
#include <carom/mechanism/bodies/bodies.h>
/* A linear structure with one contact, from its mass and stiffness (stable). */
#include <carom/mechanism/linear_system.h>

/* Joints and contacts with restitution and friction at an instant: one problem, its solvers, each
 * answer with a certificate. */
#include <carom/contact/contact.h>

/* The systems of the papers (stable). */
#include <carom/models/models.h>

/* An impact in an instant: masses, normals, tangents, friction, restitution, velocity (stable). */
#include <carom/impact/impact_problem.h>
/* Every impact law by its name: what it needs, how to run it, its outcomes (stable). */
#include <carom/impact/impact_law.h>

/* More of single laws than impact_law.h has. All solutions of one problem for the whole impulse. */
#include <carom/impact/anitescu_potra.h>
/* The set of outcomes with friction, by random increments of impulse (halm-2023). */
#include <carom/impact/impact_inclusion.h>
/* Propagative impact: reflections at one contact after another, in every order (seghete-2014). */
#include <carom/impact/propagative_impact.h>
/* One contact with friction in closed form. */
#include <carom/impact/routh.h>
/* Every contact solved by itself in turn, round after round. */
#include <carom/impact/sequential_impact.h>

/* Motion in time, as every scheme gives it (stable). */
#include <carom/timestepping/trajectory.h>
/* Fixed steps with joints and restitution: generalized-alpha, Moreau-Jean (bruls-2014, stable). */
#include <carom/timestepping/galpha/galpha.h>
/* The variational integrator through impacts (seghete-2014). */
#include <carom/timestepping/variational/variational.h>
/* The differential inclusion with friction, plastic (halm-2023). */
#include <carom/timestepping/inclusion/inclusion.h>
/* One plastic contact with exact events. */
#include <carom/timestepping/plastic/plastic.h>
/* Contacts as springs and dampers. */
#include <carom/timestepping/compliant/compliant.h>
/* Steps as engines of games take them, penetration reduced by a share in each. */
#include <carom/timestepping/engine/error_reduction.h>

/* Nonsmooth modes (thorin-2017). A linear structure in its vibration modes (stable). */
#include <carom/modes/modal_basis.h>
/* One periodic motion with impacts: solved for, admissible, stable (stable). */
#include <carom/modes/orbit.h>
/* Many of them: random search and continuation. */
#include <carom/modes/orbit_search.h>
/* One and two impacts per period in closed form. */
#include <carom/modes/few_impacts.h>

/* Collisionless motion (pankov-2024): contacts close at speed zero, so that no energy is lost. From
 * the spectra with the contact open and closed. */
#include <carom/collisionless/motion/spectral_motion.h>
/* In all coordinates of a linear system. */
#include <carom/collisionless/motion/collisionless_motion.h>
/* With two vibration modes in closed form. */
#include <carom/collisionless/motion/two_modes.h>
/* All pairs of phase times that make such a motion. */
#include <carom/collisionless/roots/impact_roots.h>
/* Gaits of models/armed_biped.h, not linearised. */
#include <carom/collisionless/gait/gait.h>

/* Results in HDF5 files: written (stable). */
#include <carom/record/record.h>
/* Read: data sets, numbers by expressions, texts (stable). */
#include <carom/record/reader.h>
/* Contact problems in the files of the Frictional Contact Library. */
#include <carom/record/contact_file.h>

/* What the main of every program shares: options, progress, the record. */
#include <carom/program/program.h>

#endif
