//! The formats on a table that has everything a format can trip over.

use serde_json::json;

use super::*;

fn awkward() -> Output {
    let first = Table {
        id: "first".to_owned(),
        title: "A_title | 100 %".to_owned(),
        columns: vec![Column::left("name"), Column::right("a, b")],
        rows: vec![
            vec!["x|y".into(), Cell::with_latex("1/35", "$1/35$")],
            vec!["say \"hi\" & go".into(), (-12).into()],
        ],
        notes: vec!["A note: 50 % of it.".to_owned()],
    };
    let second = Table {
        id: "second".to_owned(),
        title: "Second".to_owned(),
        columns: vec![Column::right("n")],
        rows: vec![vec![7.into()]],
        notes: vec![],
    };
    Output::figures(json!({"z": 1, "a": ["2"]}), vec![first, second])
}

fn rendered(format: Format) -> String {
    awkward().render(format).unwrap_or_default()
}

/// The first table as a list.
struct Awkward;

impl List for Awkward {
    fn head(&self) -> Table {
        let table = awkward().tables.swap_remove(0);
        Table { rows: vec![], ..table }
    }

    fn rows(&self) -> Box<dyn Iterator<Item = Vec<Cell>> + '_> {
        Box::new(awkward().tables.swap_remove(0).rows.into_iter())
    }

    fn values(&self) -> Box<dyn Iterator<Item = Value> + '_> {
        Box::new(self.rows().map(|row| json!({"name": row[0].text})))
    }
}

#[test]
fn the_terminal_alone_shows_what_is_meant_for_it() {
    let table = Table {
        id: "tree".to_owned(),
        title: "Tree".to_owned(),
        columns: vec![Column::left("node"), Column::right("s.e. of x").with_terminal("s.e.")],
        rows: vec![vec![Cell::with_terminal("B", "└─ B"), 1.into()]],
        notes: vec![],
    };
    let output = Output::figures(json!(null), vec![table]);
    let printed = |format| output.render(format).unwrap();
    assert_eq!(printed(Format::Table), "Tree\n\nnode  s.e.\n----  ----\n└─ B     1\n");
    assert_eq!(printed(Format::Csv), "node,s.e. of x\nB,1\n");
    for format in [Format::Markdown, Format::Latex] {
        assert!(printed(format).contains("s.e. of x") && !printed(format).contains('└'), "{format:?}");
    }
}

#[test]
fn a_list_prints_as_the_table_with_its_rows() {
    let streamed = |format: Format| {
        let mut text = Vec::new();
        format.renderer().unwrap().stream(&Awkward, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let table = awkward().tables.swap_remove(0);
    let output = Output { tables: vec![table], ..awkward() };
    for format in [Format::Table, Format::Csv, Format::Markdown, Format::Latex] {
        assert_eq!(streamed(format), output.render(format).unwrap(), "{format:?}");
    }
    let expected = "[\n{\"name\":\"x|y\"},\n{\"name\":\"say \\\"hi\\\" & go\"}\n]\n";
    assert_eq!(streamed(Format::Json), expected);
}

#[test]
fn table() {
    let expected = "A_title | 100 %\n\nname           a, b\n-------------  ----\nx|y            1/35\n\
                    say \"hi\" & go   -12\n\nA note: 50 % of it.\n\nSecond\n\nn\n-\n7\n";
    assert_eq!(rendered(Format::Table), expected);
}

#[test]
fn json_keeps_the_order_of_keys() {
    assert_eq!(rendered(Format::Json), "{\n  \"z\": 1,\n  \"a\": [\n    \"2\"\n  ]\n}\n");
}

#[test]
fn csv() {
    assert_eq!(rendered(Format::Csv), "name,\"a, b\"\nx|y,1/35\n\"say \"\"hi\"\" & go\",-12\n\nn\n7\n");
}

#[test]
fn markdown() {
    let expected = "**A\\_title \\| 100 %**\n\n| name | a, b |\n| :--- | ---: |\n| x\\|y | 1/35 |\n\
                    | say \"hi\" & go | -12 |\n\nA note: 50 % of it.\n\n**Second**\n\n| n |\n| ---: |\n| 7 |\n";
    assert_eq!(rendered(Format::Markdown), expected);
}

#[test]
fn latex() {
    let expected = "% first: A_title | 100 %\n\\begin{tabular}{lr}\n\\toprule\nname & a, b \\\\\n\\midrule\n\
                    x|y & $1/35$ \\\\\nsay \"hi\" \\& go & $-$12 \\\\\n\\bottomrule\n\\end{tabular}\n\
                    % A note: 50 % of it.\n\n% second: Second\n\\begin{tabular}{r}\n\\toprule\nn \\\\\n\
                    \\midrule\n7 \\\\\n\\bottomrule\n\\end{tabular}\n";
    assert_eq!(rendered(Format::Latex), expected);
}
