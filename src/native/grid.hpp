// Places of performances on the grid of the Tile, in floats; each operation is the one of the NumPy twin.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace rankscape {

// Who is at a rank, along one row. The odds U/S (inverted: S/U) are selected, not sorted: most cells look only at those
// between the odds of two performances that bracketed the rank in the cell before.
class RankRow {
  public:
    RankRow(const double* mass, const std::int64_t* sizes, std::size_t n, std::int64_t rank, bool inverted,
            std::int64_t m, double rounding)
        : mass_(mass), sizes_(sizes), n_(n), rank_(rank), inverted_(inverted), m_(m), rounding_(rounding), tn_(n), tp_(n),
          loss_(n), odds_(n), near_(n) {
        alike_ = std::all_of(sizes, sizes + n, [](std::int64_t size) { return size == 1; });
        for (std::size_t k = 0; k < n; ++k) {
            tn_[k] = mass[4 * k];
            tp_[k] = mass[4 * k + 3];
        }
    }

    void row(std::int64_t i, std::int64_t* at, bool* close) {
        const double left = static_cast<double>(m_ - i), right = static_cast<double>(i);
        for (std::size_t k = 0; k < n_; ++k) loss_[k] = left * mass_[4 * k + 1] + right * mass_[4 * k + 2];
        bracketed_ = false;
        for (std::int64_t j = 0; j <= m_; ++j) cell(j, at[j], close[j]);
    }

  private:
    struct Item {
        double odds;
        std::uint32_t index;
    };
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    const double* mass_;
    const std::int64_t* sizes_;
    std::size_t n_;
    std::int64_t rank_;
    bool inverted_;
    std::int64_t m_;
    double rounding_;
    bool alike_;  // each performance stands for one entity
    std::vector<double> tn_, tp_, loss_, odds_;
    std::vector<Item> near_;
    std::vector<std::uint32_t> equal_;
    bool bracketed_ = false;
    std::int64_t lower_ = -1, upper_ = -1;  // performances that bracketed the rank, −1 for none

    std::int64_t size(const Item& item) const { return alike_ ? 1 : sizes_[item.index]; }

    void cell(std::int64_t j, std::int64_t& at, bool& close) {
        const double left = static_cast<double>(m_ - j), right = static_cast<double>(j);
        double* odds = odds_.data();
        if (inverted_)
            for (std::size_t k = 0; k < n_; ++k) odds[k] = (left * tn_[k] + right * tp_[k]) / loss_[k];
        else
            for (std::size_t k = 0; k < n_; ++k) odds[k] = loss_[k] / (left * tn_[k] + right * tp_[k]);

        at = -1;
        close = false;
        double low = -infinity, high = infinity;
        if (bracketed_) {
            low = lower_ < 0 ? -infinity : odds[lower_];
            high = upper_ < 0 ? infinity : odds[upper_];
            if (high < low) std::swap(low, high);
            if (!(low <= high)) low = -infinity, high = infinity;
        }
        std::size_t count = 0;
        std::int64_t below = gather(low, high, count);
        std::int64_t inside = weight(count);
        if (rank_ <= below || rank_ > below + inside) {
            if (low == -infinity && high == infinity) return;
            low = -infinity, high = infinity;
            below = gather(low, high, count);
            inside = weight(count);
            if (rank_ > below + inside) return;
        }
        const std::size_t place = select(count, rank_ - below);
        const double chosen = near_[place].odds;
        bracket(count, place, low, high);

        const double margin = std::isfinite(chosen) ? rounding_ * std::abs(chosen) : 0;
        if ((low > -infinity && !(chosen - low > 2 * margin)) || (high < infinity && !(high - chosen > 2 * margin)))
            below = gather(-infinity, infinity, count);
        std::size_t like = 0;
        equal_.clear();
        for (std::size_t k = 0; k < count; ++k) {
            const Item item = near_[k];
            if (item.odds < chosen) below += size(item);
            if (item.odds == chosen) equal_.push_back(item.index);
            like += item.odds == chosen || std::abs(item.odds - chosen) <= margin;
        }
        std::sort(equal_.begin(), equal_.end());
        for (std::uint32_t k : equal_) {
            below += sizes_[k];
            at = k;
            if (below >= rank_) break;
        }
        close = like > 1;
    }

    // Put those between low and high, both included, into near_; return the weight of those below.
    std::int64_t gather(double low, double high, std::size_t& count) {
        std::size_t found = 0;
        std::int64_t below = 0;
        Item* near = near_.data();
        for (std::size_t k = 0; k < n_; ++k) {
            const double odds = odds_[k];
            near[found] = {odds, static_cast<std::uint32_t>(k)};
            found += (odds >= low) & (odds <= high);
            if (alike_) below += odds < low;
            else if (odds < low) below += sizes_[k];
        }
        count = found;
        return below;
    }

    std::int64_t weight(std::size_t count) const {
        if (alike_) return static_cast<std::int64_t>(count);
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < count; ++k) sum += sizes_[near_[k].index];
        return sum;
    }

    void nth(std::size_t from, std::size_t place, std::size_t to) {
        const auto begin = near_.begin();
        std::nth_element(begin + from, begin + place, begin + to,
                         [](const Item& one, const Item& two) { return one.odds < two.odds; });
    }

    // Move the item at which the weights of the sorted items first reach `rank` to its place, and return the place.
    std::size_t select(std::size_t count, std::int64_t rank) {
        if (alike_) {
            nth(0, static_cast<std::size_t>(rank - 1), count);
            return static_cast<std::size_t>(rank - 1);
        }
        std::size_t from = 0, to = count;
        while (to - from > 1) {
            const std::size_t middle = from + (to - from) / 2;
            nth(from, middle, to);
            std::int64_t before = 0;
            for (std::size_t k = from; k < middle; ++k) before += size(near_[k]);
            if (rank <= before) {
                to = middle;
            } else {
                rank -= before;
                from = middle;
            }
        }
        return from;
    }

    // Remember two performances some places before and after the one at the rank; near_, which holds all between low
    // and high, is partitioned there.
    void bracket(std::size_t count, std::size_t place, double low, double high) {
        const std::size_t reach = 16 + n_ / 16;
        lower_ = upper_ = -1;
        if (place >= reach) {
            nth(0, place - reach, place);
            lower_ = near_[place - reach].index;
        } else if (low > -infinity) {
            lower_ = std::min_element(near_.begin(), near_.begin() + place + 1, smaller)->index;
        }
        if (place + reach < count) {
            nth(place + 1, place + reach, count);
            upper_ = near_[place + reach].index;
        } else if (high < infinity) {
            upper_ = std::max_element(near_.begin() + place, near_.begin() + count, smaller)->index;
        }
        bracketed_ = true;
    }

    static bool smaller(const Item& one, const Item& two) { return one.odds < two.odds; }
};

}  // namespace rankscape
