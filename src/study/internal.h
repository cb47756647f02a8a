/** Parts of what experiments share: sampled impacts for drawing and counting, sections of a
 * problem file. */
#ifndef CAROM_STUDY_INTERNAL_H
#define CAROM_STUDY_INTERNAL_H

#include <carom/base/parallel.h>
#include <carom/study/impacts.h>
#include <carom/study/problem_file.h>

/* --------------------------------------------------------------------- classes of contact modes */
/* How often sampled impacts end in which modes of their contacts. */

/** Up to so many contacts all 3^m classes are listed, of more only those that occur. */
enum { CAROM_CONTACT_MODE_CLASSES_COMPLETE = 3 };

/** The classes of a set of samples: those of most finished samples first, then of most samples,
 * then in the order of their letters. */
typedef struct carom_contact_mode_classes {
    int contact_count; /**< m */
    int count;         /**< classes */
    char *letters;     /**< [count][m + 1] one letter for each contact, zero-terminated */
    int *samples;      /**< [count] samples that end in it */
    int *finished;     /**< [count] of which finished */
} carom_contact_mode_classes;

/**
 * Sort samples into classes by their final speeds.
 *
 * @param[in]  problem of the samples
 * @param[in]  samples at least one
 * @param[out] out     belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_mode_classes_count(const carom_impact_problem *problem,
                                                               const carom_impact_samples *samples,
                                                               carom_contact_mode_classes **out);

/** Samples of a problem on their way into classes, part by part. */
typedef struct carom_contact_mode_tally carom_contact_mode_tally;

/** Begin to count, for a problem that is borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_mode_tally_alloc(const carom_impact_problem *problem,
                                                             carom_contact_mode_tally **out);

/** Count some more. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_mode_tally_add(carom_contact_mode_tally *tally,
                                                           const carom_impact_samples *samples);

/** The classes of what was counted, nothing being added any more. @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_mode_tally_finish(carom_contact_mode_tally *tally,
                                                              carom_contact_mode_classes **out);

/** Free; NULL is accepted. */
void carom_contact_mode_tally_free(carom_contact_mode_tally *tally);
CAROM_AUTO_TYPE(carom_contact_mode_tally)

/** Free; NULL is accepted. */
void carom_contact_mode_classes_free(carom_contact_mode_classes *classes);
CAROM_AUTO_TYPE(carom_contact_mode_classes)

/** The letters of a class, borrowed. */
const char *carom_contact_mode_classes_letters(const carom_contact_mode_classes *classes, int i);

/* --------------------------------------------------------------------------------- sampled sets */
/* What every account of a sampled set tells. */

/** Standard error of the mean number of increments [count]; NaN for a single sample. */
double carom_impact_increment_error(int count, const int *increments, double mean);

struct carom_record_block;

/** As carom_impact_record_rows, for some of the rows. */
CAROM_MUST_CHECK carom_status carom_impact_record_block(const carom_impact_record *self,
                                                        carom_record *group, const char *axis,
                                                        const struct carom_record_block *block,
                                                        const double *rows,
                                                        const carom_impact_quantity *quantity);

/** A sampled set on its way into a record, part by part. */
typedef struct carom_sample_set carom_sample_set;

/**
 * Begin the group /set.
 *
 * @param[in]  self        its head has been written
 * @param[in]  params      of the whole set
 * @param[in]  total       outcomes that will come, >= 1
 * @param[in]  is_recorded whether each sample is; else only what is computed of them
 * @param[out] out         to be freed by carom_sample_set_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sample_set_alloc(const carom_impact_record *self,
                                                     const carom_impact_sampling_params *params,
                                                     int total, bool is_recorded,
                                                     carom_sample_set **out);

/** Write and count the next part. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sample_set_add(carom_sample_set *set,
                                                   const carom_impact_samples *samples);

/** All parts together, without arrays; borrowed. */
const carom_impact_samples *carom_sample_set_sums(const carom_sample_set *set);

/** Write what all parts together are: scalars, histogram, extents, classes of modes.
 * @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sample_set_finish(carom_sample_set *set);

/** Free; NULL is accepted. */
void carom_sample_set_free(carom_sample_set *set);
CAROM_AUTO_TYPE(carom_sample_set)

/** Whether the samples come in parts and are forgotten. */
bool carom_impact_study_is_in_parts(const carom_impact_study *self);

/** Quantiles of the energy and of the speeds in which finished samples end, of any number of
 * samples in little memory: each is known to a thousandth of what the energy before the impact
 * allows. */
typedef struct carom_sample_quantiles carom_sample_quantiles;

/** Begin, for a problem that is borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sample_quantiles_alloc(const carom_impact_problem *problem,
                                                           carom_sample_quantiles **out);

/** Take some more samples. */
void carom_sample_quantiles_add(carom_sample_quantiles *quantiles,
                                const carom_impact_samples *samples);

