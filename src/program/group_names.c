#include <carom/program/internal.h>

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/** Longest name of a group that is looked up, with its closing zero. */
#define NAME_SIZE 64

/** What groups are called and what they are. */
typedef struct group_text {
    const char *pattern; /**< names separated by |, each as fnmatch(3) reads it: of the last part of
                            a path, or of the whole path if it has a slash */
    const char *text;
} group_text;

/** The first that fits counts. */
static const group_text vocabulary[] = {
    // Of every record.
    {"parameters", "parameters of the run, with the values used"},
    {"measures", "numbers drawn from the run"},
    {"geometry", "outlines of bodies, to draw motions"},
    {"/exact|/facets/exact", "the exact solution"},
    {"/exact/set", "the exact set of outcomes"},
    {"/drawing|/schematic|/strip|/figure", "what is drawn: parts as lines and points"},
    {"/drawing/*|/schematic/*|/strip/*|center|/*/drawing|/*/drawing/*",
     "part of a drawing: the points of a line"},

    // Schemes that advance in fixed steps.
    {"/nonsmooth_galpha*", "motion by the nonsmooth generalized-alpha scheme"},
    {"/smooth_galpha*", "motion by the smooth generalized-alpha scheme"},
    {"/velocity_galpha*", "motion by generalized-alpha with constraints at velocity level"},
    {"/moreau_jean*", "motion by the Moreau-Jean scheme"},
    {"/modified_lcp*", "motion by the modified LCP scheme of Paoli and Schatzman"},
    {"reference", "exact motion, or by a much smaller step"},
    {"impacts", "impacts one by one"},
    {"/convergence|/convergence/*", "errors against step or impulse size, with fitted orders"},
    {"/refinement", "the same run with finer and finer elements"},
    {"/dissipation", "what a step leaves of a free vibration"},
    {"/half_step", "the runs with half the step"},
    {"/steps|/steps/*", "sets of outcomes with other sizes of the increments"},

    // Contact problems and their files.
    {"/fclib_local", "the contact problem in the layout of FCLIB"},
    {"/fclib_local/vectors", "velocities without impulses, and friction"},
    {"/fclib_local/?", "a matrix of the problem by compressed columns"},
    {"/solution", "impulses and velocities that solve it"},
    {"/contacts", "what each contact does"},
    {"/gauss_seidel", "residual by sweeps of Gauss-Seidel"},
    {"/newton", "residual by iterations of Newton's method"},
    {"/pile", "the pile: discs and the places of contacts"},

    // Names that mean something else above them.
    {"/cradle/*", "the cradle over time, by one method"},
    {"/design/*", "the design of the robot TREX before and after its optimization"},
    {"/unit|/unit/*", "the map Unit of an inclusion, or a motion of unit size"},

    // Impact laws and their sets of outcomes.
    {"before", "the instant before the impact"},
    {"/around_impact|/around_impact/*", "the impact as a motion, 0.1 s before and after it"},
    {"/problem", "the impact: mass matrix, contacts, friction, velocity"},
    {"set", "set of outcomes by sampled increments of the impulse"},
    {"modes", "modes: of the contacts in a set of outcomes, of the system in a solution"},
    {"bounds", "bounds of the impulses and of the number of increments"},
    {"/coverage", "how densely the samples cover the set of outcomes"},
    {"paths", "density of the paths of samples, in planes of two speeds"},
    {"quantiles", "quantiles of the energy and of the speeds in which samples end"},
    {"points", "density of the outcomes of samples, in planes of two speeds"},
    {"*/paths/*|*/points/*", "counts in the cells of a plane of two speeds"},
    {"simultaneous", "all solutions of the simultaneous impact of Anitescu and Potra"},
    {"sequential", "outcomes of contacts resolved one after the other"},
    {"?_first|end_first", "the sequence of single impacts that begins with this contact"},
    {"sampling", "outcomes by sampled increments of the impulse"},
    {"anitescu_potra", "outcomes by the simultaneous law of Anitescu and Potra"},
    {"compliant", "outcomes of compliant contacts, as their stiffness grows"},
    {"newton_moreau", "outcome by the law of Newton and Moreau"},
    {"propagative", "outcomes of the propagative law, over all orders of reflections"},
    {"/routh/end", "the outcome at the end of that path"},
    {"routh", "path of the impact of one contact by Routh's method"},
    {"inclusion", "the differential inclusion, followed over its own time"},
    {"/inclusion/*", "the inclusion with one distribution of its impulses"},
    {"elastic|plastic|own|friction", "every law, with this restitution and friction"},
    {"/overview", "all scenes and laws in one table"},
    {"outcome_*", "an outcome, with a sequence of single impacts that leads there"},
    {"sequences", "the sequences of reflections, step by step"},
    {"pairs", "pairs of contacts: their angle, and how many reflections they need"},
    {"/distributions|/selections|/combinations|/variants|/pyramids",
     "sets of outcomes under other rules of sampling"},
    {"/distributions/*|/selections/*|/combinations/*",
     "set of outcomes under one rule of sampling"},
    {"/variants/*", "the runs of one variant"},
    {"/other_variant", "the set of outcomes of the other variant of the system"},
    {"/nets", "random nets of impulses against their bounds"},
    {"/window|/window/*", "poses around the own one, by the number of their solutions"},
    {"/armed_biped|/bouncing_ball|/bouncing_pendulum|/break_*|/clamped_bar|/compass_gait|"
     "/cradle_unequal|/disk_stack|/elastic_bar|/falling_disk|/falling_rod|/flat_block|/leaning_box|"
     "/ramone|/rocking_corner|/rocking_swing|/serial_chain|/tilted_block|/trex_*|/wide_block|"
     "/zeno_block",
     "a scene: one impact of a system of the papers"},

    // Inclusions and Routh's path.
    {"/increments|/increments/*", "finite increments against Routh's path"},
    {"/figure_*|/reversal|/jam|/facets|/slow|/homogeneity", "a case of the differential inclusion"},
    {"rays", "directions of the impulses at a corner"},
    {"path_*", "one path of impulses"},
    {"/rod", "a falling rod: its impact and its drawing"},
    {"/portrait", "phase portrait of the inclusion"},
    {"/angle_sweep|/stiffness_sweep", "runs of the compliant block over one parameter"},

    // Periodic motions of structures with impacts.
    {"/structure|/modal", "the structure: its matrices and linear modes"},
    {"/solution|/solutions|/found", "the periodic motions found"},
    {"/solution_*", "one motion"},
    {"/impact", "accelerations and their rates at the impact"},
    {"/branches|/branch|branch", "branches of periodic motions"},
    {"/branches/*", "one branch of periodic motions"},
    {"/intervals*", "intervals of admissible periods with one impact"},
    {"/ends", "kinds of the ends of branches and intervals, as numbers"},
    {"/picture", "all branches in one table, to be drawn"},
    {"/single|/double|/seven", "periodic motions with one, two or seven impacts per period"},
    {"dots|surface|curves|/curves/*|family|families", "curves and families of solutions, as drawn"},
    {"/phi|/phi/*", "the function phi_c,T of the period, and the harmonics"},
    {"/stability|/stability/*", "stability of periodic motions, and perturbed ones"},
    {"/bridge", "items of the paper, recomputed"},
    {"case_*", "one case"},

    // Collisionless motions.
    {"roots", "roots of the impact equations"},
    {"/undecided", "regions of the box of impact times that may hold further roots"},
    {"/system|/spectra", "the system: its spectra and modes in both phases"},
    {"simulation", "motion followed by events, as a check"},
    {"/simulation/*", "runs of one kind"},
    {"motion", "a motion over time"},
    {"crossings", "crossings of the determinant curves"},
    {"/critical|/critical/*", "systems at the limit of realizability"},
    {"/limit|/slopes|/crosses|/sweep", "theorems on random spectra, and their limits"},
    {"/searches|/searches/*", "random spectra: their roots by complete searches"},
    {"/motions|/motions/*", "random spectra: which roots are motions"},
    {"/several", "a spectrum with several oscillating modes"},
    {"/errors|/errors/*", "mean errors of the runs against the exact motion"},
    {"/condition", "condition numbers of the Newton matrix"},
    {"/flight|/flight/*", "reactions of a joint in flight, beside the exact ones"},
    {"/oscillation|/oscillation/*", "how a joint's reaction oscillates after an impact"},
    {"/period_one", "the motion of one impact in each period, in closed form"},
    {"/flips", "where a motion doubles its period"},
    {"/subdivision", "what a subdivision of the impact times finds of each model"},
    {"/density", "share of the periods that are admissible"},
    {"/series|/series/*", "asymptotic series of the roots, against the roots"},
    {"/hopper|/juggler|/rocking|/pendulum_wheel|/reaction_wheel", "one of the models"},
    {"/nonlinear", "gaits of the exact equations"},
    {"pose_*|harmonic_pose_*", "pose of the biped at an instant"},
    {"/grid|/chain|/table|/map", "results over a grid, or case by case"},

    // Propagative impacts.
    {"/groups", "groups of reflections"},
    {"/groups/*", "one group of reflections: contacts that meet at its angles"},
    {"/blocks|/chains|/cones|/spectrum|/matrices", "items of the paper, recomputed"},
    {"/figure/*", "part of a figure of the paper"},
    {"/billiard", "the billiard break over its angle, against the closed form"},
    {"/cradle", "Newton's cradle: its motion, or a scene with it"},
    {"/scatter|/scatter/*", "energy and outcomes over time steps and speeds"},
    {"/first_impact|/stance|/trex|/stiff|/frictionless|/design", "the robot TREX under one model"},
    {"/trex/*|/stiff/*|/half_step/*|/frictionless/*|/first_impact/*|/stance/*|/table/*",
     "the robot TREX of one design, or in one order of its impacts"},
};

/** Whether one of the names of a pattern fits. */
static bool fits(const char *pattern, const char *path) {
    const char *base = strrchr(path, '/') + 1;
    while (*pattern != '\0') {
        const size_t length = strcspn(pattern, "|");
        char name[NAME_SIZE];
        if (length < sizeof name) {
            memcpy(name, pattern, length);
            name[length] = '\0';
            const char *subject = strchr(name, '/') != NULL ? path : base;
            if (fnmatch(name, subject, 0) == 0) {
                return true;
            }
        }
        pattern += length + (pattern[length] == '|' ? 1 : 0);
    }
    return false;
}

const char *carom_group_description(const char *path) {
    for (size_t i = 0; i < sizeof vocabulary / sizeof vocabulary[0]; i++) {
        if (fits(vocabulary[i].pattern, path)) {
            return vocabulary[i].text;
        }
    }
    return NULL;
}
