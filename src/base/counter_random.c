#include <carom/base/random.h>

#include <stdint.h>

/** One step of SplitMix64: the golden-ratio increment and its finalizer, a bijection of 64 bits. */
static uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

double carom_counter_uniform(unsigned long seed, unsigned long sample, unsigned long dimension) {
    const uint64_t bits = mix(mix(mix((uint64_t)seed) ^ (uint64_t)sample) ^ (uint64_t)dimension);
    // The upper 53 bits, each representable in [0, 1).
    return (double)(bits >> 11) * 0x1.0p-53;
}
