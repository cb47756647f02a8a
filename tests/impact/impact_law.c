/** The table of laws: its names, what each law refuses, and what all of them promise of every
 * impact, random ones and those of the papers. */
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/impact_law.h>
#include <carom/impact/impact_problem.h>
#include <carom/models/compass_gait.h>
#include <carom/models/leaning_box.h>
#include <carom/models/rigid_block.h>

/** Random impacts of each kind and number of contacts; every tenth is integrated in time. */
enum { CASES = 20, INTEGRATED = 10 };

/** What a law may leave of a closing speed and add to the energy, in parts of their scales: the
 * closing speed at which sequences of impacts end is the largest of all, 2.2e-6. */
static const double LEFT = 3e-6;

/** Rounding of M^-1 J' L, which is summed in two ways, beside the impulses. */
static const double ROUNDING = 1e-9;

/** What is asked of an impact: e of all contacts, and whether they have friction. */
typedef struct setting {
    double e;
    bool has_friction;
} setting;

static const setting settings[] = {{1.0, false}, {0.0, false}, {0.37, false}, {0.0, true}};
enum { SETTINGS = sizeof settings / sizeof settings[0] };

/** Answers of each law. */
static int answered[CAROM_IMPACT_LAW_COUNT];
static int asked[CAROM_IMPACT_LAW_COUNT];

/** Whether law number `id` is that of one contact, which says nothing of the others. */
static bool is_single(int id) {
    return id == CAROM_IMPACT_LAW_ROUTH;
}

/** Impulses lead to the velocities and lie in the friction cones; velocities are those of the
 * contacts. */
static void assert_balance(const carom_impact_problem *p, const char *name, const double *v,
                           const double *c, const double *L) {
    const int m = p->contact_count;
    double size = 0.0;
    for (int a = 0; a < p->row_count; a++) {
        double along = 0.0;
        for (int i = 0; i < p->coordinate_count; i++) {
            along += p->contact_jacobian[a * p->coordinate_count + i] * v[i];
        }
        double pushed = p->contact_velocity[a];
        size = p->speed_scale[a];
        for (int b = 0; b < p->row_count && L != NULL; b++) {
            pushed += p->delassus_matrix[a * p->row_count + b] * L[b];
            size += fabs(p->delassus_matrix[a * p->row_count + b] * L[b]);
        }
        ck_assert_msg(fabs(along - c[a]) <= ROUNDING * size, "%s: row %d moves with %g, not %g",
                      name, a, along, c[a]);
        ck_assert_msg(L == NULL || fabs(pushed - c[a]) <= ROUNDING * size,
                      "%s: impulses lead to %g, not %g", name, pushed, c[a]);
    }
    for (int i = 0; i < m && L != NULL && p->friction[i] > 0.0; i++) {
        const double most = p->friction[i] * L[i];
        const double unit = carom_impact_stopping_impulse(p) * (1.0 + p->friction[i]);
        ck_assert_msg(fabs(L[m + i]) <= most + LEFT * unit, "%s: friction %g, at most %g", name,
                      L[m + i], most);
    }
}

/** What all laws promise of every outcome that is finished. */
static void assert_promised(const carom_impact_problem *p, int id, int contact,
                            const carom_impact_result *result) {
    const char *name = carom_impact_law_of((carom_impact_law_id)id)->name;
    const int m = p->contact_count;
    ck_assert(result->cost >= 0 && result->residual >= 0.0);
    ck_assert(result->unfinished >= 0.0 && result->unfinished <= 1.0);
    ck_assert(result->count > 0 || result->unfinished > 0.0);
    for (int k = 0; k < result->count; k++) {
        if (result->is_finished != NULL && result->is_finished[k] == 0) {
            continue;
        }
        const double *c = result->contact_velocity + (size_t)k * (size_t)p->row_count;
        for (int i = 0; i < m; i++) {
            // A contact that separates before may come back with e times its speed.
            const double back = p->restitution[i] * fmax(p->contact_velocity[i], 0.0);
            ck_assert_msg((is_single(id) && i != contact) ||
                              c[i] >= -back - LEFT * p->speed_scale[i],
                          "%s: contact %d closes with %g", name, i, c[i]);
        }
        ck_assert_msg(result->kinetic_energy[k] <= (1.0 + LEFT) * p->kinetic_energy,
                      "%s: %g J of %g J", name, result->kinetic_energy[k], p->kinetic_energy);
        assert_balance(
            p, name, result->velocity + (size_t)k * (size_t)p->coordinate_count, c,
            result->impulse == NULL ? NULL : result->impulse + (size_t)k * (size_t)p->row_count);
    }
}

