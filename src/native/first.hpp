// Who is first in each of many draws, along one row of the Tile; each operation is the one of the NumPy twin.
//
// With S = (m−j)·tn + j·tp and U = (m−i)·fp + i·fn, R orders as S/U = (m−j)·(tn/U) + j·(tp/U): no division per place.
// Who is beaten at all four corners is beaten everywhere (the difference is bilinear), so few are left in each draw.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace rankscape {

// Those of each draw who may be first somewhere: draw d has members[starts[d]] … members[starts[d + 1] − 1].
struct Contenders {
    std::vector<std::uint32_t> members;
    std::vector<std::size_t> starts{0};
};

template <typename T>
class DrawContenders {
  public:
    DrawContenders(std::size_t n, double rounding) : n_(n), wider_(1 + rounding), corners_(4 * n) {}

    void add(const T* draw, Contenders& out) {
        static constexpr double places[5][2] = {{.5, .5}, {.1, .1}, {.1, .9}, {.9, .1}, {.9, .9}};
        for (std::size_t k = 0; k < n_; ++k) {
            const T* p = draw + 4 * k;
            for (std::size_t c = 0; c < 4; ++c)
                corners_[4 * k + c] = static_cast<double>(p[c & 2 ? 3 : 0]) / static_cast<double>(p[c & 1 ? 2 : 1]);
        }
        std::size_t strong[5];
        for (std::size_t s = 0; s < 5; ++s) {
            const double a = places[s][0], b = places[s][1];
            double best = -1;
            strong[s] = 0;
            for (std::size_t k = 0; k < n_; ++k) {
                const T* p = draw + 4 * k;
                const double gain = (1 - a) * static_cast<double>(p[0]) + a * static_cast<double>(p[3]);
                const double odds = gain / ((1 - b) * static_cast<double>(p[1]) + b * static_cast<double>(p[2]));
                if (odds > best) best = odds, strong[s] = k;
            }
        }
        for (std::size_t k = 0; k < n_; ++k) {
            bool beaten = false;
            for (std::size_t s = 0; s < 5 && !beaten; ++s) {
                beaten = true;
                for (std::size_t c = 0; c < 4; ++c)
                    beaten = beaten && corners_[4 * strong[s] + c] > corners_[4 * k + c] * wider_;
            }
            if (!beaten) out.members.push_back(static_cast<std::uint32_t>(k));
        }
        out.starts.push_back(out.members.size());
    }

  private:
    std::size_t n_;
    double wider_;
    std::vector<double> corners_;  // S/U at (0, 0), (0, 1), (1, 0), (1, 1); NaN where undefined
};

constexpr double TINY = 0x1p-900, SCALE = 0x1p200;

template <typename T>
class FirstRow {
  public:
    FirstRow(const T* draws, std::size_t n, std::int64_t m, double rounding, const Contenders& contenders)
        : draws_(draws), n_(n), m_(m), wider_(1 + rounding), near_(std::is_integral_v<T> ? 1 - rounding : 1), contenders_(contenders),
          columns_(static_cast<std::size_t>(m) + 1), left_(columns_), right_(columns_), best_(columns_), alike_(columns_),
          keys_(n * columns_), lines_(n) {
        for (std::size_t j = 0; j < columns_; ++j) {
            left_[j] = static_cast<double>(m_ - static_cast<std::int64_t>(j));
            right_[j] = static_cast<double>(j);
        }
    }

    // Add the draws in which each is first, shared by those that tie, to out[k·stride + j].
    void row(std::int64_t i, double* out, std::size_t stride) {
        for (std::size_t d = 0; d + 1 < contenders_.starts.size(); ++d) draw(d, i, out, stride);
    }

  private:
    struct Line {  // S/U along the row: from (m·)u to (m·)v
        std::uint32_t member;
        T loss;
        double u, v;
    };

    const T* draws_;
    std::size_t n_;
    std::int64_t m_;
    double wider_;
    double near_;  // keys above this share of the best are compared exactly; of floats only equal ones tie
    const Contenders& contenders_;
    std::size_t columns_;
    std::vector<double> left_, right_;  // m − j and j
    std::vector<double> best_;
    std::vector<double> alike_;  // how many are at the best, then the share of each
    std::vector<double> keys_;
    std::vector<Line> lines_;

    T gain(const T* p, std::size_t j) const {
        return static_cast<T>(m_ - static_cast<std::int64_t>(j)) * p[0] + static_cast<T>(j) * p[3];
    }

