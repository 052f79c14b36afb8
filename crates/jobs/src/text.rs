//! Sizes and times in a readable form.

/// A time in the unit that reads best, e.g. `18 h`.
pub fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] =
        [(365.25 * 86400.0, "years"), (86400.0, "days"), (3600.0, "h"), (60.0, "min")];
    // What a double cannot hold is longer than that: 10^300 years are 3·10^307 seconds.
    if !seconds.is_finite() {
        return "10^300 years".to_owned();
    }
    let unit = UNITS.iter().find(|(length, _)| seconds >= 2.0 * length);
    let (value, name) = unit.map_or((seconds, "s"), |(length, name)| (seconds / length, *name));
    if value < 1e6 { format!("{value:.0} {name}") } else { format!("{value:.0e} {name}") }
}

/// The same with a word before it: `about 18 h`, `more than 10^300 years`.
pub fn about(seconds: f64) -> String {
    if seconds < 1.0 {
        return "less than 1 s".to_owned();
    }
    let word = if seconds.is_finite() { "about" } else { "more than" };
    format!("{word} {}", duration(seconds))
}

/// A size in bytes with two or three digits, e.g. `8.1 GiB`.
pub fn size(bytes: f64) -> String {
    const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut value, mut unit) = (bytes, 0);
    while value >= 1000.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    match value {
        huge if huge >= 1e6 => format!("{huge:.0e} {}", UNITS[unit]),
        small if small < 9.95 && unit > 0 => format!("{small:.1} {}", UNITS[unit]),
        value => format!("{value:.0} {}", UNITS[unit]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_the_unit_that_reads_best() {
        // A year has 31557600 seconds.
        let printed = [3.2, 119.0, 7000.0, 108_000.0, 1e9, 3.155_760e13, 1e20].map(duration);
        assert_eq!(printed, ["3 s", "119 s", "117 min", "30 h", "32 years", "1e6 years", "3e12 years"]);
        let printed = [0.2, 3.0, f64::INFINITY].map(about);
        assert_eq!(printed, ["less than 1 s", "about 3 s", "more than 10^300 years"]);
    }

    #[test]
    fn sizes_have_the_unit_that_reads_best() {
        let gib = 1_073_741_824.0;
        let printed = [5.0, 999.0, 1000.0, 2048.0, 8.14 * gib, 9.96 * gib, 512.0 * gib].map(size);
        assert_eq!(printed, ["5 B", "999 B", "1.0 KiB", "2.0 KiB", "8.1 GiB", "10 GiB", "512 GiB"]);
        // 2^60 bytes are an EiB.
        assert_eq!(size(2f64.powi(60) * 1e9), "1e9 EiB");
        assert_eq!(size(f64::INFINITY), "inf EiB");
    }
}
