//! JUnit XML, which most CI systems show as a list of tests.

/// A suite of checks.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The name of the suite.
    pub name: String,
    /// Its checks.
    pub cases: Vec<Case>,
}

/// One check.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is checked.
    pub name: String,
    /// The result.
    pub result: CheckResult,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckResult {
    /// It holds.
    Passed,
    /// It does not hold, and why.
    Failed(String),
    /// It was not checked, and why.
    Skipped(String),
}

/// The document.
pub fn render(suite: &Suite) -> String {
    let count = |is: fn(&CheckResult) -> bool| suite.cases.iter().filter(|case| is(&case.result)).count();
    let failures = count(|result| matches!(result, CheckResult::Failed(_)));
    let skipped = count(|result| matches!(result, CheckResult::Skipped(_)));
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let name = escape(&suite.name);
    text += &format!(
        "<testsuites tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\">\n  <testsuite name=\"{name}\" \
         tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\">\n",
        tests = suite.cases.len(),
    );
    for case in &suite.cases {
        let head = format!("    <testcase classname=\"{name}\" name=\"{}\"", escape(&case.name));
        let inside =
            |what, why| format!("{head}>\n      <{what} message=\"{}\"/>\n    </testcase>\n", escape(why));
        text += &match &case.result {
            CheckResult::Passed => format!("{head}/>\n"),
            CheckResult::Failed(why) => inside("failure", why),
            CheckResult::Skipped(why) => inside("skipped", why),
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
            Case { name: "a".into(), result: CheckResult::Passed },
            Case { name: "b<c>".into(), result: CheckResult::Failed("\"1\" & 2".into()) },
            Case { name: "d".into(), result: CheckResult::Skipped("slow".into()) },
        ];
        let text = render(&Suite { name: "s".into(), cases });
        assert!(text.contains("<testsuites tests=\"3\" failures=\"1\" skipped=\"1\">"));
        assert!(text.contains("name=\"b&lt;c&gt;\""));
        assert!(text.contains("<failure message=\"&quot;1&quot; &amp; 2\"/>"));
        assert!(text.contains("name=\"d\">\n      <skipped message=\"slow\"/>"));
    }
}
