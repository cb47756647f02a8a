/*
 * A box of 1000 discs under their weight, closed, and without a wall, so that they slide out: the
 * contact problems of some steps by carom and by Siconos at the same residual, from no impulses and
 * from those of the step before, beside the cost of carom's whole steps.
 */
#include "../bench.h"
#include "peers.h"

#include <carom/study/scene_file.h>
#include <carom/timestepping/galpha/galpha.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 20 rows of 50 that touch; the wall on the right stands where `wall` says. */
static const char SCENE[] =
    "parameter wall 10\n"
    "material grain friction 0.3\n"
    "ground\n"
    "  half-plane at 0 0 normal 0 1 material grain\n"
    "  half-plane at -0.1 0 normal 1 0 material grain\n"
    "  half-plane at wall 0 normal -1 0 material grain\n"
    "body disc mass 1 at 0 0.1 repeat 50 20 0.2 0.1732050807568878 stagger 0.1\n"
    "  disc 0.1 material grain\n";

static const double RESIDUAL = 1e-10;

enum { MOST_PEERS = 4 };

/* What is compared: the problem of a step from no impulses, those of some more in turn. */
typedef struct plan {
    const char *name;
    const char *parameters; /* of the scene */
    int first;
    int more;
} plan;

/* What a program has done of the steps in turn. */
typedef struct follower {
    double *r;       /* its last answer, [rows] */
    double seconds;  /* in all */
    double residual; /* largest */
    int unsolved;
} follower;

/* A motion on its way. */
typedef struct motion {
    const plan *of;
    carom_scene_file *scene;
    carom_bodies *bodies;
    carom_stepper *stepper;
    int step;
    int failures;
    follower followers[MOST_PEERS];
    int contacts; /* of the last problem */
    int blocks;   /* stored ones of its matrix */
    int *columns; /* [blocks] theirs */
    int warm;     /* problems that began with the last impulses */
} motion;

static void motion_clear(motion *m) {
    carom_stepper_free(m->stepper);
    carom_bodies_free(m->bodies);
    carom_scene_file_free(m->scene);
    for (int k = 0; k < MOST_PEERS; k++) {
        free(m->followers[k].r);
    }
    free(m->columns);
}

/* --- the problems ------------------------------------------------------------------------------
 */

/* Whether contacts are those of the last problem, as far as the pattern of W tells: kept. */
static bool keep_pattern(motion *m, const carom_contact_problem *p) {
    const int blocks = p->start[p->block_count];
    const size_t bytes = (size_t)blocks * sizeof *p->column;
    if (m->contacts == p->contact_count && m->blocks == blocks &&
        memcmp(m->columns, p->column, bytes) == 0) {
        return true;
    }
    free(m->columns);
    m->columns = malloc(bytes);
    m->contacts = m->columns != NULL ? p->contact_count : -1;
    m->blocks = blocks;
    if (m->columns != NULL) {
        memcpy(m->columns, p->column, bytes);
    }
    return false;
}

/* The next problem of a program, from its last impulses if they are of the same contacts. */
static bool follow(const contact_peer *by, follower *f, const carom_contact_problem *p,
                   bool is_warm, bool is_counted) {
    contact_answer answer = {.r = calloc((size_t)p->row_count, sizeof *answer.r)};
    void *problem = by->open(p);
    const bool is_made = answer.r != NULL && problem != NULL;
    if (is_made) {
        const bool is_found =
            find_contact_answer(by, problem, p, is_warm ? f->r : NULL, RESIDUAL, RESIDUAL, &answer);
        f->unsolved += is_found ? 0 : 1;
        f->seconds += is_counted ? answer.seconds : 0.0;
        f->residual = fmax(f->residual, answer.residual);
    }
    by->close(problem);
    free(f->r);
    f->r = answer.r;
    return is_made;
}

