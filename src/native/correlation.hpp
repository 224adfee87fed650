// Correlation of one ranking X with the ranking by R_{a,b} at each place of a row of the Tile, in whole numbers.
//
// With S = (m−j)·tn + j·tp and U = (m−i)·fp + i·fn, R orders as S/U = (m−j)·(tn/U) + j·(tp/U): linear along a row. The
// floats S/U are sorted by their bits, packed with the place in X; neighbors that rounding may have swapped or told
// apart are compared by S₁·U₂ and S₂·U₁, exactly: on 128 bits, or on as many limbs as the integers need.
//
// How far a key is from S/U: each float is the integer but for one rounding; U is two products and a sum of them, tn/U a
// quotient, the key two products and a sum. No rounding is of a difference, so relative errors add up: 1 + 2 for U, 1 for
// the other integer, 1 for the quotient, 2 for product and sum; 7 roundings of 2⁻⁵³ each, fewer than the ten that
// rounding_steps allows for. Floats are 0, or so far from the smallest that nothing underflows (see Measures).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "inversions.hpp"
#include "limbs.hpp"
#include "packed_sort.hpp"

namespace rankscape {

struct Ranked {  // performances in the order of X
    const double* mass;            // (n, 4): tn, fp, fn, tp, rounded, up to a factor per row
    const std::uint64_t* integers; // (n, 4, limbs): the same, exactly; of one limb, sums times m are below 2^63
    std::size_t limbs;
    const std::int64_t* levels;    // (n,): equal where tied in X, never decreasing, from 0
    std::size_t n;
    std::int64_t m;  // resolution − 1
};

// Correlation = shared / √(own · other): for tau-b, concordant − discordant and the pairs not tied in X, in R; for rho,
// the sums of products of doubled, centered ranks.
struct Counts {
    std::int64_t shared, own, other;
};

class CorrelationRow {
  public:
    CorrelationRow(const Ranked& ranked, bool spearman)
        : x_(ranked), spearman_(spearman), u_(x_.n), v_(x_.n), key_(x_.n), packed_(x_.n), levels_(x_.n) {
        level_bits_ = x_.n ? bits_of(static_cast<std::uint64_t>(x_.levels[x_.n - 1])) : 0;
        index_bits_ = x_.n ? bits_of(x_.n - 1) : 0;
        if (spearman_) ranks_.resize(x_.n);
    }

    void row(std::int64_t i, Counts* out) {
        i_ = i;
        lossless_.clear();
        const double left = static_cast<double>(x_.m - i), right = static_cast<double>(i);
        for (std::size_t k = 0; k < x_.n; ++k) {
            const double* p = x_.mass + 4 * k;
            const double loss = left * p[1] + right * p[2];
            u_[k] = loss > 0 ? p[0] / loss : 0;
            v_[k] = loss > 0 ? p[3] / loss : 0;
            if (loss == 0) lossless_.push_back(static_cast<std::uint32_t>(k));
        }
        for (std::int64_t j = 0; j <= x_.m; ++j) out[j] = cell(j);
    }

  private:
    Ranked x_;
    bool spearman_;
    std::vector<double> u_, v_;
    std::int64_t i_ = 0;
    std::vector<double> key_;
    std::vector<std::uint64_t> packed_;
    PackedSort sort_;
    std::vector<std::uint32_t> levels_;
    std::vector<std::uint32_t> lossless_;   // those with U = 0
    std::vector<std::uint32_t> undefined_;  // those with S = U = 0
    std::vector<std::int64_t> ranks_;      // doubled and centered, of X
    InversionCounter inversions_;
    int level_bits_, index_bits_;

    const std::uint64_t* exact(std::uint64_t k, int cell) const { return x_.integers + (4 * k + cell) * x_.limbs; }

    std::uint64_t weighted(std::int64_t step, std::uint64_t k, int one, int two) const {
        return static_cast<std::uint64_t>(x_.m - step) * *exact(k, one) + static_cast<std::uint64_t>(step) * *exact(k, two);
    }

    // −1, 0, 1 as R of the first is smaller, equal, larger
    int compare(std::int64_t j, std::uint64_t first, std::uint64_t second) {
        if (x_.limbs == 1) {
            const Wide left = static_cast<Wide>(weighted(j, first, 0, 3)) * weighted(i_, second, 1, 2);
            const Wide right = static_cast<Wide>(weighted(j, second, 0, 3)) * weighted(i_, first, 1, 2);
            return (left > right) - (left < right);
        }
        cross(j, first, second, left_);
        cross(j, second, first, right_);
        return compared(left_, right_);
    }

