//! What `search` answers: the value of every move of a position.

use prodmax_output::answer::{Answer, Rows, View};
use prodmax_output::{Cell, Column};
use serde::Serialize;

use super::board_table;
use crate::analysis::{Analysis, SearchEffort};
use crate::game::{Game, MoveList};
use crate::player::{Player, Resource};
use crate::position::Side;
use crate::search::{MoveValue, Ply};

/// One position, searched.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SearchAnswer {
    /// the game and its size
    game: Game,
    /// the moves that led to the position
    played: MoveList,
    /// who moves
    side: Side,
    /// the position as text
    board: Vec<String>,
    /// the rule or search
    player: Player,
    /// what bounds the search
    resource: Resource,
    /// what counts as a ply in Kalah: `move`, `turn` or `whole`
    ply: Ply,
    /// every legal move
    moves: Vec<MoveAnswer>,
    /// the move chosen
    best: usize,
    #[serde(flatten)]
    effort: SearchEffort,
    #[serde(skip)]
    only_best: bool,
}

/// A move and its value.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveAnswer {
    /// hole or column
    #[serde(rename = "move")]
    number: usize,
    /// its value for the player to move
    value: f64,
}

impl From<&MoveValue> for MoveAnswer {
    fn from(of: &MoveValue) -> Self {
        Self { number: usize::from(of.chosen) + 1, value: of.value }
    }
}

impl SearchAnswer {
    /// The answer for the position after some moves.
    pub fn new(
        game: Game,
        played: MoveList,
        player: Player,
        resource: Resource,
        ply: Ply,
        found: &Analysis,
    ) -> Self {
        Self {
            game,
            played,
            side: found.side,
            board: found.board.lines().map(str::to_owned).collect(),
            player,
            resource,
            ply,
            moves: found.values.iter().map(MoveAnswer::from).collect(),
            best: MoveAnswer::from(&found.best).number,
            effort: found.effort,
            only_best: found.only_best,
        }
    }
}

impl Answer for SearchAnswer {
    fn view(&self) -> View {
        let title = format!("{}, {}: the probability that the side to move wins", self.player, self.resource);
        let mut rows = Rows::new("search", title, self.moves.iter().collect());
        rows.column(Column::right("move"), |each| each.number.into());
        rows.column(Column::right("value"), |each| Cell::decimal(each.value, 12));
        rows.notes([format!("The best move is {}.", self.best)]);
        let counted = self.effort.named().into_iter();
        rows.notes(counted.filter_map(|(name, count)| Some(format!("{name}: {}", count?))));
        if self.only_best {
            rows.notes(["Of the other moves, alpha-beta only knows that they are not better.".to_owned()]);
        }
        vec![board_table("board", self.game.title(), &self.board), rows.table()].into()
    }
}
