$head

#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace logca {

namespace ${prefix}detail {

// What $variable says: 1 always, -1 never, 0 nothing.
inline int read_override()
{
    const char *const found = std::getenv("$variable");
    const std::string_view text = found ? found : "auto";
    if (text.empty() || text == "auto") {
        return 0;
    }
    if (text == "always" || text == "never") {
        return text == "always" ? 1 : -1;
    }
    std::fprintf(
        stderr, "$variable=%s is ignored: it is none of always, never and auto\n", found);
    return 0;
}

inline int override_read_once()
{
    static const int setting = read_override();
    return setting;
}

}  // namespace ${prefix}detail

$comment
inline bool ${prefix}should_offload($parameters)
{
    if (const int setting = ${prefix}detail::override_read_once(); setting != 0) {
        return setting > 0;
    }
$body
}

$hysteresis_comment
inline bool ${prefix}should_offload_from($parameters, bool offloading)
{
    if (const int setting = ${prefix}detail::override_read_once(); setting != 0) {
        return setting > 0;
    }
$body_from
}

}  // namespace logca
