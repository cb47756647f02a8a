/** The systems of the papers, and some of our own; each has its parameters with defaults, a
 * constructor, and exact solutions where there are some. */
#ifndef CAROM_MODELS_MODELS_H
#define CAROM_MODELS_MODELS_H

/* What a model is, and a scene: a model at the instant of an impact. */
#include <carom/models/model.h>

/* Motion in time (bruls-2014). A ball on a floor. */
#include <carom/models/bouncing_ball.h>
/* A pendulum against a wall. */
#include <carom/models/bouncing_pendulum.h>
/* A bar that flies against a wall. */
#include <carom/models/elastic_bar.h>
/* A block that rocks on a floor. */
#include <carom/models/rocking_block.h>

/* Our own examples. A ball on a vibrating table, from impact to impact by exact times. */
#include <carom/models/vibrating_table.h>
/* A box on an inclined plane, with friction. */
#include <carom/models/sliding_box.h>
/* A sphere that is thrown, slides and comes to roll. */
#include <carom/models/thrown_sphere.h>
/* A semicircular arch of voussoirs, and how thin it may be. */
#include <carom/models/masonry_arch.h>
/* A rigid body in space, free, a sphere or a box above a plane. */
#include <carom/models/rigid_body.h>

/* Simultaneous impact without friction (seghete-2014). Newton's cradle. */
#include <carom/models/ball_chain.h>
/* A column of balls. */
#include <carom/models/ball_column.h>
/* A tower of boxes. */
#include <carom/models/box_tower.h>
/* A pile of discs as a contact problem. */
#include <carom/models/disc_pile.h>
/* A break of billiards. */
#include <carom/models/billiard_break.h>
/* A robot with legs and a tail. */
#include <carom/models/trex/trex.h>

/* Impact with friction (halm-2023). A walker's step. */
#include <carom/models/compass_gait.h>
/* A pyramid of discs. */
#include <carom/models/disk_stack.h>
/* A falling disc. */
#include <carom/models/falling_disk.h>
/* A box between floor and wall. */
#include <carom/models/leaning_box.h>
/* A runner's footfall. */
#include <carom/models/ramone.h>
/* A dropped block. */
#include <carom/models/rigid_block.h>
/* A block that comes to rest by infinitely many impacts. */
#include <carom/models/zeno_block.h>

/* Nonsmooth modes (thorin-2017). A bar clamped at one end, with a contact at the other. */
#include <carom/models/clamped_bar.h>
/* A chain of masses and springs with one contact. */
#include <carom/models/serial_chain.h>

/* Collisionless motion (pankov-2024). A rocking biped with a torso and an arm. */
#include <carom/models/armed_biped.h>
/* A mechanism of a user's own matrices, with a plastic contact. */
#include <carom/models/linear_contact.h>
/* Hopper, juggler, wheels and rocker with two degrees of freedom. */
#include <carom/models/two_mode_models.h>

#endif
