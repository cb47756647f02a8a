/** The systems of the papers; each has its parameters with defaults, a constructor, and exact
 * solutions where there are some. */
#ifndef CAROM_MODELS_MODELS_H
#define CAROM_MODELS_MODELS_H

/* What a model is, and a scene. */
#include <carom/models/model.h>

/* Motion in time (bruls-2014): a ball on a floor, a pendulum against a wall, a bar against a wall,
 * a block that rocks on a floor. */
#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/rocking_block.h>

/* A ball on a vibrating table, from impact to impact. */
#include <carom/models/vibrating_table.h>

/* Simultaneous impact without friction (seghete-2014): Newton's cradle, a column of balls, a break
 * of billiards, a robot with a tail. */
#include <carom/models/ball_chain.h>
#include <carom/models/ball_column.h>
#include <carom/models/billiard_break.h>
#include <carom/models/trex/trex.h>

/* Impact with friction (halm-2023): a walker's step, a pyramid of discs, a falling disc, a box
 * between floor and wall, a runner's footfall, a dropped block, a block that comes to rest. */
#include <carom/models/compass_gait.h>
#include <carom/models/disk_stack.h>
#include <carom/models/falling_disk.h>
#include <carom/models/leaning_box.h>
#include <carom/models/ramone.h>
#include <carom/models/rigid_block.h>
#include <carom/models/zeno_block.h>

/* Nonsmooth modes (thorin-2017): a bar and a chain with one contact. */
#include <carom/models/clamped_bar.h>
#include <carom/models/serial_chain.h>

/* Collisionless motion (pankov-2024): two degrees of freedom, a biped with a torso and an arm, any
 * linear system with one contact. */
#include <carom/models/armed_biped.h>
#include <carom/models/linear_contact.h>
#include <carom/models/two_mode_models.h>

#endif
