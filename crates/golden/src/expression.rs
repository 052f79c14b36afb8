//! Formulas as the papers print them: sums of products of powers of (1-p) and p.

use prodmax_number::Polynomial;

/// Reads a sum like `(1-p)^4 + (1-p)^3*p - p^4`; `None` if the text is not of this form.
///
/// ```
/// use prodmax_golden::expression::parse;
/// assert_eq!(parse("(1-p) - p").unwrap().to_string(), "1 - 2p");
/// ```
pub fn parse(text: &str) -> Option<Polynomial> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut sum = Polynomial::default();
    let mut rest = text.as_str();
    let mut negative = false;
    loop {
        let end = next_sign(rest);
        let product = product(&rest[..end])?;
        sum = if negative { &sum - &product } else { &sum + &product };
        let Some(sign) = rest[end..].chars().next() else { return Some(sum) };
        negative = sign == '-';
        rest = &rest[end + 1..];
    }
}

/// The position of the first sign outside parentheses, or the end.
fn next_sign(text: &str) -> usize {
    let mut open = 0i32;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            '+' | '-' if open == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

fn product(text: &str) -> Option<Polynomial> {
    text.split('*').try_fold(Polynomial::constant(1), |product, factor| {
        let (base, power) = factor.split_once('^').unwrap_or((factor, "1"));
        let power: u32 = power.parse().ok().filter(|&power| power <= 64)?;
        let base = match base {
            "p" => Polynomial::p(),
            "(1-p)" => Polynomial::one_minus_p(),
            _ => return None,
        };
        Some(&product * &base.pow(power))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_products_are_read() {
        assert_eq!(parse("p^2*(1-p)"), Some(Polynomial::new([0, 0, 1, -1])));
        assert_eq!(parse("(1-p)^2 - p^2"), Some(Polynomial::new([1, -2])));
        assert_eq!(parse(" p - p "), Some(Polynomial::default()));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "q", "p^", "p^99999999999", "(1-p", "p+", "*p", "(1+p)", "p^-1", "-p", "2p", "é"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