static carom_status take_problem(double time, const carom_contact_problem *p, void *context,
                                 carom_report *report) {
    (void)time;
    (void)report;
    motion *m = context;
    if (m->step == m->of->first) {
        m->failures += compare_contact_problem(m->of->name, p, RESIDUAL);
    }
    if (m->step < m->of->first) {
        return CAROM_OK;
    }
    const bool is_warm = keep_pattern(m, p);
    const bool is_counted = m->step > m->of->first;
    m->warm += is_warm ? 1 : 0;
    for (int k = 0; contact_peers[k] != NULL; k++) {
        if (contact_peers[k]->is_for(p->tangent_count)) {
            m->failures +=
                follow(contact_peers[k], &m->followers[k], p, is_warm, is_counted) ? 0 : 1;
        }
    }
    return CAROM_OK;
}

/* --- the steps ---------------------------------------------------------------------------------
 */

static bool start(const plan *of, bool is_heard, motion *m) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    *m = (motion){.of = of, .contacts = -1};
    params.check_derivatives = false;
    params.contacts.tell = is_heard ? take_problem : NULL;
    params.contacts.context = m;
    return carom_scene_file_parse(SCENE, sizeof SCENE - 1, of->parameters, &m->scene, NULL) ==
               CAROM_OK &&
           carom_scene_file_alloc_bodies(m->scene, &m->bodies, NULL) == CAROM_OK &&
           carom_stepper_alloc(carom_bodies_mechanism(m->bodies), &params, &m->stepper, NULL) ==
               CAROM_OK &&
           carom_stepper_start(m->stepper, 0.0, m->scene->position, m->scene->velocity, NULL) ==
               CAROM_OK;
}

/* All steps; time of those in turn, s, negative after a failure. */
static double advance(motion *m) {
    double begin = 0.0;
    for (m->step = 1; m->step <= m->of->first + m->of->more; m->step++) {
        begin = m->step == m->of->first + 1 ? bench_seconds() : begin;
        if (carom_stepper_advance(m->stepper, NULL) != CAROM_OK) {
            return -1.0;
        }
    }
    return bench_seconds() - begin;
}

/* A row of the steps in turn, but for its residual. */
static void print_turn(const motion *m, const char *program, const char *method, double seconds) {
    char name[64];
    (void)snprintf(name, sizeof name, "  %d more steps, %d from the last", m->of->more, m->warm);
    printf("%-34s %-8s %-10s %8d %10.3f %-24s", name, program, method, m->contacts,
           1e3 * seconds / m->of->more, "ms");
}

/* A plan: the problems, then the steps by themselves. */
static int compare_plan(const plan *of) {
    motion heard;
    motion alone;
    int failures = 1;
    if (start(of, true, &heard) && advance(&heard) >= 0.0) {
        failures = heard.failures;
        for (int k = 0; contact_peers[k] != NULL; k++) {
            const follower *f = &heard.followers[k];
            if (f->r != NULL) {
                print_turn(&heard, contact_peers[k]->name, contact_peers[k]->method, f->seconds);
                printf(" %9.1e", f->residual);
                if (f->unsolved > 0) {
                    printf(" (%d unsolved)", f->unsolved);
                }
                printf("\n");
            }
        }
    }
    const double elapsed = start(of, false, &alone) ? advance(&alone) : -1.0;
    if (elapsed < 0.0) {
        failures++;
    } else {
        print_turn(&heard, "carom", "steps", elapsed);
        printf("\n");
    }
    fflush(stdout);
    motion_clear(&heard);
    motion_clear(&alone);
    return failures;
}

int compare_discs(void) {
    static const plan PLANS[] = {{"box of 1000 discs at rest", NULL, 1, 10},
                                 {"1000 discs that slide out", "wall=20", 40, 3}};
    int failures = 0;
    print_contact_heading(RESIDUAL);
    for (size_t k = 0; k < sizeof PLANS / sizeof *PLANS; k++) {
        failures += compare_plan(&PLANS[k]);
    }
    return failures;
}