/** Ask one law; what it does not know it says, and a failure has a reason. */
static void ask(const carom_impact_problem *p, int id, const carom_impact_law_params *params) {
    const carom_impact_law *law = carom_impact_law_of((carom_impact_law_id)id);
    CAROM_AUTO(carom_impact_result) result = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_impact_law_run(law, p, params, &result, &report);
    if (carom_impact_law_lacks(law, p) != NULL) {
        ck_assert_int_eq(status, CAROM_STATUS_UNSUPPORTED);
        ck_assert_ptr_eq(strstr(report.sentence, law->name), report.sentence);
        return;
    }
    asked[id]++;
    if (status != CAROM_OK) {
        ck_assert_ptr_null(result);
        ck_assert_msg(report.quantity != NULL || report.sentence[0] != '\0', "%s is silent: %s",
                      law->name, carom_status_name(status));
        return;
    }
    answered[id]++;
    assert_promised(p, id, params->contact, result);
}

/** Ask all laws in all settings. */
static void ask_all(const carom_impact_problem *problem, bool is_integrated) {
    carom_impact_law_params params = carom_impact_law_params_default();
    params.sampling.samples = 20;
    params.sampling.trajectory_length = 40;
    params.sampling.workers.threads = 1;
    params.sequential.most_rounds = 1000;
    for (int s = 0; s < SETTINGS; s++) {
        const double e[MOST_CONTACTS] = {settings[s].e, settings[s].e, settings[s].e};
        const double smooth[MOST_CONTACTS] = {0.0};
        carom_impact_problem own = with_restitution(problem, e);
        own.friction = settings[s].has_friction ? problem->friction : (double *)smooth;
        for (int id = 0; id < CAROM_IMPACT_LAW_COUNT; id++) {
            for (int i = 0; i < (is_single(id) ? own.contact_count : 1); i++) {
                params.contact = is_single(id) ? i : -1;
                if (id != CAROM_IMPACT_LAW_COMPLIANT || is_integrated) {
                    ask(&own, id, &params);
                }
            }
        }
    }
}

TEST(unit, every_law_is_found_by_its_own_name) {
    for (int id = 0; id < CAROM_IMPACT_LAW_COUNT; id++) {
        const carom_impact_law *law = carom_impact_law_of((carom_impact_law_id)id);
        ck_assert_ptr_eq(carom_impact_law_find(law->name), law);
        ck_assert(law->title != NULL && law->cost != NULL && law->run != NULL);
        // First those that need nothing but the problem.
        ck_assert_int_eq(law->choice == NULL, id < CAROM_IMPACT_LAW_ROUTH);
    }
    ck_assert_ptr_null(carom_impact_law_find("newton"));
}

TEST(property, every_law_keeps_what_all_promise_on_random_impacts) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < RANDOM_KINDS * CASES * 3; k++) {
        plain_impact plain;
        gsl_rng_set(generator, (unsigned long)k);
        random_plain(generator, (random_kind)(k % RANDOM_KINDS), 1 + k / RANDOM_KINDS % 3, &plain);
        for (int i = 0; i < plain.m; i++) {
            plain.mu[i] = fmin(plain.mu[i], 1.7);
        }
        carom_impact_problem *problem = problem_of_plain(&plain);
        ask_all(problem, k % INTEGRATED == 0);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
    for (int id = 0; id < CAROM_IMPACT_LAW_COUNT; id++) {
        ck_assert_msg(2 * answered[id] > asked[id], "%s answers %d of %d",
                      carom_impact_law_of((carom_impact_law_id)id)->name, answered[id], asked[id]);
    }
}

/** Ask all laws about a scene and free it. */
static void ask_scene(carom_impact_scene *scene) {
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_of_scene(scene, &problem, NULL));
    ask_all(problem, true);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(property, every_law_keeps_what_all_promise_on_the_scenes) {
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    const carom_compass_gait_params gait = carom_compass_gait_params_default();
    const carom_leaning_box_params box = carom_leaning_box_params_default();
    carom_impact_scene *scene = NULL;
    assert_ok(carom_rigid_block_alloc(&block, &scene, NULL));
    ask_scene(scene);
    assert_ok(carom_compass_gait_alloc(&gait, &scene, NULL));
    ask_scene(scene);
    assert_ok(carom_leaning_box_alloc(&box, &scene, NULL));
    ask_scene(scene);
}

