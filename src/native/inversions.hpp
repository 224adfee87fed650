// Inversions of a sequence of small integers, by digits from the top: pairs that a digit tells apart are counted in
// 16 × 16 counters of 16 bits, and short sequences of short numbers are compared pair by pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace rankscape {

constexpr int digit_bits = 8;
constexpr int brute_bits = 6;
constexpr std::size_t brute_size = 96;  // a multiple of 16, at most 240: the 8-bit counters must hold it
constexpr std::size_t fold_after = 32767;

// Sixteen counters of 16 bits: how many of the numbers 0..15 seen so far are larger than t, for each t.
#ifdef __SSE2__
struct Sixteen {
    __m128i left, right;
};

struct Table {
    alignas(16) std::int16_t below[16][16];  // below[q][t] = 1 where t < q
    alignas(16) std::int16_t one[16][16];    // one[q][t] = 1 where t = q
    constexpr Table() : below(), one() {
        for (int q = 0; q < 16; ++q)
            for (int t = 0; t < 16; ++t) {
                below[q][t] = t < q;
                one[q][t] = t == q;
            }
    }
};
inline constexpr Table table{};

// Sums what the counters say, four at a time: each sum takes fold_after terms below 2^15.
class Reader {
  public:
    void add(const Sixteen& counters, std::uint32_t q) {
        const __m128i* one = reinterpret_cast<const __m128i*>(table.one[q]);
        sum_ = _mm_add_epi32(sum_, _mm_madd_epi16(counters.left, _mm_load_si128(one)));
        sum_ = _mm_add_epi32(sum_, _mm_madd_epi16(counters.right, _mm_load_si128(one + 1)));
    }
    std::uint64_t total() const {
        alignas(16) std::uint32_t lanes[4];
        _mm_store_si128(reinterpret_cast<__m128i*>(lanes), sum_);
        return std::uint64_t{lanes[0]} + lanes[1] + lanes[2] + lanes[3];
    }

  private:
    __m128i sum_ = _mm_setzero_si128();
};

inline void see(Sixteen& counters, std::uint32_t q) {
    const __m128i* below = reinterpret_cast<const __m128i*>(table.below[q]);
    counters.left = _mm_add_epi16(counters.left, _mm_load_si128(below));
    counters.right = _mm_add_epi16(counters.right, _mm_load_si128(below + 1));
}

inline std::uint64_t larger(const Sixteen& counters, std::uint32_t q) {
    Reader reader;
    reader.add(counters, q);
    return reader.total();
}
#else
struct Sixteen {
    std::uint16_t counts[16];
};

class Reader {
  public:
    void add(const Sixteen& counters, std::uint32_t q) { sum_ += counters.counts[q]; }
    std::uint64_t total() const { return sum_; }

  private:
    std::uint64_t sum_ = 0;
};

inline void see(Sixteen& counters, std::uint32_t q) {
    for (std::uint32_t t = 0; t < 16; ++t) counters.counts[t] = static_cast<std::uint16_t>(counters.counts[t] + (t < q));
}

inline std::uint64_t larger(const Sixteen& counters, std::uint32_t q) { return counters.counts[q]; }
#endif

// How many of 16 numbers are larger than v, added up in 16 counters of 8 bits.
#ifdef __SSE2__
class Bytes {
  public:
    void compare(const std::int8_t* numbers, std::int8_t v) { subtract(numbers, _mm_set1_epi8(-1), v); }
    void compare_first(const std::int8_t* numbers, std::size_t count, std::int8_t v) {
        subtract(numbers, _mm_loadu_si128(reinterpret_cast<const __m128i*>(window + 16 - count)), v);
    }
    std::int64_t total() const {
        const __m128i sums = _mm_sad_epu8(counts_, _mm_setzero_si128());
        return _mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4);
    }

  private:
    static constexpr std::int8_t window[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    __m128i counts_ = _mm_setzero_si128();

    void subtract(const std::int8_t* numbers, __m128i mask, std::int8_t v) {
        const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(numbers));
        counts_ = _mm_sub_epi8(counts_, _mm_and_si128(mask, _mm_cmpgt_epi8(all, _mm_set1_epi8(v))));
    }
};
#else
class Bytes {
  public:
    void compare(const std::int8_t* numbers, std::int8_t v) { compare_first(numbers, 16, v); }
    void compare_first(const std::int8_t* numbers, std::size_t count, std::int8_t v) {
        for (std::size_t k = 0; k < count; ++k) total_ += numbers[k] > v;
    }
    std::int64_t total() const { return total_; }

  private:
    std::int64_t total_ = 0;
};
#endif

// Inversions of numbers below 64, each at most once: the larger ones seen so far are bits to the left. −1 where a number
// occurs twice.
#if defined(__GNUC__) && defined(__x86_64__)
#define RANKSCAPE_COUNTS_BITS 1
inline bool counts_bits() {
    static const bool able = __builtin_cpu_supports("popcnt");
    return able;
}
__attribute__((target("popcnt")))
#elif defined(__GNUC__)
#define RANKSCAPE_COUNTS_BITS 1
inline bool counts_bits() { return true; }
#endif
#ifdef RANKSCAPE_COUNTS_BITS
inline std::int64_t inversions_by_bits(const std::uint32_t* values, std::size_t n) {
    std::uint64_t seen = 0, twice = 0;
    std::int64_t total = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint32_t v = values[k] & 63;
        total += __builtin_popcountll((seen >> v) >> 1);
        twice |= (seen >> v) & 1;
        seen |= std::uint64_t{1} << v;
    }
    return twice ? -1 : total;
}
#else
inline bool counts_bits() { return false; }
inline std::int64_t inversions_by_bits(const std::uint32_t*, std::size_t) { return -1; }
#endif

