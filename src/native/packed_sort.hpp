// Floats sorted by their bits, packed with the place that they come from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace rankscape {

// Ten roundings make a key at most, so two keys that are out of order differ by 20 · 2⁻⁵³ relatively: at most twenty steps
// of the representation. This is half as many again.
constexpr std::uint64_t rounding_steps = 32;

inline std::uint64_t bits_of_double(double value) {
    std::uint64_t out;
    std::memcpy(&out, &value, sizeof out);
    return out;
}

class PackedSort {
  public:
    // Sort the first n packed numbers, all < 2^width: two digits from the top, then insertion.
    void operator()(std::uint64_t* packed, std::size_t n, int width) {
        if (sorted_.size() < n) sorted_.resize(n);
        const int digit = n <= 16384 ? 8 : 11;
        const std::uint64_t mask = (std::uint64_t{1} << digit) - 1;
        const int lower = std::max(0, width - 2 * digit), upper = lower + digit;
        histogram_.assign(2 << digit, 0);
        std::uint32_t* first = histogram_.data();
        std::uint32_t* second = first + (std::size_t{1} << digit);
        std::uint64_t* sorted = sorted_.data();
        for (std::size_t k = 0; k < n; ++k) {
            ++first[packed[k] >> lower & mask];
            ++second[packed[k] >> upper & mask];
        }
        std::uint32_t before = 0, before2 = 0;
        for (std::size_t d = 0; d <= mask; ++d) {
            before += std::exchange(first[d], before);
            before2 += std::exchange(second[d], before2);
        }
        for (std::size_t k = 0; k < n; ++k) sorted[first[packed[k] >> lower & mask]++] = packed[k];
        for (std::size_t k = 0; k < n; ++k) packed[second[sorted[k] >> upper & mask]++] = sorted[k];
        for (std::size_t k = 1; k < n; ++k) {
            const std::uint64_t value = packed[k];
            if (packed[k - 1] <= value) continue;
            std::size_t place = k;
            const std::size_t stop = k > 24 ? k - 24 : 0;
            while (place > stop && packed[place - 1] > value) {
                packed[place] = packed[place - 1];
                --place;
            }
            packed[place] = value;
            if (place == stop && place > 0 && packed[place - 1] > value) {
                std::size_t from = place, to = k + 1;  // many share both digits
                while (from > 0 && packed[from - 1] >> lower == value >> lower) --from;
                while (to < n && packed[to] >> lower == value >> lower) ++to;
                std::sort(packed + from, packed + to);
                k = to - 1;
            }
        }
    }

  private:
    std::vector<std::uint64_t> sorted_;
    std::vector<std::uint32_t> histogram_;
};

}  // namespace rankscape
