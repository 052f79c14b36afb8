//! Values sorted as far as their error bounds allow.

use prodmax_number::Enclosure;
use prodmax_rules::numbers::BoundedDouble;

use crate::sweep::Groups;

/// An integer that has the same order as the double.
pub(super) fn order_key(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    // Negative doubles are in the reverse order of their magnitudes.
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// Groups of equal whole numbers, ascending: they are counted, because there are few different ones.
pub(super) fn sort_whole_numbers(values: impl Iterator<Item = BoundedDouble>) -> Groups {
    let values: Vec<i32> = values.map(|value| value.value as i32).collect();
    let (Some(&least), Some(&greatest)) = (values.iter().min(), values.iter().max()) else {
        return Groups::default();
    };
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); greatest.abs_diff(least) as usize + 1];
    for (class, value) in (0..).zip(&values) {
        members[value.abs_diff(least) as usize].push(class);
    }
    let mut groups = Groups::default();
    members.iter().filter(|group| !group.is_empty()).for_each(|group| groups.push(group));
    groups
}

/// Splits a list sorted by lower end wherever everything before is below everything after.
pub(super) fn split(values: Vec<(Enclosure, u32)>) -> Vec<Vec<u32>> {
    let mut parts: Vec<Vec<u32>> = Vec::new();
    let mut reach: Option<Enclosure> = None;
    for (value, class) in values {
        match (parts.last_mut(), &reach) {
            (Some(part), Some(highest)) if !highest.is_below(&value) => part.push(class),
            _ => parts.push(vec![class]),
        }
        reach = match reach {
            Some(highest) if highest.high_end() >= value.high_end() => Some(highest),
            _ => Some(value),
        };
    }
    parts
}
