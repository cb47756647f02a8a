/** The reset maps of example 1 as matrices: /matrices. */
#include "results.h"

enum { BALLS = 3, CONTACTS = 2, LONGEST = 3 };

/** Contacts u = (A, B) and v = (B, C). */
enum { U = 0, V = 1 };

/** A product of reset maps in the paper's order. */
typedef struct reset_word {
    const char *path;
    const char *long_name;
    int length;
    int contacts[LONGEST];
} reset_word;

/** p Gamma(w_1) .. Gamma(w_n) of a row p: each reflection adds its impulse times its normal. */
static void reflect(const results *r, const reset_word *word, double *p) {
    const carom_impact_problem *problem = r->problem;
    double c[CONTACTS];
    for (int j = 0; j < CONTACTS; j++) {
        c[j] = 0.0;
        for (int k = 0; k < BALLS; k++) {
            c[j] += p[k] * problem->impulse_response[k * problem->row_count + j];
        }
    }
    for (int step = 0; step < word->length; step++) {
        const int i = word->contacts[step];
        const double Lambda = carom_propagative_reflect(r->contacts, i, c);
        for (int k = 0; k < BALLS; k++) {
            p[k] += Lambda * problem->contact_jacobian[i * BALLS + k];
        }
    }
}

/** The matrix of a product: its rows are the images of unit rows. */
static void write_word(const results *r, const reset_word *word, double *matrix) {
    for (int i = 0; i < BALLS; i++) {
        for (int k = 0; k < BALLS; k++) {
            matrix[i * BALLS + k] = i == k ? 1.0 : 0.0;
        }
        reflect(r, word, matrix + i * BALLS);
    }
    carom_record_series(r->record, word->path, matrix, "/matrices/row", "/matrices/column", "1",
                        word->long_name);
}

void newtons_cradle_write_matrices(results *r) {
    static const reset_word words[] = {
        {"/matrices/u", "Gamma(u)", 1, {U}},
        {"/matrices/v", "Gamma(v)", 1, {V}},
        {"/matrices/uvu", "Gamma(u) Gamma(v) Gamma(u)", 3, {U, V, U}},
        {"/matrices/vuv", "Gamma(v) Gamma(u) Gamma(v)", 3, {V, U, V}},
    };
    enum { WORDS = sizeof words / sizeof words[0] };
    double matrix[WORDS][BALLS * BALLS];
    r->example.is_there = r->values->balls == BALLS && r->problem->contact_count == CONTACTS;
    if (!r->example.is_there) {
        return;
    }
    carom_record_index_axis(r->record, "/matrices/row", BALLS, "momentum before");
    carom_record_index_axis(r->record, "/matrices/column", BALLS, "momentum after");
    for (int k = 0; k < WORDS; k++) {
        write_word(r, &words[k], matrix[k]);
    }
    for (int k = 0; k < BALLS * BALLS; k++) {
        r->example.product_difference =
            fmax(r->example.product_difference, fabs(matrix[WORDS - 2][k] - matrix[WORDS - 1][k]));
    }
    r->example.cosine = r->contacts->cosine[U * CONTACTS + V];
    carom_record_measure(r->record, "inner_product", r->example.cosine, "1",
                         "inner product of the unit normals of both contacts");
    carom_record_measure(r->record, "product_difference", r->example.product_difference, "1",
                         "largest difference of the products in both orders");
}