    // S of the first times U of the second
    void cross(std::int64_t j, std::uint64_t first, std::uint64_t second, Limbs& out) {
        const auto steps = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
        weighted_sum(steps(x_.m - j), exact(first, 0), steps(j), exact(first, 3), x_.limbs, gain_);
        weighted_sum(steps(x_.m - i_), exact(second, 1), steps(i_), exact(second, 2), x_.limbs, loss_);
        multiply(gain_.data(), gain_.size(), loss_.data(), loss_.size(), out);
    }

    Limbs gain_, loss_, left_, right_;

    Counts cell(std::int64_t j) {
        const std::size_t n = x_.n;
        if (n < 2) return {0, 0, 0};
        const double left = static_cast<double>(x_.m - j), right = static_cast<double>(j);
        double* key = key_.data();
        for (std::size_t k = 0; k < n; ++k) key[k] = left * u_[k] + right * v_[k];
        const auto [low, high] = range();
        // 0 where S = 0, the largest where U = 0, the bits of the float between
        const std::uint64_t base = low <= high ? bits_of_double(low) - 1 : 0, top = low <= high ? bits_of_double(high) - base + 1 : 1;
        const int width = bits_of(top);
        const int cut = std::max(0, width + index_bits_ - 64);
        const std::uint64_t near = (rounding_steps >> cut) + 1;

        for (std::size_t k = 0; k < n; ++k) {
            const std::uint64_t q = key[k] > 0 ? bits_of_double(key[k]) - base : 0;
            packed_[k] = (q >> cut) << index_bits_ | k;
        }
        undefined_.clear();
        for (std::uint32_t k : lossless_) {
            packed_[k] = (top >> cut) << index_bits_ | k;
            if (left * x_.mass[4 * k] + right * x_.mass[4 * k + 3] == 0) undefined_.push_back(k);
        }
        const std::size_t count = n - undefined_.size();
        if (count < 2) return {0, 0, 0};
        for (std::size_t d = 0; d < undefined_.size(); ++d) {  // close the gaps, which ascend
            const std::size_t stop = d + 1 < undefined_.size() ? undefined_[d + 1] : n;
            for (std::size_t k = undefined_[d] + 1; k < stop; ++k) packed_[k - d - 1] = packed_[k];
        }
        sort_(packed_.data(), count, width - cut + index_bits_);
        return tally(j, count, near);
    }

    // Smallest and largest of the positive keys; the first is larger than the second where there are none.
    std::pair<double, double> range() const {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        double low[4] = {infinity, infinity, infinity, infinity}, high[4] = {0, 0, 0, 0};
        std::size_t k = 0;
        for (; k + 4 <= x_.n; k += 4)
            for (std::size_t t = 0; t < 4; ++t) {
                const double value = key_[k + t], positive = value > 0 ? value : infinity;
                low[t] = positive < low[t] ? positive : low[t];
                high[t] = value > high[t] ? value : high[t];
            }
        for (; k < x_.n; ++k) {
            if (key_[k] > 0) low[0] = std::min(low[0], key_[k]);
            high[0] = std::max(high[0], key_[k]);
        }
        return {*std::min_element(low, low + 4), *std::max_element(high, high + 4)};
    }

    Counts tally(std::int64_t j, std::size_t n, std::uint64_t near) {
        std::uint64_t* packed = packed_.data();
        const std::uint64_t mask = (std::uint64_t{1} << index_bits_) - 1;
        std::int64_t tied = 0, tied_in_both = 0;
        groups_.clear();
        for (std::size_t k = 1; k < n; ++k) {
            if ((packed[k] >> index_bits_) - (packed[k - 1] >> index_bits_) > near) continue;
            std::size_t stop = k + 1;
            while (stop < n && (packed[stop] >> index_bits_) - (packed[stop - 1] >> index_bits_) <= near) ++stop;
            repair(j, k - 1, stop);
            k = stop;
        }
        for (std::size_t k = 0; k < n; ++k) levels_[k] = static_cast<std::uint32_t>(x_.levels[packed[k] & mask]);
        for (const auto& [start, stop] : groups_) {
            tied += pairs(stop - start);
            for (std::size_t k = start, run = start; k < stop; ++k)
                if (k + 1 == stop || levels_[k + 1] != levels_[k]) {
                    tied_in_both += pairs(k + 1 - run);
                    run = k + 1;
                }
        }
        if (spearman_) return products(n);
        const std::int64_t all = pairs(n), own = all - tied_in_x(n);
        const std::int64_t discordant = inversions_.count(levels_.data(), n, level_bits_);
        const std::int64_t concordant = own - tied + tied_in_both - discordant;
        return {concordant - discordant, own, all - tied};
    }

