/** Other programs for motion with impacts, behind one interface, so that all do the same work. */
#ifndef CAROM_TESTS_BENCH_PEERS_H
#define CAROM_TESTS_BENCH_PEERS_H

#include <carom/contact/contact.h>

#include <stdbool.h>

/** A linear system with frictionless contacts, M v' + K q = f, gaps G q + g0 >= 0. */
typedef struct peer_system {
    int n;              /**< coordinates */
    int m;              /**< contacts */
    const double *M;    /**< [n][n] diagonal, kg */
    const double *K;    /**< [n][n] tridiagonal, N/m */
    const double *f;    /**< [n] N */
    const double *G;    /**< [m][n] each row of one 1 and at most one -1 */
    const double *g0;   /**< [m] m */
    double restitution; /**< of all contacts */
    const double *q;    /**< [n] initial position, m */
    const double *v;    /**< [n] initial velocity, m/s */
    double step;        /**< s */
    double end;         /**< s */
} peer_system;

/** A program, with its usual scheme for impacts in fixed steps. */
typedef struct peer {
    const char *name;
    void *(*open)(const peer_system *system);               /**< NULL on failure */
    bool (*advance)(void *simulation);                      /**< one step; false on failure */
    void (*read)(const void *simulation, int n, double *q); /**< positions now */
    void (*close)(void *simulation);                        /**< NULL is accepted */
    /** z >= 0, w = M z + q >= 0, z'w = 0, M [n][n]; false if none was found. NULL: no such solver.
     */
    bool (*solve)(int n, const double *M, const double *q, double *z);
} peer;

/** A solver of contact problems with friction, without joints. */
typedef struct contact_peer {
    const char *name;
    const char *method;
    bool (*is_for)(int tangents);                   /**< whether it solves such problems */
    void *(*open)(const carom_contact_problem *of); /**< the problem as it needs it */
    /** From the impulses r to its own tolerance; false if it says that it has failed. */
    bool (*solve)(void *problem, double tolerance, double *r);
    void (*close)(void *problem);
} contact_peer;

/** What a solver found. */
typedef struct contact_answer {
    double *r;        /**< [rows] impulses, N s; the caller's */
    double tolerance; /**< its own, by which it was found */
    double residual;  /**< smallest of all tries, by our certificate */
    double seconds;   /**< of the last try */
} contact_answer;

/**
 * The answer by the loosest of a solver's own tolerances, by factors of ten, that has the residual.
 *
 * @param[in]     by       the solver
 * @param[in,out] problem  as it opened it
 * @param[in]     p        the data
 * @param[in]     start    [rows] impulses; NULL: none
 * @param[in]     residual that is enough, 1
 * @param[in]     loosest  its tolerance of the first try
 * @param[in,out] answer   filled but for the pointer; r is that of the last try
 * @return whether there is one
 */
bool find_contact_answer(const contact_peer *by, void *problem, const carom_contact_problem *p,
                         const double *start, double residual, double loosest,
                         contact_answer *answer);

/** A row of each solver that the problem is for, from no impulses. @return number of failures */
int compare_contact_problem(const char *name, const carom_contact_problem *p, double residual);

/** Heading of such rows. */
void print_contact_heading(double residual);

/** Cost of solving contact problems to the same certificate. @return number of failures */
int compare_all_contacts(void);

/** The same of 1000 discs, and of steps of their motion. @return number of failures */
int compare_discs(void);

#ifdef __cplusplus
extern "C" {
#endif
extern const contact_peer *const contact_peers[]; /**< that are there, ours first; NULL ends them */
extern const contact_peer siconos_sweeps;         /**< compiled with HAVE_SICONOS */
extern const contact_peer siconos_newton;         /**< the same */
extern const peer carom_peer;
extern const peer siconos_peer; /**< compiled with HAVE_SICONOS */
extern const peer ode_peer;     /**< compiled with HAVE_ODE */
#ifdef __cplusplus
}
#endif

#endif