    void draw(std::size_t d, std::int64_t i, double* out, std::size_t stride) {
        const std::uint32_t* members = contenders_.members.data() + contenders_.starts[d];
        const std::size_t count = contenders_.starts[d + 1] - contenders_.starts[d], columns = columns_;
        const T* rows = draws_ + 4 * n_ * d;
        double* best = best_.data();
        for (std::size_t j = 0; j < columns; ++j) best[j] = -1;
        std::size_t kept = 0;
        double strong_u = 0, strong_v = 0;
        for (std::size_t c = 0; c < count; ++c) {
            const T* p = rows + 4 * members[c];
            Line& line = lines_[c];
            line.member = members[c];
            line.loss = static_cast<T>(m_ - i) * p[1] + static_cast<T>(i) * p[2];
            if (!(line.loss > 0)) continue;
            const double loss = static_cast<double>(line.loss);
            line.u = static_cast<double>(p[0]) / loss;
            line.v = static_cast<double>(p[3]) / loss;
            if (line.u + line.v > strong_u + strong_v) strong_u = line.u, strong_v = line.v;
        }
        for (std::size_t c = 0; c < count; ++c)  // lines below another one at both ends are so between them
            if (!(lines_[c].loss > 0 && lines_[c].u * wider_ < strong_u && lines_[c].v * wider_ < strong_v))
                lines_[kept++] = lines_[c];
        for (std::size_t c = 0; c < kept; ++c) {
            const T* p = rows + 4 * lines_[c].member;
            double* key = keys_.data() + c * columns;
            if (lines_[c].loss > 0) {
                const double u = lines_[c].u, v = lines_[c].v;
                const double *left = left_.data(), *right = right_.data();
                for (std::size_t j = 0; j < columns; ++j) key[j] = left[j] * u + right[j] * v;
                if (!std::isfinite(u) || !std::isfinite(v)) {  // overflow: 0·∞ would be NaN
                    const double loss = static_cast<double>(lines_[c].loss);
                    for (std::size_t j = 0; j < columns; ++j) key[j] = static_cast<double>(gain(p, j)) / loss;
                }
            } else {  // R = 1, or undefined
                for (std::size_t j = 0; j < columns; ++j)
                    key[j] = gain(p, j) > 0 ? std::numeric_limits<double>::infinity() : -1;
            }
            for (std::size_t j = 0; j < columns; ++j) best[j] = key[j] > best[j] ? key[j] : best[j];
        }
        if constexpr (std::is_floating_point_v<T>)
            for (std::size_t j = 0; j < columns; ++j)
                if (std::isinf(best[j]) || (best[j] >= 0 && best[j] < TINY)) rescale(rows, kept, j);
        for (std::size_t j = 0; j < columns; ++j) best[j] = best[j] < 0 ? 1 : best[j] * near_;  // nobody is near −1
        std::fill(alike_.begin(), alike_.end(), 0.0);
        for (std::size_t c = 0; c < kept; ++c) {
            const double* key = keys_.data() + c * columns;
            for (std::size_t j = 0; j < columns; ++j) alike_[j] += key[j] >= best[j] ? 1.0 : 0.0;
        }
        for (std::size_t j = 0; j < columns; ++j) alike_[j] = alike_[j] > 1 ? 1 / alike_[j] : 1;
        for (std::size_t c = 0; c < kept; ++c) {
            const double* key = keys_.data() + c * columns;
            double* to = out + lines_[c].member * stride;
            for (std::size_t j = 0; j < columns; ++j) to[j] += key[j] >= best[j] ? alike_[j] : 0.0;
        }
        if constexpr (std::is_integral_v<T>)
            for (std::size_t j = 0; j < columns; ++j)
                if (alike_[j] < 1) settle(rows, kept, j, out, stride);
    }

    // Divide again where the best quotient overflows, or has lost digits, so that these make no ties.
    void rescale(const T* rows, std::size_t count, std::size_t j) {
        const bool large = std::isinf(best_[j]);
        best_[j] = -1;
        for (std::size_t c = 0; c < count; ++c) {
            double& key = keys_[c * columns_ + j];
            const double s = static_cast<double>(gain(rows + 4 * lines_[c].member, j)), u = static_cast<double>(lines_[c].loss);
            if (u > 0) key = large ? s / (u * SCALE) : s * SCALE / u;
            best_[j] = key > best_[j] ? key : best_[j];
        }
    }

    // Of those near the best only those that equal it share the draw, decided on 128 bits.
    void settle(const T* rows, std::size_t count, std::size_t j, double* out, std::size_t stride) {
        std::size_t top = count;
        double equal = 0;
        for (std::size_t c = 0; c < count; ++c)
            if (keys_[c * columns_ + j] >= best_[j] && (top == count || compared(rows, lines_[c], lines_[top], j) > 0)) top = c;
        for (std::size_t c = 0; c < count; ++c)
            if (keys_[c * columns_ + j] >= best_[j] && compared(rows, lines_[c], lines_[top], j) == 0) ++equal;
        for (std::size_t c = 0; c < count; ++c)
            if (keys_[c * columns_ + j] >= best_[j])
                out[lines_[c].member * stride + j] += (compared(rows, lines_[c], lines_[top], j) == 0 ? 1 / equal : 0.0) - alike_[j];
    }

    int compared(const T* rows, const Line& one, const Line& two, std::size_t j) const {
        const auto s = static_cast<unsigned __int128>(gain(rows + 4 * one.member, j));
        const auto t = static_cast<unsigned __int128>(gain(rows + 4 * two.member, j));
        const auto left = s * static_cast<std::uint64_t>(two.loss), right = t * static_cast<std::uint64_t>(one.loss);
        if (one.loss == 0 && two.loss == 0) return 0;  // both are 1
        return (left > right) - (left < right);
    }
};

}  // namespace rankscape
