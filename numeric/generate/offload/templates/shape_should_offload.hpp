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

}  // namespace ${prefix}detail

$comment
inline bool ${prefix}should_offload($parameters)
{
    static const int setting = ${prefix}detail::read_override();
    if (setting != 0) {
        return setting > 0;
    }
$body
}

}  // namespace logca
