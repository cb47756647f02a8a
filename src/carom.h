/** Everything that carom offers. A header that is not listed here is internal and not installed. */
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

/* Status codes, matrices. */
#include <carom/base/attributes.h>
#include <carom/base/layout.h>
#include <carom/base/status.h>
#include <carom/base/version.h>

/* Linear complementarity. */
#include <carom/lcp/lcp.h>
#include <carom/lcp/lemke.h>
#include <carom/lcp/projected_gauss_seidel.h>

/* What moves. */
#include <carom/mechanism/check.h>
#include <carom/mechanism/linear_system.h>
#include <carom/mechanism/mechanism.h>
#include <carom/mechanism/planar_contact.h>
#include <carom/mechanism/planar_shapes.h>
#include <carom/mechanism/planar_tree.h>
#include <carom/mechanism/support.h>

/* The systems of the papers. */
#include <carom/models/armed_biped.h>
#include <carom/models/ball_chain.h>
#include <carom/models/ball_column.h>
#include <carom/models/billiard_break.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/clamped_bar.h>
#include <carom/models/compass_gait.h>
#include <carom/models/disk_stack.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/falling_disk.h>
#include <carom/models/impact_scene.h>
#include <carom/models/leaning_box.h>
#include <carom/models/model.h>
#include <carom/models/ramone.h>
#include <carom/models/rigid_block.h>
#include <carom/models/rocking_block.h>
#include <carom/models/serial_chain.h>
#include <carom/models/trex/trex.h>
#include <carom/models/two_mode_models.h>
#include <carom/models/zeno_block.h>

/* What happens in an instant: laws of frictional impact, and sets of their outcomes. */
#include <carom/impact/anitescu_potra.h>
#include <carom/impact/cap_sampler.h>
#include <carom/impact/cone_complementarity.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/impact_outcomes.h>
#include <carom/impact/impact_problem.h>
#include <carom/impact/impact_sampling.h>
#include <carom/impact/impulse_increment.h>
#include <carom/impact/planar_inclusion.h>
#include <carom/impact/propagative_contacts.h>
#include <carom/impact/propagative_impact.h>
#include <carom/impact/propagative_outcomes.h>
#include <carom/impact/routh_contact.h>
#include <carom/impact/routh_spatial.h>
#include <carom/impact/scene_impact.h>
#include <carom/impact/sequential_impact.h>

/* What happens over time. */
#include <carom/timestepping/compliant/compliant_contact.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/galpha/galpha_trajectory.h>
#include <carom/timestepping/galpha/stepper.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/inclusion/inclusion_trajectory.h>
#include <carom/timestepping/plastic/plastic_events.h>
#include <carom/timestepping/series.h>
#include <carom/timestepping/trajectory.h>
#include <carom/timestepping/variational/variational_step.h>
#include <carom/timestepping/variational/variational_stepper.h>
#include <carom/timestepping/variational/variational_trajectory.h>

/* Nonsmooth modes of linear structures with one contact. */
#include <carom/modes/admissibility.h>
#include <carom/modes/branch_end.h>
#include <carom/modes/constant_period.h>
#include <carom/modes/contact_motion.h>
#include <carom/modes/kernels.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_branch.h>
#include <carom/modes/orbit_search.h>
#include <carom/modes/orbit_solver.h>
#include <carom/modes/single_impact.h>
#include <carom/modes/stability.h>
#include <carom/modes/two_impacts.h>

/* Collisionless motions: gaits of bodies with plastic contacts that lose nothing. */
#include <carom/collisionless/gait/gait_branch.h>
#include <carom/collisionless/gait/gait_conditions.h>
#include <carom/collisionless/gait/gait_trajectory.h>
#include <carom/collisionless/gait/harmonic_start.h>
#include <carom/collisionless/gait/nonlinear_gait.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/coordinate_matching.h>
#include <carom/collisionless/motion/mode_sum.h>
#include <carom/collisionless/motion/motion_bounds.h>
#include <carom/collisionless/motion/phase_modes.h>
#include <carom/collisionless/motion/phase_realization.h>
#include <carom/collisionless/motion/phase_spectra.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/motion/symmetry_extension.h>
#include <carom/collisionless/motion/two_modes.h>
#include <carom/collisionless/roots/impact_roots.h>

/* Results in files. */
#include <carom/record/claim.h>
#include <carom/record/reader.h>
#include <carom/record/record.h>
#include <carom/record/tables.h>
#include <carom/record/trajectory_record.h>

/* What every experiment's main shares. */
#include <carom/program/experiment.h>
#include <carom/program/options.h>
#include <carom/program/progress.h>

#endif
