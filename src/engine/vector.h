/* engine/vector.h: the few operations that the network's loops are made of, as many numbers at a
 * time as the build's target has room for: AVX-512, AVX2, SSE2 or NEON, else one by one. All give
 * the same bits. ROOKERY_VECTOR_PLAIN asks for one by one, to compare with.
 * Thread: any. */
#ifndef ENGINE_VECTOR_H
#define ENGINE_VECTOR_H

#include <stdint.h>
#include <string.h>

#include "chess/types.h"

/* vector_t: VECTOR_LANES numbers of 16 bits, in memory on an address that their size divides.
 * sums_t: sums of their products, in lanes of 32 bits or more. */

#if defined(__AVX512BW__) && !defined(ROOKERY_VECTOR_PLAIN)

#include <immintrin.h>
#define VECTOR_NAME "AVX-512"
enum { VECTOR_LANES = 32 };
typedef __m512i vector_t;
typedef __m512i sums_t;
static inline vector_t vector_load(const int16_t *from) { return _mm512_load_si512(from); }
static inline void vector_store(int16_t *to, vector_t v) { _mm512_store_si512(to, v); }
static inline vector_t vector_add(vector_t a, vector_t b) { return _mm512_add_epi16(a, b); }
static inline vector_t vector_subtract(vector_t a, vector_t b) { return _mm512_sub_epi16(a, b); }
static inline vector_t vector_clamp(vector_t v, int16_t most)
{
    return _mm512_min_epi16(_mm512_max_epi16(v, _mm512_setzero_si512()), _mm512_set1_epi16(most));
}
static inline vector_t vector_multiply(vector_t a, vector_t b) { return _mm512_mullo_epi16(a, b); }
static inline sums_t sums_zero(void) { return _mm512_setzero_si512(); }
static inline sums_t sums_add_products(sums_t sums, vector_t a, vector_t b)
{
#ifdef __AVX512VNNI__
    return _mm512_dpwssd_epi32(sums, a, b);
#else
    return _mm512_add_epi32(sums, _mm512_madd_epi16(a, b));
#endif
}
static inline uint64_t vector_changes(const uint8_t *a, const uint8_t *b)
{
    return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(a), _mm512_loadu_si512(b));
}

#elif defined(__AVX2__) && !defined(ROOKERY_VECTOR_PLAIN)

#include <immintrin.h>
#define VECTOR_NAME "AVX2"
enum { VECTOR_LANES = 16 };
typedef __m256i vector_t;
typedef __m256i sums_t;
static inline vector_t vector_load(const int16_t *from)
{
    return _mm256_load_si256((const void *)from);
}
static inline void vector_store(int16_t *to, vector_t v) { _mm256_store_si256((void *)to, v); }
static inline vector_t vector_add(vector_t a, vector_t b) { return _mm256_add_epi16(a, b); }
static inline vector_t vector_subtract(vector_t a, vector_t b) { return _mm256_sub_epi16(a, b); }
static inline vector_t vector_clamp(vector_t v, int16_t most)
{
    return _mm256_min_epi16(_mm256_max_epi16(v, _mm256_setzero_si256()), _mm256_set1_epi16(most));
}
static inline vector_t vector_multiply(vector_t a, vector_t b) { return _mm256_mullo_epi16(a, b); }
static inline sums_t sums_zero(void) { return _mm256_setzero_si256(); }
static inline sums_t sums_add_products(sums_t sums, vector_t a, vector_t b)
{
    return _mm256_add_epi32(sums, _mm256_madd_epi16(a, b));
}
static inline uint64_t vector_changes(const uint8_t *a, const uint8_t *b)
{
    uint64_t same = 0;
    for (unsigned i = 0; i < SQUARE_COUNT; i += 32) {
        const __m256i one = _mm256_loadu_si256((const void *)(a + i));
        const __m256i other = _mm256_loadu_si256((const void *)(b + i));
        same |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(one, other)) << i;
    }
    return ~same;
}

#elif defined(__SSE2__) && !defined(ROOKERY_VECTOR_PLAIN)

