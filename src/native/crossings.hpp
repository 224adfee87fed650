// Lines (left + t·right)/scale with whole coefficients: their order at a place, and where two of them cross.
// Floats are sorted; what rounding may have swapped is compared by cross products: on 128 and 256 bits where coefficients
// are below 2^62, else on as many limbs as it takes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "inversions.hpp"
#include "limbs.hpp"
#include "packed_sort.hpp"

namespace rankscape {

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
    Difference(const std::uint64_t* p, const std::uint64_t* q)
        : x(static_cast<__int128>(p[0]) * q[2] - static_cast<__int128>(q[0]) * p[2]),
          y(static_cast<__int128>(p[1]) * q[2] - static_cast<__int128>(q[1]) * p[2]) {}
};

inline int sign_of(__int128 value) { return (value > 0) - (value < 0); }

inline Wide magnitude(__int128 value) { return value < 0 ? -static_cast<Wide>(value) : static_cast<Wide>(value); }

// Lines with coefficients below 2^62 (n, 3), compared just after (before) the place up/down, both below 2^127.
class ShortLines {
  public:
    ShortLines(const std::uint64_t* integers, Wide up, Wide down, bool after)
        : integers_(integers), up_(up), down_(down), after_(after) {}

    // Whether the first line is below the second; equal ones go by number.
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

  private:
    const std::uint64_t* integers_;
    Wide up_, down_;
    bool after_;
};

// What two lines of several limbs a number (3, limbs) differ by: magnitudes and signs.
struct LongDifference {
    Limbs x, y, other;
    int x_sign = 0, y_sign = 0;

    void operator()(const std::uint64_t* p, const std::uint64_t* q, std::size_t limbs) {
        const std::uint64_t *p_scale = p + 2 * limbs, *q_scale = q + 2 * limbs;
        multiply(p, limbs, q_scale, limbs, x);
        multiply(q, limbs, p_scale, limbs, other);
        x_sign = subtract(x, other);
        multiply(p + limbs, limbs, q_scale, limbs, y);
        multiply(q + limbs, limbs, p_scale, limbs, other);
        y_sign = subtract(y, other);
    }
};

// Lines with coefficients of several limbs (n, 3, limbs), at a place whose two numbers have as many limbs as each other.
class LongLines {
  public:
    LongLines(const std::uint64_t* integers, std::size_t limbs, const std::uint64_t* up, const std::uint64_t* down,
              std::size_t place_limbs, bool after)
        : integers_(integers), limbs_(limbs), up_(up, up + place_limbs), down_(down, down + place_limbs), after_(after) {
        for (std::size_t k = 0; k < place_limbs; ++k) {
            at_start_ = at_start_ && up[k] == 0;
            at_end_ = at_end_ && down[k] == 0;
        }
    }

    bool below(std::uint64_t first, std::uint64_t second) {
        d_(integers_ + 3 * limbs_ * first, integers_ + 3 * limbs_ * second, limbs_);
        int sign = 0;
        if (d_.x_sign * d_.y_sign >= 0) {
            sign = at_end_ ? 0 : d_.x_sign;
            if (sign == 0 && !at_start_) sign = d_.y_sign;
        } else {
            multiply(d_.x.data(), d_.x.size(), down_.data(), down_.size(), left_);
            multiply(d_.y.data(), d_.y.size(), up_.data(), up_.size(), right_);
            sign = d_.x_sign * compared(left_, right_);
        }
        if (sign == 0) sign = after_ ? d_.y_sign : d_.x_sign;
        return sign ? sign < 0 : first < second;
    }

  private:
    const std::uint64_t* integers_;
    std::size_t limbs_;
    Limbs up_, down_, left_, right_;
    bool after_, at_start_ = true, at_end_ = true;
    LongDifference d_;
};

