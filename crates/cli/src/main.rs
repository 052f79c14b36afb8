//! The program `prodmax`.

use std::process::ExitCode;

fn main() -> ExitCode {
    prodmax_commands::main()
}
