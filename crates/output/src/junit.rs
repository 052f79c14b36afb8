//! JUnit XML, which most CI systems show as a list of tests.

/// A suite of checks.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// What the suite is called.
    pub name: String,
    /// Its checks.
    pub cases: Vec<Case>,
}

/// One check.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is checked.
    pub name: String,
    /// Why it failed, if it did.
    pub failure: Option<String>,
}

/// The document.
pub fn render(suite: &Suite) -> String {
    let failures = suite.cases.iter().filter(|case| case.failure.is_some()).count();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let name = escape(&suite.name);
    text += &format!(
        "<testsuites tests=\"{tests}\" failures=\"{failures}\">\n  <testsuite name=\"{name}\" tests=\"{tests}\" \
         failures=\"{failures}\">\n",
        tests = suite.cases.len(),
    );
    for case in &suite.cases {
        let head = format!("    <testcase classname=\"{name}\" name=\"{}\"", escape(&case.name));
        text += &match &case.failure {
            None => format!("{head}/>\n"),
            Some(why) => format!("{head}>\n      <failure message=\"{}\"/>\n    </testcase>\n", escape(why)),
        };
    }
    text + "  </testsuite>\n</testsuites>\n"
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_and_texts_escaped() {
        let cases = vec![
            Case { name: "a".into(), failure: None },
            Case { name: "b<c>".into(), failure: Some("\"1\" & 2".into()) },
        ];
        let text = render(&Suite { name: "s".into(), cases });
        assert!(text.contains("<testsuites tests=\"2\" failures=\"1\">"));
        assert!(text.contains("name=\"b&lt;c&gt;\""));
        assert!(text.contains("<failure message=\"&quot;1&quot; &amp; 2\"/>"));
    }
}
