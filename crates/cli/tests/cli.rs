//! Snapshots of what the command line prints: the examples of the README and the sessions in `tests/cmd/`.
//! `TRYCMD=overwrite cargo test -p prodmax --test cli` rewrites them.

#[test]
fn sessions_print_what_they_show() {
    // The examples name files relative to the root of the repository.
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    trycmd::TestCases::new()
        .register_bin("prodmax", std::path::Path::new(env!("CARGO_BIN_EXE_prodmax")))
        // The width of help texts must not depend on the terminal.
        .env("COLUMNS", "100")
        .case("README.md")
        .case("crates/cli/tests/cmd/*.md");
}
