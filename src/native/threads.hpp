// Tasks 0 … count − 1, taken one after the other by some threads; each thread has its own worker.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rankscape {

// make() returns a callable that does the task of a given number. An exception in a thread is thrown here.
template <typename Make>
void in_threads(std::size_t count, int threads, Make make) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    const auto run = [&] {
        try {
            auto work = make();
            for (std::size_t task; (task = next.fetch_add(1)) < count;) work(task);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard);
            failure = std::current_exception();
            next = count;
        }
    };
    const std::size_t helpers = std::min<std::size_t>(count, threads > 1 ? static_cast<std::size_t>(threads) : 1);
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < helpers; ++k) {
        try {
            others.emplace_back(run);
        } catch (const std::system_error&) {  // no more threads to be had: those there are do it
            break;
        }
    }
    run();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rankscape