// The order of lines by keys of which two closer than rounding_steps are compared by `lines`, exactly. The key is
// x + ratio·y where `small`, else ratio·x + y: x and y within seven roundings, one each of ratio, product and sum.
template <typename Lines>
void line_order(Lines lines, const double* x, const double* y, std::size_t n, double ratio, bool small, std::int64_t* out) {
    if (n == 0) return;
    std::vector<double> key(n);
    const double left = small ? 1.0 : ratio, right = small ? ratio : 1.0;
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (std::size_t k = 0; k < n; ++k) {
        key[k] = left * x[k] + right * y[k];
        if (key[k] > 0) low = std::min(low, key[k]);
        high = std::max(high, key[k]);
    }
    const std::uint64_t base = low <= high ? bits_of_double(low) - 1 : 0;
    const std::uint64_t top = low <= high ? bits_of_double(high) - base : 0;
    const int width = bits_of(top), index_bits = bits_of(n - 1);
    const int cut = std::max(0, width + index_bits - 64);
    const std::uint64_t near = (rounding_steps >> cut) + 1, mask = (std::uint64_t{1} << index_bits) - 1;
    std::vector<std::uint64_t> packed(n);
    for (std::size_t k = 0; k < n; ++k) {
        const std::uint64_t q = key[k] > 0 ? bits_of_double(key[k]) - base : 0;
        packed[k] = (q >> cut) << index_bits | k;
    }
    PackedSort()(packed.data(), n, width - cut + index_bits);
    for (std::size_t k = 1; k < n; ++k) {
        if ((packed[k] >> index_bits) - (packed[k - 1] >> index_bits) > near) continue;
        const std::size_t start = k - 1;
        bool ordered = true;
        for (; k < n && (packed[k] >> index_bits) - (packed[k - 1] >> index_bits) <= near; ++k)
            ordered = ordered && !lines.below(packed[k] & mask, packed[k - 1] & mask);
        if (!ordered)
            std::sort(packed.begin() + static_cast<std::ptrdiff_t>(start), packed.begin() + static_cast<std::ptrdiff_t>(k),
                      [&](std::uint64_t one, std::uint64_t two) { return lines.below(one & mask, two & mask); });
    }
    for (std::size_t k = 0; k < n; ++k) out[k] = static_cast<std::int64_t>(packed[k] & mask);
}

// Where lines cross: |Δx|/|Δy|, correctly rounded.
inline double crossing_place(const std::uint64_t* p, const std::uint64_t* q) {
    const Difference d(p, q);
    return d.y ? rounded(magnitude(d.x), magnitude(d.y)) : std::numeric_limits<double>::infinity();
}

// The same of lines of several limbs; NaN where leading bits do not tell which of two floats is nearer.
//
// With 126 bits of the upper number, t, and 64 of the lower one, b, each too small by less than one, the quotient of the
// integers, t/b < 2^63, is off by less than three: one for its own rounding, t/b · 1/b ≤ 1 for the lower number, and less
// than one for the upper. Where numbers so near round to one float, that is it; else 126 bits decide, from both sides.
inline double crossing_place(const LongDifference& d) {
    const Leading top = leading(d.x), bottom = leading(d.y);
    if (bottom.bits == 0) return std::numeric_limits<double>::infinity();
    if (top.bits == 0) return 0;
    const int up = 126 - width_of(top.bits), down = 64 - width_of(bottom.bits);
    const Wide quotient = (top.bits << up) / (down < 0 ? bottom.bits >> -down : bottom.bits << down);
    const auto middle = static_cast<std::uint64_t>(quotient);
    double low = static_cast<double>(middle - 3), high = static_cast<double>(middle + 3);
    int shift = top.shift - bottom.shift - up + down;
    if (low != high) {
        low = rounded(top.bits, bottom.bits + !bottom.whole), high = rounded(top.bits + !top.whole, bottom.bits);
        shift = top.shift - bottom.shift;
    }
    const double place = std::ldexp(low, shift);
    return low == high && std::isnormal(place) ? place : std::numeric_limits<double>::quiet_NaN();
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
