$head

#![allow(dead_code, non_snake_case)]

use std::env;
use std::sync::OnceLock;

/// What $variable says, always or never.
static SETTING: OnceLock<Option<bool>> = OnceLock::new();

fn read_setting() -> Option<bool> {
    let found = env::var_os("$variable").unwrap_or_default();
    match found.to_string_lossy().as_ref() {
        "" | "auto" => None,
        "always" => Some(true),
        "never" => Some(false),
        other => {
            eprintln!("$variable={other} is ignored: it is none of always, never and auto");
            None
        }
    }
}

$comment
pub fn should_offload($parameters) -> bool {
    if let Some(setting) = SETTING.get_or_init(read_setting) {
        return *setting;
    }
$body
}

$hysteresis_comment
pub fn should_offload_from($parameters, offloading: bool) -> bool {
    if let Some(setting) = SETTING.get_or_init(read_setting) {
        return *setting;
    }
$body_from
}
