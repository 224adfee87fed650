// The hot loops on plain arrays; each has a twin in numpy, which is its oracle and its stand-in.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "inversions.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using rankscape::Inversions;

using Measures = nb::ndarray<const std::int64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Integers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Masses = nb::ndarray<const double, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Cube = nb::ndarray<double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

namespace {

constexpr double NAN_ = std::numeric_limits<double>::quiet_NaN();

// Call work(first, last) for pieces of 0..n, one per thread.
template <class Work>
void in_threads(std::size_t n, int threads, Work work) {
    const std::size_t many = std::max<std::size_t>(1, std::min<std::size_t>(threads, n));
    std::vector<std::thread> running;
    for (std::size_t t = 1; t < many; ++t) running.emplace_back(work, n * t / many, n * (t + 1) / many);
    work(0, n / many);
    for (auto& thread : running) thread.join();
}

std::uint64_t pairs(std::uint64_t n) { return n * (n - (n > 0)) / 2; }

// Kendall's tau-b of levels against R in one row of the Tile, all columns.
class TauRow {
  public:
    TauRow(const Measures& measures, const Integers& levels, std::int64_t m)
        : p_(measures.data()), n_(levels.shape(0)), m_(m), tn_(n_), tp_(n_), loss_(n_), ko_(n_), level_(n_), key_(n_),
          swap_(n_), x_(n_) {
        for (std::size_t k = 0; k < n_; ++k) {
            level_[k] = static_cast<std::uint32_t>(levels.data()[k]);
            tn_[k] = static_cast<double>(p_[4 * k]);
            tp_[k] = static_cast<double>(p_[4 * k + 3]);
        }
        const std::uint32_t top = *std::max_element(level_.begin(), level_.end());
        for (bits_ = 1; bits_ < 32 && (top >> bits_) != 0; ++bits_) {}
        count_.assign(std::size_t(top) + 1, 0);
        all_x_ties_ = ties(level_.data(), n_);
    }

    // Row i, for columns j = 0..m; the performances are sorted by level.
    void operator()(std::int64_t i, double* out) {
        for (std::size_t k = 0; k < n_; ++k) {
            ko_[k] = (m_ - i) * p_[4 * k + 1] + i * p_[4 * k + 2];
            loss_[k] = static_cast<double>(ko_[k]);
        }
        for (std::int64_t j = 0; j <= m_; ++j) out[j] = cell(j);
    }

  private:
    std::int64_t ok(std::size_t k, std::int64_t j) const { return (m_ - j) * p_[4 * k] + j * p_[4 * k + 3]; }

    double cell(std::int64_t j) {
        const double left = static_cast<double>(m_ - j), right = static_cast<double>(j);
        std::size_t n = 0;
        for (std::size_t k = 0; k < n_; ++k) {  // R as 32 bits, then the index: unequal by a unit, it may still be equal
            const double gain = left * tn_[k] + right * tp_[k], sum = gain + loss_[k];
            key_[n] = (static_cast<std::uint64_t>(gain / (sum > 0 ? sum : 1) * 4294967295.0) << 32) | k;
            n += sum > 0;
        }
        if (n < 2) return NAN_;
        sort(n);
        std::uint64_t y_ties = 0, both = 0;
        for (std::size_t start = 0; start < n;) {
            std::size_t end = start + 1;
            while (end < n && (key_[end] >> 32) - (key_[end - 1] >> 32) <= 1) ++end;
            if (end - start > 1) settle(start, end, j, y_ties, both);
            else x_[start] = level_[key_[start] & 0xffffffffu];
            start = end;
        }
        const std::uint64_t x_ties = n == n_ ? all_x_ties_ : ties(x_.data(), n);
        const std::uint64_t all = pairs(n), x_free = all - x_ties, y_free = all - y_ties;
        if (x_free == 0 || y_free == 0) return NAN_;
        const std::uint64_t discordant = inversions_(x_.data(), n, bits_);
        const auto concordant = static_cast<std::int64_t>(x_free - y_ties + both - discordant);
        return static_cast<double>(concordant - static_cast<std::int64_t>(discordant)) /
               (std::sqrt(static_cast<double>(x_free)) * std::sqrt(static_cast<double>(y_free)));
    }

    // Pairs of equal levels.
    std::uint64_t ties(const std::uint32_t* levels, std::size_t n) {
        std::uint64_t total = 0;
        for (std::size_t t = 0; t < n; ++t) total += count_[levels[t]]++;
        for (std::size_t t = 0; t < n; ++t) count_[levels[t]] = 0;
        return total;
    }