/** Write them as /set/quantiles: kinetic_energy (share), normal_velocity (share x contact),
 * tangential_velocity; NaN: no sample is finished. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sample_quantiles_write(const carom_sample_quantiles *quantiles,
                                                           carom_record *record);

/** Free; NULL is accepted. */
void carom_sample_quantiles_free(carom_sample_quantiles *quantiles);
CAROM_AUTO_TYPE(carom_sample_quantiles)

/**
 * Probes of another seed, and the outcomes of the laws that there are so far.
 *
 * @param[in]  self    of the set
 * @param[in]  results with the other laws
 * @param[out] out     to be freed by carom_sample_probes_free; NULL on failure
 * @param[out] report  may be NULL
 * @return what carom_impact_sample returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sample_probes_alloc(const carom_impact_study *self,
                                                        const carom_impact_study_results *results,
                                                        carom_sample_probes **out,
                                                        carom_report *report);

/** Lower their distances by some more samples. @return CAROM_OK; NOT_FINITE; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sample_probes_add(carom_sample_probes *probes,
                                                      const carom_impact_samples *samples,
                                                      carom_workers workers, carom_report *report);

/** Free; NULL is accepted. */
void carom_sample_probes_free(carom_sample_probes *probes);
CAROM_AUTO_TYPE(carom_sample_probes)

/* --------------------------------------------------------------------------------------- planes */
/* Paths and points of contact space thinned out for drawing: one point for each cell of a plane. */

/**
 * Lengths of cells along each side of a plane, and the most cells: their centres are multiples of
 * their length, so that speeds of zero are drawn as zero.
 */
enum { CAROM_PLANE_CELLS = 100, CAROM_PLANE_MOST_POINTS = 101 * 101 };

/** The cells of a plane that paths have crossed; filled by any number of threads. */
typedef struct carom_plane_raster carom_plane_raster;

/**
 * @param[in]  plane  copied; its name is borrowed
 * @param[out] out    belongs to the caller; no cell is occupied
 * @param[out] report quantity "plane"; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: a side that is not finite or not longer than zero; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_plane_raster_alloc(const carom_plane *plane,
                                                       carom_plane_raster **out,
                                                       carom_report *report);

/** Free; NULL is accepted. */
void carom_plane_raster_free(carom_plane_raster *raster);
CAROM_AUTO_TYPE(carom_plane_raster)

/** The plane, as given. */
const carom_plane *carom_plane_raster_plane(const carom_plane_raster *raster);

/**
 * Occupy the cells that the polygon through some points crosses. What lies outside the rectangle is
 * left out; the outer edges belong to it. May be called by several threads at once: which cells are
 * occupied in the end does not depend on the order.
 *
 * @param[in,out] raster      of the plane
 * @param[in]     point_count points, >= 0; a single one is a point
 * @param[in]     row_count   r
 * @param[in]     path        [point_count][r] m/s
 */
void carom_plane_raster_add(carom_plane_raster *raster, int point_count, int row_count,
                            const double *path);

/** The cells, as what a parallel map leaves. */
carom_parallel_marks carom_plane_raster_marks(carom_plane_raster *raster);

/** Number of occupied cells. */
int carom_plane_raster_count(const carom_plane_raster *raster);

/** Centres of the occupied cells, x and y [count] each, by rows from the lower left; half a cell
 * outside the limits at most. */
void carom_plane_raster_centres(const carom_plane_raster *raster, double *x, double *y);

/**
 * The first point in each cell: what a drawing of all points needs.
 *
 * @param[in]  plane     with its limits
 * @param[in]  count     points, >= 0
 * @param[in]  row_count r
 * @param[in]  points    [count][r] m/s
 * @param[in]  is_drawn  [count] 0: a point to be left out; NULL: none
 * @param[in,out] is_taken [CAROM_PLANE_MOST_POINTS] cells that have their point, of points before
 *                       these; NULL: none
 * @param[out] kept      [CAROM_PLANE_MOST_POINTS] at most are filled: indices of points, increasing
 * @param[out] kept_count number of them
 * @return CAROM_OK; OUT_OF_RANGE as above; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_plane_raster_thin(const carom_plane *plane, int count,
                                                      int row_count, const double *points,
                                                      const int *is_drawn, bool *is_taken,
                                                      int *kept, int *kept_count);

/** Ends of samples in a plane, one for each cell, which come part by part. */
typedef struct carom_plane_ends {
    int count;
    double x[CAROM_PLANE_MOST_POINTS];      /**< [count] m/s */
    double y[CAROM_PLANE_MOST_POINTS];      /**< [count] m/s */
    bool is_taken[CAROM_PLANE_MOST_POINTS]; /**< cells that have one */
    int kept[CAROM_PLANE_MOST_POINTS];      /**< work memory */
} carom_plane_ends;