/** A point mass that falls into the corner of two walls, with two tangents each. */
static carom_impact_problem *make_spatial(void) {
    const double M[9] = {1.3, 0, 0, 0, 1.3, 0, 0, 0, 1.3};
    const double J_n[6] = {0, 0, 1, 0.6, 0, 0.8};
    const double J_t[12] = {1, 0, 0, 0, 1, 0, 0.8, 0, -0.6, 0, 1, 0};
    const double mu[2] = {0.3, 0.2};
    const double v[3] = {-0.4, 0.2, -1.1};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(3, 2, 2, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

TEST(unit, laws_of_the_plane_say_so_in_space) {
    carom_impact_problem *problem = make_spatial();
    for (int id = 0; id < CAROM_IMPACT_LAW_COUNT; id++) {
        const carom_impact_law *law = carom_impact_law_of((carom_impact_law_id)id);
        carom_impact_result *result = NULL;
        carom_report report = carom_report_empty();
        carom_impact_law_params params = carom_impact_law_params_default();
        params.sampling.samples = 10;
        params.contact = is_single(id) ? 1 : -1;
        const carom_status status = carom_impact_law_run(law, problem, &params, &result, &report);
        const bool is_known = !law->is_planar && law->has_friction;
        ck_assert_int_eq(status, is_known ? CAROM_OK : CAROM_STATUS_UNSUPPORTED);
        if (law->is_planar) {
            ck_assert_ptr_nonnull(strstr(report.sentence, "these are 2 in space"));
        }
        ck_assert(!is_known || result->count > 0);
        carom_impact_result_free(result);
    }
    carom_impact_problem_free(problem);
}

TEST(errors, a_law_of_one_contact_asks_which) {
    carom_impact_problem *problem = make_spatial();
    carom_impact_result *result = NULL;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_impact_law_run(&carom_impact_law_routh, problem, NULL, &result, &report),
                     CAROM_STATUS_UNSUPPORTED);
    ck_assert_str_eq(report.sentence,
                     "routh computes the impact of one contact; these are 2, none is chosen");
    carom_impact_problem_free(problem);
}

TEST(errors, laws_of_one_restitution_refuse_several) {
    const plain_impact cradle = {.n = 3,
                                 .m = 2,
                                 .M = {1.7, 0, 0, 0, 1.7, 0, 0, 0, 1.7},
                                 .J = {-1, 1, 0, 0, -1, 1},
                                 .v = {2.385, 0, 0}};
    const double e[2] = {0.3, 0.8};
    carom_impact_problem *problem = problem_of_plain(&cradle);
    const carom_impact_problem own = with_restitution(problem, e);
    const char *const names[] = {"propagative", "compliant"};
    for (int k = 0; k < 2; k++) {
        carom_impact_result *result = NULL;
        carom_report report = carom_report_empty();
        ck_assert_int_eq(
            carom_impact_law_run(carom_impact_law_find(names[k]), &own, NULL, &result, &report),
            CAROM_STATUS_UNSUPPORTED);
        ck_assert_ptr_nonnull(strstr(report.sentence, "contact 0 has 0.3, contact 1 has 0.8"));
    }
    carom_impact_problem_free(problem);
}

/* A spring and a dashpot give back e of a speed, also where e is next to nothing. */
TEST(property, compliant_restitution_may_be_small) {
    const plain_impact ball = {.n = 1, .m = 1, .M = {1.7}, .J = {1}, .v = {-2.385}};
    carom_impact_problem *problem = problem_of_plain(&ball);
    double e = 1e-2;
    for (int k = 0; k < 7; k++) {
        e *= e;
        const carom_impact_problem own = with_restitution(problem, &e);
        carom_impact_result *result = NULL;
        assert_ok(carom_impact_law_run(&carom_impact_law_compliant, &own, NULL, &result, NULL));
        // the tolerance of its integrator, some hundred times 1e-12, is absolute
        assert_close(result->outcomes->velocity[0], 2.385 * e, 1e-3, 1e-8);
        carom_impact_result_free(result);
    }
    carom_impact_problem_free(problem);
}

TEST(errors, every_failing_allocation_ends_a_law_without_a_leak) {
    const plain_impact ball = {
        .n = 2, .m = 1, .M = {1.3, 0, 0, 1.3}, .J = {1, 0, 0, 1}, .v = {-1.0, 0.2}};
    carom_impact_problem *problem = problem_of_plain(&ball);
    carom_impact_law_params params = carom_impact_law_params_default();
    params.sampling.samples = 4;
    params.sampling.workers.threads = 1;
    for (int id = 0; id < CAROM_IMPACT_LAW_COUNT; id++) {
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        for (int k = 0; status != CAROM_OK; k++) {
            carom_impact_result *result = NULL;
            successes_left = k;
            status = carom_impact_law_run(carom_impact_law_of((carom_impact_law_id)id), problem,
                                          &params, &result, NULL);
            successes_left = -1;
            ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_int_eq(result != NULL, status == CAROM_OK);
            carom_impact_result_free(result);
        }
    }
    carom_impact_problem_free(problem);
}
