$head

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace logca {

namespace ${prefix}detail {

// What $variable says; for `above`, above which size it pays.
struct Setting {
    enum class Kind { automatic, always, never, above } kind;
    std::uint64_t size;
};

inline Setting read_setting()
{
    const char *const found = std::getenv("$variable");
    const std::string_view text = found ? found : "auto";
    if (text.empty() || text == "auto") {
        return {Setting::Kind::automatic, 0};
    }
    if (text == "always") {
        return {Setting::Kind::always, 0};
    }
    if (text == "never") {
        return {Setting::Kind::never, 0};
    }
    if (text.find_first_not_of("0123456789") == text.npos) {
        const std::uint64_t size = std::strtoull(found, nullptr, 10);
        if (size >= SIZE_MAX - 3) {
            return {Setting::Kind::never, 0};
        }
        return {Setting::Kind::above, size > 0 ? size - 1 : 0};
    }
    std::fprintf(stderr,
                 "$variable=%s is ignored: "
                 "it is none of always, never, auto and $number\n",
                 found);
    return {Setting::Kind::automatic, 0};
}

inline bool within(std::size_t size, std::uint64_t above, std::uint64_t last)
{
    static const Setting setting = read_setting();
    switch (setting.kind) {
    case Setting::Kind::always:
        return true;
    case Setting::Kind::never:
        return false;
    case Setting::Kind::above:
        return setting.size < size && size <= last;
    case Setting::Kind::automatic:
        break;
    }
    return above < size && size <= last;
}

}  // namespace ${prefix}detail

$likely_comment
inline bool ${prefix}should_offload(std::size_t size)
{
    return $likely_within;
}

$hysteresis_comment
inline bool ${prefix}should_offload_from(std::size_t size, bool offloading)
{
    if (offloading) {
        return $staying_within;
    }
    return $starting_within;
}

}  // namespace logca
