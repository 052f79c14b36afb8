//! Real games for the backup rules: Kalah, as in Baum's tournament, and Connect-Four, as in Rivest's.
//!
//! | module | what lives there |
//! | --- | --- |
//! | [`analysis`] | what a player finds in one position |
//! | [`answer`] | what the commands answer, as types of which JSON and tables are views |
//! | [`any`] | games whose types are not known: what commands do with a game |
//! | [`board`] | what makes a game |
//! | [`penalty`] | Rivest's penalty search |
//! | [`play`] | matches: many starts, both colours, logs and scores |
//! | [`player`] | players by name |
//! | [`position`] | the trait of positions, sides, moves and outcomes |
//! | [`calls`] | calls and processor time, the resources of bounded searches |
//! | [`connect4`] | Connect-Four with two evaluators and an exact solver |
//! | [`effort`] | how much memory and time searches and matches take |
//! | [`game`] | the games by name, lists of moves |
//! | [`kalah`] | Kalah with any number of holes and stones |
//! | [`mod@perft`] | counting sequences of moves |
//! | [`ratings`] | Elo ratings of players who met each other |
//! | [`quality`] | how often a search finds a game-theoretically best move |
//! | [`search`] | full-width search by any rule, alpha-beta, merging of equal positions |
//! | [`study`] | matches and measurements of quality, run and recorded as one |

pub mod analysis;
pub mod answer;
pub mod any;
pub mod board;
pub mod calls;
pub mod connect4;
pub mod effort;
pub mod game;
pub mod kalah;
pub mod penalty;
pub mod perft;
pub mod play;
pub mod player;
pub mod position;
pub mod quality;
pub mod ratings;
pub mod search;
pub mod study;

pub use position::{Move, Moves, Outcome, Position, Side};