    std::vector<std::pair<std::size_t, std::size_t>> groups_;  // of equal R, at least two

    // Order packed[start:stop], in which neighbors are close, exactly; note the groups of equal ones.
    void repair(std::int64_t j, std::size_t start, std::size_t stop) {
        std::uint64_t* packed = packed_.data();
        const std::uint64_t mask = (std::uint64_t{1} << index_bits_) - 1;
        bool ordered = true;
        steps_.assign(stop - start, 0);
        for (std::size_t k = start + 1; k < stop && ordered; ++k) {
            steps_[k - start] = compare(j, packed[k - 1] & mask, packed[k] & mask);
            ordered = steps_[k - start] <= 0;
        }
        if (!ordered) {
            std::sort(packed + start, packed + stop, [&](std::uint64_t one, std::uint64_t two) {
                const int sign = compare(j, one & mask, two & mask);
                return sign ? sign < 0 : (one & mask) < (two & mask);
            });
            for (std::size_t k = start + 1; k < stop; ++k)
                steps_[k - start] = compare(j, packed[k - 1] & mask, packed[k] & mask);
        }
        for (std::size_t from = start, k = start + 1; k <= stop; ++k) {
            if (k < stop && steps_[k - start] == 0) continue;
            if (k - from > 1) {
                const auto by_index = [mask](std::uint64_t one, std::uint64_t two) { return (one & mask) < (two & mask); };
                if (!std::is_sorted(packed + from, packed + k, by_index)) std::sort(packed + from, packed + k, by_index);
                groups_.emplace_back(from, k);
            }
            from = k;
        }
    }

    std::vector<int> steps_;

    static std::int64_t pairs(std::size_t n) { return static_cast<std::int64_t>(n) * (static_cast<std::int64_t>(n) - 1) / 2; }

    // Call f(start, stop) for the runs of equal X among those defined here, in the order of X.
    template <typename Run>
    void runs_of_x(std::size_t n, Run run) {
        const std::uint64_t mask = (std::uint64_t{1} << index_bits_) - 1;
        order_.resize(n);
        if (n == x_.n) {
            for (std::size_t k = 0; k < n; ++k) order_[k] = k;
        } else {
            for (std::size_t k = 0; k < n; ++k) order_[k] = packed_[k] & mask;
            std::sort(order_.begin(), order_.end());
        }
        for (std::size_t start = 0, k = 1; k <= n; ++k)
            if (k == n || x_.levels[order_[k]] != x_.levels[order_[start]]) {
                run(start, k);
                start = k;
            }
    }

    std::vector<std::size_t> order_;
    std::int64_t all_tied_in_x_ = -1;

    std::int64_t tied_in_x(std::size_t n) {
        if (n == x_.n && all_tied_in_x_ >= 0) return all_tied_in_x_;
        std::int64_t tied = 0;
        runs_of_x(n, [&](std::size_t start, std::size_t stop) { tied += pairs(stop - start); });
        if (n == x_.n) all_tied_in_x_ = tied;
        return tied;
    }

    Counts products(std::size_t n) {
        const std::uint64_t mask = (std::uint64_t{1} << index_bits_) - 1;
        const auto size = static_cast<std::int64_t>(n);
        Counts sums{0, 0, 0};
        runs_of_x(n, [&](std::size_t start, std::size_t stop) {
            const std::int64_t rank = static_cast<std::int64_t>(start + stop) - size;
            for (std::size_t k = start; k < stop; ++k) ranks_[order_[k]] = rank;
            sums.own += rank * rank * static_cast<std::int64_t>(stop - start);
        });
        const auto add = [&](std::size_t start, std::size_t stop) {
            const std::int64_t rank = static_cast<std::int64_t>(start + stop) - size;
            for (std::size_t k = start; k < stop; ++k) sums.shared += rank * ranks_[packed_[k] & mask];
            sums.other += rank * rank * static_cast<std::int64_t>(stop - start);
        };
        std::size_t k = 0;
        for (const auto& [start, stop] : groups_) {
            for (; k < start; ++k) add(k, k + 1);
            add(start, stop);
            k = stop;
        }
        for (; k < n; ++k) add(k, k + 1);
        return sums;
    }
};

}  // namespace rankscape
