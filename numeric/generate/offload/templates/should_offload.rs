$head

#![allow(dead_code)]

use std::env;
use std::sync::OnceLock;

/// What $variable says.
enum Setting {
    Auto,
    Always,
    Never,
    Above(u64),
}

static SETTING: OnceLock<Setting> = OnceLock::new();

fn read_setting() -> Setting {
    let found = env::var_os("$variable").unwrap_or_default();
    let text = found.to_string_lossy();
    match text.as_ref() {
        "" | "auto" => Setting::Auto,
        "always" => Setting::Always,
        "never" => Setting::Never,
        digits if digits.bytes().all(|each| each.is_ascii_digit()) => {
            let size: u64 = digits.parse().unwrap_or(u64::MAX);
            if size >= usize::MAX as u64 - 3 {
                Setting::Never
            } else {
                Setting::Above(size.saturating_sub(1))
            }
        }
        other => {
            eprintln!(
                "$variable={other} is ignored: \
                 it is none of always, never, auto and $number"
            );
            Setting::Auto
        }
    }
}

fn within(size: usize, above: u64, last: u64) -> bool {
    let size = size as u64;
    match SETTING.get_or_init(read_setting) {
        Setting::Always => true,
        Setting::Never => false,
        Setting::Above(least) => *least < size && size <= last,
        Setting::Auto => above < size && size <= last,
    }
}

$likely_comment
pub fn should_offload(size: usize) -> bool {
    $likely_within
}

$hysteresis_comment
pub fn should_offload_from(size: usize, offloading: bool) -> bool {
    if offloading {
        $staying_within
    } else {
        $starting_within
    }
}
