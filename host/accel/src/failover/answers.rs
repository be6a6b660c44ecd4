//! Whether a chip's answers have the form that the protocol gives them.

use crate::{
    decode_result, view, AccelError, Evaluation, Expansion, LegalMoves, MoveCount, PositionError, PositionResult,
    Request, Response,
};
use hayasashi_shogi::rules::Color;
use hayasashi_spec::{
    opcode::{Opcode, Status},
    table::SCORE_LIMIT,
};

/// Checks the answers of `target` to a request: their number, their statuses, the lengths of their payloads, and the
/// ranges of moves and scores. Whether they are right is not checked.
///
/// # Errors
/// [`AccelError::Malformed`] with the first fault.
pub(super) fn check(target: &str, request: &Request, answers: &[Response]) -> Result<(), AccelError> {
    let Some(opcode) = Opcode::from_code(request.opcode).filter(|_| request.has_valid_length()) else { return Ok(()) };
    let refused = matches!(answers, [only] if refuses(only));
    if !refused && answers.len() != request.answers() {
        let reason = format!("{} answers to {} positions", answers.len(), request.answers());
        return Err(AccelError::malformed(target, opcode, reason));
    }
    let check: fn(&str, &Response) -> Result<(), AccelError> = match opcode {
        _ if refused => return Ok(()),
        Opcode::Generate => |target, answer| match result::<LegalMoves>(target, answer)? {
            Some(generated) => view::to_moves(target, &generated.moves, Color::Black).map(drop),
            None => Ok(()),
        },
        Opcode::Expand => |target, answer| match result::<Expansion>(target, answer)? {
            Some(expansion) => view::to_moves(target, &expansion.moves, Color::Black).map(drop),
            None => Ok(()),
        },
        Opcode::Count => |target, answer| result::<MoveCount>(target, answer).map(drop),
        Opcode::Evaluate => |target, answer| match result::<Evaluation>(target, answer)? {
            Some(Evaluation { score }) if (score as i32).abs() > SCORE_LIMIT => {
                Err(AccelError::malformed(target, Opcode::Evaluate, format!("a score of {score} centipawns")))
            }
            _ => Ok(()),
        },
        Opcode::Echo if answers[0].payload != request.payload => {
            return Err(AccelError::malformed(target, opcode, "other bytes than those sent"));
        }
        _ => return Ok(()),
    };
    answers.iter().try_for_each(|answer| check(target, answer))
}

/// Whether the chip refuses the request as a whole.
fn refuses(answer: &Response) -> bool {
    use Status::*;
    matches!(Status::from_code(answer.status), Some(BadOpcode | BadLength | Busy | BadCrc))
}

/// The result of a position; `None` if the chip rejects the position.
fn result<T: PositionResult>(target: &str, answer: &Response) -> Result<Option<T>, AccelError> {
    match decode_result::<T>(target, answer)? {
        Ok(result) => Ok(Some(result)),
        Err(error @ PositionError::Status { .. }) => Err(AccelError::malformed(target, T::OPCODE, error.to_string())),
        Err(_) => Ok(None),
    }
}
