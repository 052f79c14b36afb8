//! Random games as JSON lines, with the legal moves of every position, for programs that check the rules:
//! `playouts kalah 10000` or `playouts connect4 10000`.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use prodmax_games::Position;
use prodmax_games::connect4::{Connect4, Evaluator};
use prodmax_games::kalah::Kalah;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use serde_json::json;

fn playouts<P: Position>(start: &P, games: u64) {
    for game in 0..games {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        random.set_stream(game);
        let (mut position, mut steps) = (*start, Vec::new());
        while position.outcome().is_none() {
            let legal: Vec<u8> = position.moves().collect();
            let chosen = legal[(random.next_u64() % legal.len() as u64) as usize];
            let numbers: Vec<u8> = legal.iter().map(|legal| legal + 1).collect();
            steps.push(json!({ "side": position.side(), "legal": numbers, "move": chosen + 1 }));
            position = position.play(chosen);
        }
        println!("{}", json!({ "positions": steps, "outcome": position.outcome() }));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["kalah", games] => playouts(&Kalah::start(6, 4)?, games.parse()?),
        ["connect4", games] => playouts(&Connect4::start(7, 6, Evaluator::Lines)?, games.parse()?),
        _ => return Err("give a game (kalah with 4 stones, or connect4) and the number of games".into()),
    }
    Ok(())
}
