// The kernels that Python sees; their NumPy twins are in rankscape/kernels/reference.py.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <stdexcept>

#include "correlation.hpp"
#include "crossings.hpp"
#include "first.hpp"
#include "grid.hpp"
#include "inversions.hpp"
#include "threads.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <typename T, std::size_t rank>
using In = nb::ndarray<const T, nb::ndim<rank>, nb::c_contig, nb::device::cpu>;

template <typename T, std::size_t rank>
using Out = nb::ndarray<T, nb::ndim<rank>, nb::c_contig, nb::device::cpu>;

std::int64_t inversions(In<std::int64_t, 1> values) {
    const std::size_t n = values.shape(0);
    const std::int64_t* data = values.data();
    nb::gil_scoped_release released;
    std::int64_t all = 0;
    for (std::size_t k = 0; k < n; ++k) all |= data[k];
    if (all < 0 || all > 0xffffffffLL) throw std::invalid_argument("ranks must lie between 0 and 2^32 - 1");
    std::vector<std::uint32_t> copy(data, data + n);
    return rankscape::InversionCounter().count(copy.data(), n, rankscape::bits_of(static_cast<std::uint64_t>(all)));
}

// Rows start … stop − 1 of the map: shared, own and other counts, into out (3, stop − start, resolution). The levels do
// not decrease; everything is ≥ 0.
void correlation_rows(In<double, 2> mass, In<std::uint64_t, 3> integers, In<std::int64_t, 1> levels,
                      std::int64_t resolution, std::int64_t start, std::int64_t stop, int threads, bool spearman,
                      Out<std::int64_t, 3> out) {
    const std::size_t n = levels.shape(0), limbs = integers.shape(2);
    const auto rows = static_cast<std::size_t>(stop - start), columns = static_cast<std::size_t>(resolution);
    if (mass.shape(0) != n || mass.shape(1) != 4 || integers.shape(0) != n || integers.shape(1) != 4 || limbs < 1 ||
        resolution < 2 || start < 0 || stop < start || stop > resolution || out.shape(0) != 3 || out.shape(1) != rows ||
        out.shape(2) != columns || n > (1u << 21))
        throw std::invalid_argument(
            "arrays of shapes (n, 4), (n, 4, limbs), (n,) and (3, rows, resolution) are expected, n <= 2^21");
    const rankscape::Ranked ranked{mass.data(), integers.data(), limbs, levels.data(), n, resolution - 1};
    std::int64_t* to = out.data();
    nb::gil_scoped_release released;
    for (std::size_t k = 0; k < n; ++k) {
        rankscape::Wide sum = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            const double value = ranked.mass[4 * k + c];
            if (!(value == 0 || (value > 1e-150 && value < 1e150)))
                throw std::invalid_argument("masses must be 0, or lie between 1e-150 and 1e150");
            sum += ranked.integers[(4 * k + c) * limbs];
        }
        if (limbs == 1 && sum * static_cast<rankscape::Wide>(ranked.m) >> 63)
            throw std::invalid_argument("the sum of a row of one limb, times the number of steps, must be below 2^63");
        if (ranked.levels[k] < (k ? ranked.levels[k - 1] : 0) || ranked.levels[k] >= static_cast<std::int64_t>(n))
            throw std::invalid_argument("levels must not decrease, and lie between 0 and n - 1");
    }
    rankscape::in_threads(rows, threads, [&] {
        return [&, worker = rankscape::CorrelationRow(ranked, spearman),
                line = std::vector<rankscape::Counts>(columns)](std::size_t row) mutable {
            worker.row(start + static_cast<std::int64_t>(row), line.data());
            for (std::size_t j = 0; j < columns; ++j) {
                to[row * columns + j] = line[j].shared;
                to[(rows + row) * columns + j] = line[j].own;
                to[(2 * rows + row) * columns + j] = line[j].other;
            }
        };
    });
}