class InversionCounter {
  public:
    // Pairs i < j with values[i] > values[j]; all values < 2^bits. Destroys the values.
    std::int64_t count(std::uint32_t* values, std::size_t n, int bits) {
        if (other_.size() < n) other_.resize(n);
        return recurse(values, other_.data(), n, bits);
    }

  private:
    std::vector<std::uint32_t> other_;

    static std::int64_t brute(const std::uint32_t* values, std::size_t n) {
        if (n <= 64 && counts_bits()) {
            const std::int64_t found = inversions_by_bits(values, n);
            if (found >= 0) return found;
        }
        alignas(16) std::int8_t all[brute_size] = {};
        for (std::size_t k = 0; k < n; ++k) all[k] = static_cast<std::int8_t>(values[k] & 63);
        std::int64_t total = 0;
        for (std::size_t begin = 0; begin < n; begin += 16) {
            Bytes greater;
            const std::size_t size = n - begin < 16 ? n - begin : 16;
            for (std::size_t j = 0; j < size; ++j) {
                const std::int8_t v = all[begin + j];
                for (std::size_t start = 0; start < begin; start += 16) greater.compare(all + start, v);
                greater.compare_first(all + begin, j, v);
            }
            total += greater.total();
        }
        return total;
    }

    std::int64_t recurse(std::uint32_t* values, std::uint32_t* other, std::size_t n, int bits) {
        if (n < 2 || bits <= 0) return 0;
        if (bits <= brute_bits && n <= brute_size) return brute(values, n);
        int digit = digit_bits;
        if (bits <= digit_bits) digit = bits;
        else if (bits - brute_bits < digit_bits) digit = bits - brute_bits;
        const int shift = bits - digit;
        const std::size_t count = std::size_t{1} << digit;

        std::size_t start[257] = {};
        if (shift > 0) {
            const std::uint32_t mask = static_cast<std::uint32_t>(count - 1);
            for (std::size_t k = 0; k < n; ++k) ++start[((values[k] >> shift) & mask) + 1];
            for (std::size_t d = 0; d < count; ++d) start[d + 1] += start[d];
        }
        std::int64_t total = 0;
        if (digit <= 4 && n <= fold_after)
            total = shift > 0 ? short_pass<true>(values, other, n, shift, count, start)
                              : short_pass<false>(values, other, n, shift, count, start);
        else
            total = shift > 0 ? pass<true>(values, other, n, shift, count, start)
                              : pass<false>(values, other, n, shift, count, start);
        if (shift == 0) return total;
        // pass() has moved start[d] to the end of bucket d
        std::size_t from = 0;
        for (std::size_t d = 0; d < count; ++d) {
            total += recurse(other + from, values + from, start[d] - from, shift);
            from = start[d];
        }
        return total;
    }

    // The same for digits of at most four bits of few numbers: the counters stay in registers.
    template <bool scatter>
    static std::int64_t short_pass(const std::uint32_t* values, std::uint32_t* other, std::size_t n, int shift,
                                   std::size_t count, std::size_t* start) {
        const std::uint32_t mask = static_cast<std::uint32_t>(count - 1);
        Sixteen counters{};
        Reader reader;
        for (std::size_t k = 0; k < n; ++k) {
            const std::uint32_t v = values[k];
            const std::uint32_t d = (v >> shift) & mask;
            reader.add(counters, d);
            see(counters, d);
            if (scatter) other[start[d]++] = v;
        }
        return static_cast<std::int64_t>(reader.total());
    }

    template <bool scatter>
    static std::int64_t pass(const std::uint32_t* values, std::uint32_t* other, std::size_t n, int shift,
                             std::size_t count, std::size_t* start) {
        std::uint64_t folded[256] = {};  // how many of the earlier blocks have a larger digit
        const std::uint32_t mask = static_cast<std::uint32_t>(count - 1);
        std::uint64_t total = 0;
        for (std::size_t begin = 0; begin < n; begin += fold_after) {
            const std::size_t stop = n < begin + fold_after ? n : begin + fold_after;
            const bool first = begin == 0;
            Sixteen high{}, low[16] = {};
            Reader reader;
            for (std::size_t k = begin; k < stop; ++k) {
                const std::uint32_t v = values[k];
                const std::uint32_t d = (v >> shift) & mask;
                const std::uint32_t q = d >> 4, r = d & 15;
                Sixteen row = low[q];
                reader.add(high, q);
                reader.add(row, r);
                if (!first) total += folded[d];
                see(high, q);
                see(row, r);
                low[q] = row;
                if (scatter) other[start[d]++] = v;
            }
            total += reader.total();
            if (stop < n)
                for (std::uint32_t d = 0; d < count; ++d) folded[d] += larger(high, d >> 4) + larger(low[d >> 4], d & 15);
        }
        return static_cast<std::int64_t>(total);
    }
};

inline int bits_of(std::uint64_t largest) {
    int bits = 0;
    while (largest >> bits && bits < 64) ++bits;
    return bits;
}

}  // namespace rankscape
