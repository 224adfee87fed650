// Whole numbers of several 64-bit limbs, the least first, for what floats cannot decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankscape {

using Wide = unsigned __int128;
using Limbs = std::vector<std::uint64_t>;

// out = one · two, of as many limbs as both have together.
inline void multiply(const std::uint64_t* one, std::size_t ones, const std::uint64_t* two, std::size_t twos, Limbs& out) {
    out.assign(ones + twos, 0);
    for (std::size_t i = 0; i < ones; ++i) {
        std::uint64_t carry = 0;
        for (std::size_t k = 0; k < twos; ++k) {
            const Wide sum = static_cast<Wide>(one[i]) * two[k] + out[i + k] + carry;
            out[i + k] = static_cast<std::uint64_t>(sum);
            carry = static_cast<std::uint64_t>(sum >> 64);
        }
        out[i + twos] = carry;
    }
}

// out = a · one + b · two, of one limb more than each of them has.
inline void weighted_sum(std::uint64_t a, const std::uint64_t* one, std::uint64_t b, const std::uint64_t* two,
                         std::size_t limbs, Limbs& out) {
    out.resize(limbs + 1);
    Wide carry = 0;
    for (std::size_t k = 0; k < limbs; ++k) {
        const Wide first = static_cast<Wide>(a) * one[k], second = static_cast<Wide>(b) * two[k];
        const Wide low = static_cast<Wide>(static_cast<std::uint64_t>(first)) + static_cast<std::uint64_t>(second) +
                         static_cast<std::uint64_t>(carry);
        out[k] = static_cast<std::uint64_t>(low);
        carry = (first >> 64) + (second >> 64) + (carry >> 64) + (low >> 64);
    }
    out[limbs] = static_cast<std::uint64_t>(carry);
}

// −1, 0, 1 as the first is smaller, equal, larger; both have as many limbs.
inline int compared(const Limbs& one, const Limbs& two) {
    for (std::size_t k = one.size(); k-- > 0;)
        if (one[k] != two[k]) return one[k] < two[k] ? -1 : 1;
    return 0;
}

// one becomes |one − two|, of as many limbs; the sign of the difference is returned.
inline int subtract(Limbs& one, const Limbs& two) {
    const int sign = compared(one, two);
    std::uint64_t borrow = 0;
    for (std::size_t k = 0; k < one.size(); ++k) {
        const std::uint64_t high = sign < 0 ? two[k] : one[k], low = sign < 0 ? one[k] : two[k];
        one[k] = high - low - borrow;
        borrow = high < low || (high == low && borrow);
    }
    return sign;
}

inline int width_of(Wide number) {
    const auto high = static_cast<std::uint64_t>(number >> 64), low = static_cast<std::uint64_t>(number);
    return high ? 128 - __builtin_clzll(high) : low ? 64 - __builtin_clzll(low) : 0;
}

// The first 126 bits of a number, or all of it: number = (bits + less than one) · 2^shift, and exactly bits where whole.
struct Leading {
    Wide bits;
    int shift;
    bool whole;
};

inline Leading leading(const Limbs& number) {
    std::size_t top = number.size();
    while (top > 0 && number[top - 1] == 0) --top;
    if (top == 0) return {0, 0, true};
    const int length = static_cast<int>(64 * (top - 1)) + width_of(number[top - 1]);
    const int shift = length > 126 ? length - 126 : 0;
    const auto skipped = static_cast<std::size_t>(shift / 64);
    const int rest = shift % 64;
    Wide bits = 0;
    for (std::size_t k = 3; k-- > 0;)  // 126 bits lie on three limbs at most; what is beyond the first two is shifted out
        if (skipped + k < top) {
            const int place = static_cast<int>(64 * k) - rest;
            const Wide limb = number[skipped + k];
            bits |= place >= 0 ? (place < 128 ? limb << place : Wide{0}) : limb >> -place;
        }
    bool whole = rest == 0 || !(number[skipped] & ((std::uint64_t{1} << rest) - 1));
    for (std::size_t k = 0; k < skipped && whole; ++k) whole = number[k] == 0;
    return {bits, shift, whole};
}

}  // namespace rankscape
