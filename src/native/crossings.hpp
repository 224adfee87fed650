// Lines (left + t·right)/scale with integer coefficients below 2^62: their order at a place, and where two of them cross.
// Floats are sorted; what rounding may have swapped is compared by cross products on 128 and 256 bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "inversions.hpp"
#include "packed_sort.hpp"

namespace rankscape {

using Wide = unsigned __int128;

struct Product {  // of two numbers of 128 bits
    Wide high, low;
};

inline Product product(Wide one, Wide two) {
    constexpr Wide mask = ~std::uint64_t{0};
    const Wide a = one >> 64, b = one & mask, c = two >> 64, d = two & mask;
    const Wide low = b * d, left = a * d, right = b * c;
    const Wide middle = (low >> 64) + (left & mask) + (right & mask);
    return {a * c + (left >> 64) + (right >> 64) + (middle >> 64), (middle << 64) | (low & mask)};
}

inline int compared(const Product& one, const Product& two) {
    if (one.high != two.high) return one.high > two.high ? 1 : -1;
    return (one.low > two.low) - (one.low < two.low);
}

// The correctly rounded quotient of two positive numbers below 2^126.
inline double rounded(Wide top, Wide bottom) {
    constexpr Wide exact = Wide{1} << 53;
    if (top <= exact && bottom <= exact) return static_cast<double>(top) / static_cast<double>(bottom);
    int exponent = 0;
    Wide quotient = top / bottom, rest = top % bottom;
    while (quotient >> 63) {  // so many bits are not needed: what is shifted out stays in the last one
        rest |= static_cast<Wide>((quotient & 1) != 0);
        quotient >>= 1;
        ++exponent;
    }
    if (exponent == 0)
        while (!(quotient >> 55)) {
            rest <<= 1;
            quotient <<= 1;
            if (rest >= bottom) {
                rest -= bottom;
                quotient |= 1;
            }
            --exponent;
        }
    const auto digits = static_cast<std::uint64_t>(quotient) | static_cast<std::uint64_t>(rest != 0);
    return std::ldexp(static_cast<double>(digits), exponent);
}

// What two lines differ by, x and y, times the same positive number.
struct Difference {
    __int128 x, y;
    Difference(const std::int64_t* p, const std::int64_t* q)
        : x(static_cast<__int128>(p[0]) * q[2] - static_cast<__int128>(q[0]) * p[2]),
          y(static_cast<__int128>(p[1]) * q[2] - static_cast<__int128>(q[1]) * p[2]) {}
};

inline int sign_of(__int128 value) { return (value > 0) - (value < 0); }

inline Wide magnitude(__int128 value) { return value < 0 ? -static_cast<Wide>(value) : static_cast<Wide>(value); }

class LineOrder {
  public:
    LineOrder(const std::int64_t* integers, const double* x, const double* y, std::size_t n)
        : integers_(integers), x_(x), y_(y), n_(n) {}

    // The place is up/down; the key is x + ratio·y where `small`, else ratio·x + y.
    void order(double ratio, bool small, Wide up, Wide down, bool after, std::int64_t* out) {
        if (n_ == 0) return;
        up_ = up, down_ = down, after_ = after;
        std::vector<double> key(n_);
        const double left = small ? 1.0 : ratio, right = small ? ratio : 1.0;
        double low = std::numeric_limits<double>::infinity(), high = 0;
        for (std::size_t k = 0; k < n_; ++k) {
            key[k] = left * x_[k] + right * y_[k];
            if (key[k] > 0) low = std::min(low, key[k]);
            high = std::max(high, key[k]);
        }
        const std::uint64_t base = low <= high ? bits_of_double(low) - 1 : 0;
        const std::uint64_t top = low <= high ? bits_of_double(high) - base : 0;
        const int width = bits_of(top), index_bits = bits_of(n_ - 1);
        const int cut = std::max(0, width + index_bits - 64);
        const std::uint64_t near = (rounding_steps >> cut) + 1, mask = (std::uint64_t{1} << index_bits) - 1;
        packed_.resize(n_);
        for (std::size_t k = 0; k < n_; ++k) {
            const std::uint64_t q = key[k] > 0 ? bits_of_double(key[k]) - base : 0;
            packed_[k] = (q >> cut) << index_bits | k;
        }
        sort_(packed_.data(), n_, width - cut + index_bits);
        for (std::size_t k = 1; k < n_; ++k) {
            if ((packed_[k] >> index_bits) - (packed_[k - 1] >> index_bits) > near) continue;
            const std::size_t start = k - 1;
            bool ordered = true;
            for (; k < n_ && (packed_[k] >> index_bits) - (packed_[k - 1] >> index_bits) <= near; ++k)
                ordered = ordered && !below(packed_[k] & mask, packed_[k - 1] & mask);
            if (!ordered)
                std::sort(packed_.begin() + static_cast<std::ptrdiff_t>(start),
                          packed_.begin() + static_cast<std::ptrdiff_t>(k),
                          [&](std::uint64_t one, std::uint64_t two) { return below(one & mask, two & mask); });
        }
        for (std::size_t k = 0; k < n_; ++k) out[k] = static_cast<std::int64_t>(packed_[k] & mask);
    }

  private:
    const std::int64_t* integers_;
    const double *x_, *y_;
    std::size_t n_;
    Wide up_ = 0, down_ = 1;
    bool after_ = true;
    std::vector<std::uint64_t> packed_;
    PackedSort sort_;

    // Whether the first line is below the second just after (before) the place; equal ones go by number.
    bool below(std::uint64_t first, std::uint64_t second) const {
        const Difference d(integers_ + 3 * first, integers_ + 3 * second);
        int sign = 0;
        if (sign_of(d.x) * sign_of(d.y) >= 0) {
            sign = down_ != 0 ? sign_of(d.x) : 0;
            if (sign == 0 && up_ != 0) sign = sign_of(d.y);
        } else {
            sign = sign_of(d.x) * compared(product(magnitude(d.x), down_), product(magnitude(d.y), up_));
        }
        if (sign == 0) sign = sign_of(after_ ? d.y : d.x);
        return sign ? sign < 0 : first < second;
    }
};

// Where lines cross: |Δx|/|Δy|, correctly rounded.
inline double crossing_place(const std::int64_t* p, const std::int64_t* q) {
    const Difference d(p, q);
    return d.y ? rounded(magnitude(d.x), magnitude(d.y)) : std::numeric_limits<double>::infinity();
}

// All inversions of a permutation, by insertion: no more than `count`, which must be their number.
inline bool inverted_pairs(const std::int64_t* values, std::size_t n, std::size_t count, std::int64_t* larger,
                           std::int64_t* smaller) {
    std::vector<std::int64_t> sorted;
    sorted.reserve(n);
    std::size_t found = 0;
    for (std::size_t k = 0; k < n; ++k) {
        const std::int64_t value = values[k];
        std::size_t place = sorted.size();
        sorted.push_back(value);
        for (; place > 0 && sorted[place - 1] > value; --place) {
            if (found == count) return false;
            larger[found] = sorted[place - 1];
            smaller[found++] = value;
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = value;
    }
    return found == count;
}

}  // namespace rankscape