// Who is at a rank in the rows start … stop − 1: places in at, −1 for nobody; close where another one is within rounding.
void rank_rows(In<double, 2> mass, In<std::int64_t, 1> sizes, std::int64_t rank, bool inverted, std::int64_t resolution,
               double rounding, std::int64_t start, std::int64_t stop, int threads, Out<std::int64_t, 2> at,
               Out<bool, 2> close) {
    const std::size_t n = sizes.shape(0);
    const auto rows = static_cast<std::size_t>(stop - start), columns = static_cast<std::size_t>(resolution);
    if (mass.shape(0) != n || mass.shape(1) != 4 || resolution < 2 || start < 0 || stop < start || stop > resolution ||
        at.shape(0) != rows || at.shape(1) != columns || close.shape(0) != rows || close.shape(1) != columns ||
        n >> 32 || rank < 1)
        throw std::invalid_argument("arrays of shapes (n, 4), (n,), (rows, resolution) and a rank from 1 are expected");
    const double* measures = mass.data();
    const std::int64_t* weights = sizes.data();
    std::int64_t* places = at.data();
    bool* flags = close.data();
    nb::gil_scoped_release released;
    rankscape::in_threads(rows, threads, [&] {
        return [&, worker = rankscape::RankRow(measures, weights, n, rank, inverted, resolution - 1, rounding)](
                   std::size_t row) mutable {
            worker.row(start + static_cast<std::int64_t>(row), places + row * columns, flags + row * columns);
        };
    });
}

// In how many of the draws (draws, n, 4) each is first in the rows start … stop − 1, shared by those that tie, into out (n, rows, resolution).
template <typename T>
void first_rows(In<T, 3> draws, std::int64_t resolution, double rounding, std::int64_t start, std::int64_t stop,
                int threads, Out<double, 3> out) {
    const std::size_t count = draws.shape(0), n = draws.shape(1);
    const auto rows = static_cast<std::size_t>(stop - start), columns = static_cast<std::size_t>(resolution);
    if (draws.shape(2) != 4 || resolution < 2 || start < 0 || stop < start || stop > resolution || out.shape(0) != n ||
        out.shape(1) != rows || out.shape(2) != columns || n >> 32 || count >> 31)
        throw std::invalid_argument("arrays of shapes (draws, n, 4) and (n, rows, resolution) are expected");
    const T* data = draws.data();
    double* to = out.data();
    nb::gil_scoped_release released;
    std::fill(to, to + n * rows * columns, 0.0);
    rankscape::Contenders contenders;
    rankscape::DrawContenders<T> finder(n, rounding);
    for (std::size_t d = 0; d < count; ++d) finder.add(data + 4 * n * d, contenders);
    rankscape::in_threads(rows, threads, [&] {
        return [&, worker = rankscape::FirstRow<T>(data, n, resolution - 1, rounding, contenders)](std::size_t row) mutable {
            worker.row(start + static_cast<std::int64_t>(row), to + row * columns, rows * columns);
        };
    });
}

// Whether numbers of one limb are below 2^62, so that 128 and 256 bits hold what is compared.
bool are_short(const std::uint64_t* numbers, std::size_t count, std::size_t limbs) {
    return limbs == 1 && std::all_of(numbers, numbers + count, [](std::uint64_t number) { return number >> 62 == 0; });
}

// The order of the lines (n, 3, limbs) at a place (2, limbs), up and down.
void line_order(In<std::uint64_t, 3> integers, In<double, 1> x, In<double, 1> y, double ratio, bool small,
                In<std::uint64_t, 2> place, bool after, Out<std::int64_t, 1> out) {
    const std::size_t n = x.shape(0), limbs = integers.shape(2), wide = place.shape(1);
    if (integers.shape(0) != n || integers.shape(1) != 3 || limbs < 1 || y.shape(0) != n || out.shape(0) != n || n >> 32 ||
        place.shape(0) != 2 || wide < 1)
        throw std::invalid_argument("arrays of shapes (n, 3, limbs), (n,), (n,), (n,) and (2, limbs) are expected");
    const std::uint64_t *lines = integers.data(), *up = place.data(), *down = up + wide;
    const double *left = x.data(), *right = y.data();
    std::int64_t* to = out.data();
    nb::gil_scoped_release released;
    if (wide <= 2 && !(wide == 2 && (up[1] >> 63 || down[1] >> 63)) && are_short(lines, 3 * n, limbs)) {
        const auto whole = [wide](const std::uint64_t* number) {
            return static_cast<rankscape::Wide>(wide == 2 ? number[1] : 0) << 64 | number[0];
        };
        rankscape::line_order(rankscape::ShortLines(lines, whole(up), whole(down), after), left, right, n, ratio, small, to);
    } else {
        rankscape::line_order(rankscape::LongLines(lines, limbs, up, down, wide, after), left, right, n, ratio, small, to);
    }
}