    // A run of keys that rounding may have confused is sorted exactly.
    void settle(std::size_t start, std::size_t end, std::int64_t j, std::uint64_t& y_ties, std::uint64_t& both) {
        run_.clear();
        for (std::size_t t = start; t < end; ++t) {
            const std::size_t k = key_[t] & 0xffffffffu;
            run_.push_back({ok(k, j), ko_[k], level_[k]});
        }
        const auto ahead = [](const Member& x, const Member& y) {
            return static_cast<__int128>(x.ok) * y.ko - static_cast<__int128>(y.ok) * x.ko;
        };
        std::sort(run_.begin(), run_.end(), [&](const Member& x, const Member& y) {
            const __int128 order = ahead(x, y);
            return order != 0 ? order < 0 : x.level < y.level;
        });
        std::uint64_t same = 0, same_level = 0;
        for (std::size_t t = 0; t < run_.size(); ++t) {
            const bool tied = t > 0 && ahead(run_[t - 1], run_[t]) == 0;
            same = tied ? same + 1 : 0;
            same_level = tied && run_[t - 1].level == run_[t].level ? same_level + 1 : 0;
            y_ties += same;
            both += same_level;
            x_[start + t] = run_[t].level;
        }
    }

    // Sort by the upper 32 bits, eleven at a time; the order of the indices is that of the data already.
    void sort(std::size_t n) {
        if (n < 256) {
            std::sort(key_.begin(), key_.begin() + static_cast<std::ptrdiff_t>(n));
            return;
        }
        std::uint32_t start[3][2048] = {};
        for (std::size_t t = 0; t < n; ++t)
            for (int pass = 0; pass < 3; ++pass) ++start[pass][(key_[t] >> (32 + 11 * pass)) & 2047u];
        for (auto& counts : start) {
            std::uint32_t sum = 0;
            for (auto& c : counts) {
                const std::uint32_t here = c;
                c = sum;
                sum += here;
            }
        }
        std::uint64_t *from = key_.data(), *to = swap_.data();
        for (int pass = 0; pass < 3; ++pass) {
            for (std::size_t t = 0; t < n; ++t) to[start[pass][(from[t] >> (32 + 11 * pass)) & 2047u]++] = from[t];
            std::swap(from, to);
        }
        key_.swap(swap_);  // after three passes the result is in the other one
    }

    struct Member {
        std::int64_t ok, ko;
        std::uint32_t level;
    };

    const std::int64_t* p_;
    std::size_t n_;
    std::int64_t m_;
    int bits_;
    std::uint64_t all_x_ties_;
    std::vector<double> tn_, tp_, loss_;
    std::vector<std::int64_t> ko_;
    std::vector<std::uint32_t> level_;
    std::vector<std::uint64_t> key_, swap_;
    std::vector<std::uint32_t> x_, count_;
    std::vector<Member> run_;
    Inversions inversions_;
};

// Rows first..last of the map; the performances are sorted by level, all levels are defined.
void tau_b_rows(const Measures& measures, const Integers& levels, std::int64_t m, std::int64_t first, const Out& out,
                int threads) {
    double* to = out.data();
    const std::size_t rows = out.shape(0), columns = out.shape(1);
    nb::gil_scoped_release release;
    in_threads(rows, threads, [&](std::size_t from, std::size_t until) {
        if (from == until) return;
        TauRow row(measures, levels, m);
        for (std::size_t t = from; t < until; ++t) row(first + static_cast<std::int64_t>(t), to + t * columns);
    });
}

std::uint64_t inversions(const Integers& values) {
    std::uint32_t top = 1;
    std::vector<std::uint32_t> small(values.shape(0));
    for (std::size_t i = 0; i < small.size(); ++i) {
        small[i] = static_cast<std::uint32_t>(values.data()[i]);
        top = std::max(top, small[i]);
    }
    int bits = 1;
    while ((std::uint64_t(1) << bits) <= top) ++bits;
    nb::gil_scoped_release release;
    return Inversions()(small.data(), small.size(), bits);
}

// R = S/(S + U) of every measure, S by column and U by row; NaN where both vanish.
void value_maps(const Masses& mass, const Floats& a, const Floats& b, const Cube& out, int threads) {
    const std::size_t columns = a.shape(0), rows = b.shape(0);
    const double *p = mass.data(), *at = a.data(), *bt = b.data();
    double* to = out.data();
    nb::gil_scoped_release release;
    in_threads(mass.shape(0) * rows, threads, [&](std::size_t from, std::size_t until) {
        std::vector<double> s(columns);
        std::size_t known = std::numeric_limits<std::size_t>::max();
        for (std::size_t t = from; t < until; ++t) {
            const std::size_t k = t / rows;
            const double* q = p + 4 * k;
            if (k != known) {
                for (std::size_t j = 0; j < columns; ++j) s[j] = (1 - at[j]) * q[0] + at[j] * q[3];
                known = k;
            }
            const double y = bt[t % rows], u = (1 - y) * q[1] + y * q[2];
            double* line = to + t * columns;
            for (std::size_t j = 0; j < columns; ++j) line[j] = s[j] / (s[j] + u);
        }
    });
}

}  // namespace

NB_MODULE(_native, module) {
    module.def("inversions", &inversions, "values"_a);
    module.def("tau_b_rows", &tau_b_rows, "measures"_a, "levels"_a, "m"_a, "first"_a, "out"_a, "threads"_a);
    module.def("value_maps", &value_maps, "mass"_a, "a"_a, "b"_a, "out"_a, "threads"_a);
}
