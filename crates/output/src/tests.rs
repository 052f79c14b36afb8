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
fn only_the_terminal_shows_what_is_meant_for_it() {
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
        format.renderer(None).unwrap().stream(&Awkward, &mut text).unwrap();
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

fn table_of(columns: Vec<Column>, rows: &[&[&str]]) -> Output {
    let rows = rows.iter().map(|row| row.iter().map(Cell::from).collect()).collect();
    let table = Table { id: "t".into(), title: "Title".into(), columns, rows, notes: vec![] };
    Output::figures(json!(null), vec![table])
}

fn within(output: &Output, width: usize) -> String {
    output.render_within(Format::Table, Some(width)).unwrap()
}

#[test]
fn a_table_that_fits_is_printed_as_without_a_terminal() {
    let widest = rendered(Format::Table).lines().map(|line| line.chars().count()).max().unwrap();
    assert_eq!(within(&awkward(), widest), rendered(Format::Table));
    assert_ne!(within(&awkward(), widest - 1), rendered(Format::Table));
}

#[test]
fn columns_that_do_not_fit_are_printed_below_with_the_names_of_the_rows() {
    let columns = vec![
        Column::right("root"),
        Column::left("increments"),
        Column::right("trees"),
        Column::right("share %"),
    ];
    let rows: &[&[&str]] =
        &[&["-1", "8,8", "531441", "54.5"], &["+1", "8,8", "531441", "53.2"], &["+1", "3", "16", "-"]];
    let expected = "\
Title

root  increments   trees
----  ----------  ------
  -1  8,8         531441
  +1  8,8         531441
  +1  3               16

root  increments  share %
----  ----------  -------
  -1  8,8            54.5
  +1  8,8            53.2
  +1  3                 -
";
    assert_eq!(within(&table_of(columns.clone(), rows), 32), expected);
    // With one row per root, the root alone is enough.
    let first_two = within(&table_of(columns, &rows[..2]), 26);
    assert!(
        first_two.ends_with("root  share %\n----  -------\n  -1     54.5\n  +1     53.2\n"),
        "{first_two}"
    );
}

#[test]
fn a_short_head_stays_next_to_the_column_it_belongs_to() {
    let short = |name: &str| Column::right(name).with_terminal("s.e.");
    let columns =
        vec![Column::right("d"), Column::right("minimax"), short("m"), Column::right("product"), short("p")];
    let printed = within(&table_of(columns, &[&["1", "3.591", "0.008", "3.054", "0.004"]]), 24);
    let expected = "Title\n\nd  minimax   s.e.\n-  -------  -----\n1    3.591  0.008\n\n\
                    d  product   s.e.\n-  -------  -----\n1    3.054  0.004\n";
    assert_eq!(printed, expected);
}

#[test]
fn long_texts_continue_on_the_next_line() {
    let columns = vec![Column::left("rule"), Column::left("what it does")];
    let rows: &[&[&str]] = &[&["minimax", "the greatest (or least) value of the children, of course"]];
    let expected = "\
Title

rule     what it does
-------  -------------------------------
minimax  the greatest (or least) value
         of the children, of course
";
    assert_eq!(within(&table_of(columns, rows), 40), expected);
}

/// Whatever the table, whatever the width: no line is too long, and nothing is lost.
#[test]
fn nothing_wraps_and_nothing_is_lost() {
    let words =
        ["x", "+1", "8,8,8,8", "531441", "critical trees", "1234567890123456789012345678901234567890123456"];
    for columns in 1..=9usize {
        let heads = (0..columns).map(|column| match column % 3 {
            0 => Column::right(words[column % 6]),
            _ => Column::left(words[(column + 2) % 6]),
        });
        let cell = |row: usize, column: usize| format!("{}{row}", words[(row * 5 + column * 7) % 6]);
        let rows: Vec<Vec<Cell>> =
            (0..4).map(|row| (0..columns).map(|column| cell(row, column).into()).collect()).collect();
        let table = Table {
            id: "t".into(),
            title: "A title of several words".into(),
            columns: heads.collect(),
            rows,
            notes: vec![
                "A note that is not short either, and a long word: 12345678901234567890123456789".into(),
            ],
        };
        let output = Output::figures(json!(null), vec![table]);
        for width in 20..=140 {
            let printed = within(&output, width);
            for line in printed.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
            // Cut words continue on the next line, so letters are counted, not words.
            let letters = |text: &str| text.chars().filter(char::is_ascii_digit).count();
            let all = output.render(Format::Table).unwrap();
            assert!(letters(&printed) >= letters(&all), "{width}: {printed}");
        }
    }
}
