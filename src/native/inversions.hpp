// Inversions of a sequence of small integers by digits of eight bits, from the top, each as 16 x 16 counters.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace rankscape {

using Row = std::array<std::uint16_t, 16>;

// MASK[q][t] = 1 where t < q: added to counters, it counts for every smaller digit one element more that was larger.
inline const std::array<Row, 16> MASK = [] {
    std::array<Row, 16> mask{};
    for (int q = 0; q < 16; ++q)
        for (int t = 0; t < q; ++t) mask[q][t] = 1;
    return mask;
}();

inline void add(Row& counters, const Row& mask) {
    for (int t = 0; t < 16; ++t) counters[t] = static_cast<std::uint16_t>(counters[t] + mask[t]);
}

constexpr std::size_t SMALL = 48;

// From place SMALL - j on: j ones, then zeros.
inline const std::array<std::uint8_t, 2 * SMALL> BEFORE = [] {
    std::array<std::uint8_t, 2 * SMALL> ones{};
    for (std::size_t i = 0; i < SMALL; ++i) ones[i] = 1;
    return ones;
}();

// Scratch space of one thread.
struct Inversions {
    std::vector<std::uint32_t> first, second;

    // Pairs i < j with values[i] > values[j]; the values are below 2**bits.
    std::uint64_t operator()(const std::uint32_t* values, std::size_t n, int bits) {
        first.assign(values, values + n);
        second.resize(n);
        return count(first.data(), second.data(), n, bits);
    }

  private:
    static std::uint64_t brute(const std::uint32_t* v, std::size_t n, int bits) {
        std::uint64_t total = 0;
        if (bits <= 7) {  // bytes, sixteen at a time; those from j on are masked out
            std::int8_t small[SMALL] = {};
            for (std::size_t i = 0; i < n; ++i) small[i] = static_cast<std::int8_t>(v[i]);
            for (std::size_t j = 1; j < n; ++j) {
                const std::int8_t value = small[j];
                const std::uint8_t* before = BEFORE.data() + SMALL - j;
                std::uint8_t larger = 0;
                for (std::size_t i = 0; i < SMALL; ++i)
                    larger = static_cast<std::uint8_t>(larger + ((small[i] > value) & before[i]));
                total += larger;
            }
            return total;
        }
        for (std::size_t j = 1; j < n; ++j) {
            std::uint32_t larger = 0;
            for (std::size_t i = 0; i < j; ++i) larger += v[i] > v[j];
            total += larger;
        }
        return total;
    }

    static std::uint64_t count(std::uint32_t* v, std::uint32_t* other, std::size_t n, int bits) {
        if (n <= SMALL) return brute(v, n, bits);
        const int shift = std::max(bits - 8, 0);
        const std::uint32_t keep = shift == 0 ? 0 : (1u << shift) - 1u;
        Row hi{};
        std::array<Row, 16> lo{};
        std::array<std::uint64_t, 16> big_hi{};
        std::array<std::array<std::uint64_t, 16>, 16> big_lo{};
        std::array<std::uint32_t, 257> start{};
        for (std::size_t i = 0; i < n; ++i) ++start[((v[i] >> shift) & 255u) + 1];
        for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
        std::array<std::uint32_t, 256> place;
        std::copy_n(start.begin(), 256, place.begin());
        std::uint64_t total = 0;
        for (std::size_t from = 0; from < n; from += 65535) {
            const std::size_t to = std::min(n, from + 65535);
            for (std::size_t i = from; i < to; ++i) {
                const std::uint32_t d = (v[i] >> shift) & 255u, q = d >> 4, r = d & 15u;
                total += std::uint64_t(hi[q]) + lo[q][r];
                if (from > 0) total += big_hi[q] + big_lo[q][r];
                add(hi, MASK[q]);
                add(lo[q], MASK[r]);
                other[place[d]++] = v[i] & keep;
            }
            if (to == n) break;
            for (int q = 0; q < 16; ++q) {  // fold, before sixteen bits overflow
                big_hi[q] += hi[q];
                for (int r = 0; r < 16; ++r) big_lo[q][r] += lo[q][r];
                lo[q].fill(0);
            }
            hi.fill(0);
        }
        if (shift > 0)
            for (int d = 0; d < 256; ++d)
                if (start[d + 1] - start[d] > 1)
                    total += count(other + start[d], v + start[d], start[d + 1] - start[d], shift);
        return total;
    }
};

}  // namespace rankscape
