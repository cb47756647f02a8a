#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>

#include <carom/base/random.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/** The cap 0+ of a unit step: moves a velocity by 1e-9 of what the step does, less than the speed
 * at which contacts count as colliding, and keeps the complementarity problem regular. */
static const double LEAST_CAP = 0x1.0p-30;

struct carom_cap_sampler {
    carom_cap_distribution distribution;
    int increments;
    int contacts;
    unsigned long seed;
    carom_sobol *sobol; /* NULL unless needed */
};

carom_status carom_cap_sampler_alloc(carom_cap_distribution distribution, int increments,
                                     int contacts, unsigned long seed, carom_cap_sampler **out,
                                     carom_report *report) {
    CAROM_ASSERT(out != NULL && increments >= 1 && contacts >= 1);
    *out = NULL;
    const long dimensions = (long)increments * contacts;
    const bool has_points = distribution == CAROM_CAPS_SOBOL;
    if (has_points && dimensions > CAROM_CAPS_MOST_DIMENSIONS) {
        return carom_report_refuse(report, "increments times contacts for Sobol points",
                                   (double)dimensions, -1, "at most 128");
    }
    CAROM_AUTO(carom_cap_sampler) sampler = calloc(1, sizeof *sampler);
    if (sampler == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    sampler->distribution = distribution;
    sampler->increments = increments;
    sampler->contacts = contacts;
    sampler->seed = seed;
    if (has_points) {
        CAROM_TRY(carom_sobol_alloc((int)dimensions, &sampler->sobol, report));
        carom_sobol_shift(sampler->sobol, seed);
    }
    CAROM_HAND_OVER(sampler, out);
    return CAROM_OK;
}

void carom_cap_sampler_free(carom_cap_sampler *sampler) {
    if (sampler == NULL) {
        return;
    }
    carom_sobol_free(sampler->sobol);
    free(sampler);
}

/** A uniform number in (0,1] for a contact of an increment. */
static double draw_uniform(const carom_cap_sampler *sampler, int sample, int increment,
                           int contact) {
    const long dimension = (long)increment * sampler->contacts + contact;
    if (sampler->distribution == CAROM_CAPS_SOBOL) {
        return 1.0 - carom_sobol_coordinate(sampler->sobol, sample, (int)dimension);
    }
    return 1.0 -
           carom_counter_uniform(sampler->seed, (unsigned long)sample, (unsigned long)dimension);
}

/** A third each of 0+, of 1 and of the interval between, from u uniform in (0,1]. */
static double corner_or_inside(double u) {
    if (3.0 * u <= 1.0) {
        return LEAST_CAP;
    }
    return fmax(fmin(3.0 * u - 1.0, 1.0), LEAST_CAP);
}

/** Independent exponential numbers divided by their sum: uniform on the simplex. */
static void project_on_simplex(int contacts, double *caps) {
    double sum = 0.0;
    for (int i = 0; i < contacts; i++) {
        caps[i] = fmax(-log(caps[i]), LEAST_CAP);
        sum += caps[i];
    }
    for (int i = 0; i < contacts; i++) {
        caps[i] = caps[i] / sum;
    }
}

/*[drawCaps]*/
void carom_cap_sampler_draw(const carom_cap_sampler *sampler, int sample, int increment,
                            double *caps) {
    CAROM_ASSERT(sampler != NULL);
    CAROM_ASSERT(sample >= 0 && increment >= 0 && increment < sampler->increments);
    for (int i = 0; i < sampler->contacts; i++) {
        const double u = draw_uniform(sampler, sample, increment, i);
        caps[i] = sampler->distribution == CAROM_CAPS_CORNERS ? corner_or_inside(u) : u;
    }
    if (sampler->distribution == CAROM_CAPS_SIMPLEX) {
        project_on_simplex(sampler->contacts, caps);
    }
}
/*[end drawCaps]*/