#include <emmintrin.h>
#define VECTOR_NAME "SSE2"
enum { VECTOR_LANES = 8 };
typedef __m128i vector_t;
typedef __m128i sums_t;
static inline vector_t vector_load(const int16_t *from)
{
    return _mm_load_si128((const void *)from);
}
static inline void vector_store(int16_t *to, vector_t v) { _mm_store_si128((void *)to, v); }
static inline vector_t vector_add(vector_t a, vector_t b) { return _mm_add_epi16(a, b); }
static inline vector_t vector_subtract(vector_t a, vector_t b) { return _mm_sub_epi16(a, b); }
static inline vector_t vector_clamp(vector_t v, int16_t most)
{
    return _mm_min_epi16(_mm_max_epi16(v, _mm_setzero_si128()), _mm_set1_epi16(most));
}
static inline vector_t vector_multiply(vector_t a, vector_t b) { return _mm_mullo_epi16(a, b); }
static inline sums_t sums_zero(void) { return _mm_setzero_si128(); }
static inline sums_t sums_add_products(sums_t sums, vector_t a, vector_t b)
{
    return _mm_add_epi32(sums, _mm_madd_epi16(a, b));
}
static inline uint64_t vector_changes(const uint8_t *a, const uint8_t *b)
{
    uint64_t same = 0;
    for (unsigned i = 0; i < SQUARE_COUNT; i += 16) {
        const __m128i one = _mm_loadu_si128((const void *)(a + i));
        const __m128i other = _mm_loadu_si128((const void *)(b + i));
        same |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(one, other)) << i;
    }
    return ~same;
}

#elif defined(__ARM_NEON) && defined(__aarch64__) && !defined(ROOKERY_VECTOR_PLAIN)

#include <arm_neon.h>
#define VECTOR_NAME "NEON"
enum { VECTOR_LANES = 8 };
typedef int16x8_t vector_t;
typedef int32x4_t sums_t;
static inline vector_t vector_load(const int16_t *from) { return vld1q_s16(from); }
static inline void vector_store(int16_t *to, vector_t v) { vst1q_s16(to, v); }
static inline vector_t vector_add(vector_t a, vector_t b) { return vaddq_s16(a, b); }
static inline vector_t vector_subtract(vector_t a, vector_t b) { return vsubq_s16(a, b); }
static inline vector_t vector_clamp(vector_t v, int16_t most)
{
    return vminq_s16(vmaxq_s16(v, vdupq_n_s16(0)), vdupq_n_s16(most));
}
static inline vector_t vector_multiply(vector_t a, vector_t b) { return vmulq_s16(a, b); }
static inline sums_t sums_zero(void) { return vdupq_n_s32(0); }
static inline sums_t sums_add_products(sums_t sums, vector_t a, vector_t b)
{
    return vmlal_high_s16(vmlal_s16(sums, vget_low_s16(a), vget_low_s16(b)), a, b);
}
static inline int64_t sums_total(sums_t sums) { return vaddlvq_s32(sums); }
#define VECTOR_BYTES_ONE_BY_ONE

#else

#define VECTOR_NAME "plain"
enum { VECTOR_LANES = 1 };
typedef int16_t vector_t;
typedef int64_t sums_t;
static inline vector_t vector_load(const int16_t *from) { return *from; }
static inline void vector_store(int16_t *to, vector_t v) { *to = v; }
static inline vector_t vector_add(vector_t a, vector_t b) { return (int16_t)(a + b); }
static inline vector_t vector_subtract(vector_t a, vector_t b) { return (int16_t)(a - b); }
static inline vector_t vector_clamp(vector_t v, int16_t most)
{
    if (v < 0)
        return 0;
    return v < most ? v : most;
}
static inline vector_t vector_multiply(vector_t a, vector_t b) { return (int16_t)(a * b); }
static inline sums_t sums_zero(void) { return 0; }
static inline sums_t sums_add_products(sums_t sums, vector_t a, vector_t b) { return sums + a * b; }
static inline int64_t sums_total(sums_t sums) { return sums; }
#define VECTOR_BYTES_ONE_BY_ONE

#endif

#if defined(__SSE2__) && !defined(ROOKERY_VECTOR_PLAIN)

/* All lanes. Down to four of them the sum stays in 32 bits (engine/kernels.h), then no longer. */
static inline int64_t sums_total(sums_t sums)
{
#if defined(__AVX512BW__)
    const __m256i eight =
        _mm256_add_epi32(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
    const __m128i four =
        _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
#elif defined(__AVX2__)
    const __m128i four =
        _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
#else
    const __m128i four = sums;
#endif
    int32_t lanes[4];
    memcpy(lanes, &four, sizeof lanes);
    return ((int64_t)lanes[0] + lanes[1]) + ((int64_t)lanes[2] + lanes[3]);
}

#endif

#ifdef VECTOR_BYTES_ONE_BY_ONE

/* Bit n: byte n of the one board is not that of the other. Boards are SQUARE_COUNT bytes. */
static inline uint64_t vector_changes(const uint8_t *a, const uint8_t *b)
{
    uint64_t changes = 0;
    for (unsigned rank = 0; rank < SQUARE_COUNT; rank += 8) {
        if (memcmp(a + rank, b + rank, 8) == 0)
            continue;
        for (unsigned i = rank; i < rank + 8; i++)
            changes |= (uint64_t)(a[i] != b[i]) << i;
    }
    return changes;
}

#endif
#endif
