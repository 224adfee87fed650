// Is a CSV file plain: nothing in it that two readers could read in two ways? And how many records does it hold?
#pragma once

#include <cstddef>
#include <cstdint>

namespace rankscape {

struct CsvShape {
    std::int64_t records = 0;      // the header among them
    bool returns = false;          // records end with \r\n, not \n
    bool ends_in_quotes = false;   // a quoted cell holds an end of line
    bool padded = false;           // a cell starts or ends with white space of ASCII
    bool plain = false;
};

// Plain: every record has as many cells as the first, ends alike and is not blank; a quotation mark opens a cell at its
// first byte, is doubled inside, and closes it at its last; no NUL, no record of `longest` bytes.
inline CsvShape plain_csv(const unsigned char* data, std::size_t n, unsigned char separator, std::size_t longest) {
    CsvShape shape;
    std::size_t cells = 0, expected = 0, start = 0, i = 0;
    bool ends[256] = {};  // bytes at which a cell without quotes ends, or is not plain
    for (const unsigned char byte : {separator, static_cast<unsigned char>('\n'), static_cast<unsigned char>('\r'),
                                     static_cast<unsigned char>('"'), static_cast<unsigned char>(0)})
        ends[byte] = true;
    bool blank = true, any_feed = false, any_return = false;
    const auto end_cell = [&](std::size_t begin, std::size_t end) {
        if (begin < end && (data[begin] <= ' ' || data[end - 1] <= ' ')) shape.padded = true;
    };
    const auto end_record = [&](std::size_t end) {  // false where the record is not like the others
        ++cells;
        if (blank || end - start >= longest || (expected && cells != expected)) return false;
        expected = cells;
        ++shape.records;
        cells = 0;
        blank = true;
        return true;
    };
    while (i < n) {
        if (data[i] == '"') {  // the first byte of a cell
            bool closed = false;
            const std::size_t begin = ++i;
            for (; i < n; ++i) {
                if (data[i] == '"') {
                    if (i + 1 < n && data[i + 1] == '"') {
                        ++i;
                        blank = false;
                    } else {
                        closed = true;
                        end_cell(begin, i++);
                        break;
                    }
                } else if (data[i] == '\n' || data[i] == '\r') {
                    shape.ends_in_quotes = true;
                } else if (data[i] == 0) {
                    return shape;
                } else if (data[i] > ' ') {
                    blank = false;
                }
            }
            if (!closed || (i < n && data[i] != separator && data[i] != '\n' && data[i] != '\r')) return shape;
        } else {
            const std::size_t begin = i;
            while (i < n && !ends[data[i]]) {
                if (data[i] > ' ') blank = false;
                ++i;
            }
            if (i < n && (data[i] == '"' || data[i] == 0)) return shape;
            end_cell(begin, i);
        }
        if (i == n) break;
        if (data[i] == separator) {
            ++cells;
            ++i;
            if (i < n) continue;
            break;  // an empty cell ends the file
        }
        const std::size_t end = i;
        if (data[i] == '\r') {
            if (i + 1 >= n || data[i + 1] != '\n') return shape;
            any_return = true;
            i += 2;
        } else {
            any_feed = true;
            ++i;
        }
        if ((any_feed && any_return) || !end_record(end)) return shape;
        start = i;
    }
    if (start < n && !end_record(n)) return shape;
    shape.returns = any_return;
    shape.plain = shape.records > 0;
    return shape;
}

}  // namespace rankscape