/** Add those of some more samples that are finished; zeroed at first.
 * @return CAROM_OK; OUT_OF_RANGE as above; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_plane_ends_add(const carom_plane *plane,
                                                   const carom_impact_samples *samples,
                                                   carom_plane_ends *ends);

/** Whether a record wants anything that is written of planes; else none need be drawn. */
bool carom_impact_record_has_planes(const carom_impact_record *self);

/**
 * Write the paths that have crossed a plane as /set/paths/NAME/{x,y}, and the velocities in which
 * finished samples end as /set/points/NAME/{x,y}, one for each cell; with the limits x_min, x_max,
 * y_min, y_max of the plane in /set/paths/NAME. A plane without any is left out.
 */
CAROM_MUST_CHECK carom_status carom_impact_record_plane(const carom_impact_record *self,
                                                        const carom_plane_raster *raster,
                                                        const carom_plane_ends *ends);

/** First samples, whose paths tell the limits of planes. */
typedef struct carom_impact_pilot carom_impact_pilot;

/**
 * Sample them. Where they are the first of the set, and their paths have room, both are kept.
 *
 * @param[in]     self     the study, with some plane that is open
 * @param[in,out] progress of the set, with samples that are kept; may be NULL
 * @param[out]    out      to be freed by carom_impact_pilot_free
 * @param[out]    report   may be NULL
 * @return as carom_impact_sample
 */
CAROM_MUST_CHECK carom_status carom_impact_pilot_alloc(const carom_impact_study *self,
                                                       struct carom_progress *progress,
                                                       carom_impact_pilot **out,
                                                       carom_report *report);

/** Free; NULL is accepted. */
void carom_impact_pilot_free(carom_impact_pilot *pilot);
CAROM_AUTO_TYPE(carom_impact_pilot)

/** Set all limits of a plane, with a margin. */
void carom_impact_pilot_limit(const carom_impact_pilot *pilot, carom_plane *plane);

/** Draw the paths that were kept into [plane_count] rasters. @return the samples, to be freed;
 * NULL: none were kept */
carom_impact_samples *carom_impact_pilot_draw(carom_impact_pilot *pilot, int plane_count,
                                              carom_plane_raster *const *rasters);

/* ------------------------------------------------------------------------------------- momentum */
/* What the parts of a propagative record share. */

/** p = v' M of a velocity v, both [n]. */
void carom_propagative_record_momentum(const carom_impact_problem *problem, const double *v,
                                       double *p);

/* ----------------------------------------------------------------------------- problem sections */
/* The sections of a problem file as its lines give them, sizes unchecked. */

/** The sections, in the order in which they are missed. */
typedef enum carom_problem_section {
    CAROM_SECTION_MASS,
    CAROM_SECTION_NORMAL,
    CAROM_SECTION_TANGENTIAL,
    CAROM_SECTION_FRICTION,
    CAROM_SECTION_VELOCITY,
    CAROM_SECTION_NAMES,
    CAROM_SECTION_COUNT
} carom_problem_section;

/** One section as it was read. */
typedef struct carom_section_numbers {
    int keyword_line; /**< from 1; 0: the file has no such section */
    int rows;         /**< lines with numbers */
    int columns;      /**< numbers of the first row */
    int count;        /**< numbers, or names */
    double *values;   /**< [count], borrowed from the sections */
    int *lines;       /**< [count] line of each number, borrowed as well */
} carom_section_numbers;

/** All sections of a text being read. */
typedef struct carom_problem_sections {
    char *defect; /**< NULL: nobody asks */
    int line;     /**< from 1 */
    carom_section_numbers section[CAROM_SECTION_COUNT];
    char names[CAROM_PROBLEM_FILE_MOST_CONTACTS][CAROM_PROBLEM_FILE_NAME_SIZE];
    char *text;              /**< copy that is cut into lines and entries, owned */
    double *values;          /**< numbers of all sections, owned */
    int *lines;              /**< their lines, owned */
    int count;               /**< numbers so far */
    int current;             /**< section that is being read, -1 before the first */
    int friction_comma_line; /**< where friction has whole numbers joined by a comma ("1,5"); 0:
                                nowhere */
} carom_problem_sections;

/** The keyword of a section. */
const char *carom_problem_section_keyword(carom_problem_section section);

/** Say what is wrong. @return BAD_FORMAT */
carom_status carom_problem_sections_fail(const carom_problem_sections *self, const char *format,
                                         ...) CAROM_PRINTF(2, 3);

/**
 * Read all lines of a text: keywords, rows of equal length in the matrices, finite decimal numbers,
 * proper names; no section twice.
 *
 * @param[out] self   filled; to be cleared, whatever is returned
 * @param[in]  text   [length]
 * @param[in]  length bytes
 * @param[out] defect [CAROM_PROBLEM_FILE_DEFECT_SIZE]; may be NULL
 * @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_problem_sections_read(carom_problem_sections *self,
                                                          const char *text, size_t length,
                                                          char *defect);

/** Free what the sections own. */
void carom_problem_sections_clear(carom_problem_sections *self);

#endif