// Where the lines i and j (of n, 3, limbs) cross, for each pair; NaN where that many bits do not decide.
void crossing_places(In<std::uint64_t, 3> integers, In<std::int64_t, 1> i, In<std::int64_t, 1> j, Out<double, 1> out) {
    const std::size_t count = out.shape(0), n = integers.shape(0), limbs = integers.shape(2);
    if (integers.shape(1) != 3 || limbs < 1 || i.shape(0) != count || j.shape(0) != count)
        throw std::invalid_argument("arrays of shapes (n, 3, limbs), (k,), (k,) and (k,) are expected");
    const std::uint64_t* lines = integers.data();
    const std::int64_t *first = i.data(), *second = j.data();
    double* to = out.data();
    nb::gil_scoped_release released;
    const bool brief = are_short(lines, 3 * n, limbs);
    rankscape::LongDifference difference;
    for (std::size_t k = 0; k < count; ++k) {
        const auto one = static_cast<std::size_t>(first[k]), two = static_cast<std::size_t>(second[k]);  // below 0: huge
        if (one >= n || two >= n) throw std::out_of_range("no such line");
        const std::uint64_t *p = lines + 3 * limbs * one, *q = lines + 3 * limbs * two;
        if (!brief) difference(p, q, limbs);
        to[k] = brief ? rankscape::crossing_place(p, q) : rankscape::crossing_place(difference);
    }
}

// The inversions of a permutation; the outputs must have as many places as there are.
void inverted_pairs(In<std::int64_t, 1> values, Out<std::int64_t, 1> larger, Out<std::int64_t, 1> smaller) {
    if (larger.shape(0) != smaller.shape(0)) throw std::invalid_argument("outputs of equal length are expected");
    const std::int64_t* numbers = values.data();
    const std::size_t n = values.shape(0), count = larger.shape(0);
    std::int64_t *one = larger.data(), *two = smaller.data();
    nb::gil_scoped_release released;
    if (!rankscape::inverted_pairs(numbers, n, count, one, two))
        throw std::invalid_argument("the outputs have another length than there are inversions");
}

}  // namespace

NB_MODULE(_native, module) {
    module.doc() = "Compiled twins of the kernels.";
    module.def("inversions", &inversions, "values"_a);
    module.def("correlation_rows", &correlation_rows, "mass"_a, "integers"_a, "levels"_a, "resolution"_a, "start"_a, "stop"_a,
               "threads"_a, "spearman"_a, "out"_a.noconvert());
    module.def("rank_rows", &rank_rows, "mass"_a, "sizes"_a, "rank"_a, "inverted"_a, "resolution"_a, "rounding"_a,
               "start"_a, "stop"_a, "threads"_a, "at"_a.noconvert(), "close"_a.noconvert());
    module.def("first_rows", &first_rows<double>, "draws"_a, "resolution"_a, "rounding"_a, "start"_a, "stop"_a, "threads"_a,
               "out"_a.noconvert());
    module.def("first_rows_of_counts", &first_rows<std::int64_t>, "draws"_a, "resolution"_a, "rounding"_a, "start"_a,
               "stop"_a, "threads"_a, "out"_a.noconvert());
    module.def("line_order", &line_order, "integers"_a, "x"_a, "y"_a, "ratio"_a, "small"_a, "place"_a, "after"_a,
               "out"_a.noconvert());
    module.def("crossing_places", &crossing_places, "integers"_a, "i"_a, "j"_a, "out"_a.noconvert());
    module.def("inverted_pairs", &inverted_pairs, "values"_a, "larger"_a.noconvert(), "smaller"_a.noconvert());
}
