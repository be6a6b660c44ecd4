//! The report: what was found beside what was published, as Markdown with plots.

use super::{
    answers::{self, ProblemAnswer},
    matches::{Found, Share},
    plot::{bars, by_ply, Bar},
    Experiment, ExperimentError, Pairing, Player, Work, EXPERIMENTS,
};
use crate::compare::grouped;
use atomic_write_file::AtomicWriteFile;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    io::Write as _,
    path::{Path, PathBuf},
};

/// Name of the report's file.
pub const REPORT: &str = "EXPERIMENTS.md";
/// Problems of the paper.
const PUBLISHED_PROBLEMS: u32 = 48;

const HEAD: &str = "# Published experiments, repeated

```
hayasashi experiment all --openings OPENINGS --problems PROBLEMS --out RESULTS
```

This page and its plots are written by that command, or from the results alone by `hayasashi experiment report --out
RESULTS`. OPENINGS has a position to play from on each line, as for `match`; `--records RECORDS` instead cuts them from game
records at ply 31, as was done in 2002. PROBLEMS has next-move problems: category, difficulty, SFEN and the first moves that
solve it, separated by tabs. *Beside the first engine* counts problems that this one solved alone and the first one alone;
*more* and *fewer* say that it is not chance, at 95 % (McNemar, 1947).

A score is wins and half of the draws, in parts of the games. Errors are 95 % intervals: of our games by pairs (an opening
played twice with colours swapped), of published ones as if games were independent. *Stronger* and *weaker* say that the
interval has no ½ in it; *open*, that it has. Where a match was stopped early, the games that were planned are told.
";

/// A page and its pictures, by name of file.
#[derive(Debug, PartialEq)]
pub struct Page {
    /// Markdown.
    pub text: String,
    /// SVG.
    pub plots: BTreeMap<String, String>,
}

impl Page {
    /// Of the results in a folder.
    ///
    /// # Errors
    /// Results that cannot be understood, or none at all.
    pub fn of(folder: &Path) -> Result<Page, ExperimentError> {
        let mut page = Page { text: HEAD.into(), plots: BTreeMap::new() };
        let mut any = false;
        for experiment in EXPERIMENTS {
            let body = match experiment.work {
                Work::Matches(pairings) => page.matches(experiment, pairings, folder)?,
                Work::Problems(_, players) => page.problems(experiment, players, folder)?,
            };
            if let Some(body) = body {
                any = true;
                let Experiment { name, title, source, published, differences, .. } = experiment;
                let _ = write!(
                    page.text,
                    "\n## `{name}`: {title}\n\nSource: {source}.\n\nPublished: {published}\n\nDifferences: {differences}\n\n{body}"
                );
            }
        }
        match any {
            true => Ok(page),
            false => Err(ExperimentError::Nothing { folder: folder.into() }),
        }
    }

    /// Writes page and pictures into a folder; gives the page's file.
    ///
    /// # Errors
    /// What cannot be written.
    pub fn write(&self, folder: &Path) -> Result<PathBuf, ExperimentError> {
        let write = |name: &str, text: &str| {
            let file = folder.join(name);
            let written = AtomicWriteFile::open(&file).and_then(|mut out| {
                out.write_all(text.as_bytes())?;
                out.commit()
            });
            written.map_err(|reason| ExperimentError::File { verb: "write", file: file.clone(), reason })?;
            Ok(file)
        };
        self.plots.iter().try_for_each(|(name, text)| write(name, text).map(drop))?;
        write(REPORT, &self.text)
    }

    fn matches(
        &mut self,
        experiment: &Experiment,
        pairings: &[Pairing],
        folder: &Path,
    ) -> Result<Option<String>, ExperimentError> {
        let mut rows = Vec::new();
        for pairing in pairings {
            rows.extend(Found::read(experiment, pairing, folder)?.map(|found| (pairing, found)));
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let mut text = String::from(
            "| engine | against | each move | games | + − = | score | Elo | reading | published |\n|---|---|---|---|---|---|---|---|---|\n",
        );
        for (pairing, found) in &rows {
            text += &row(pairing, found);
        }
        let bar = |(pairing, found): &(&Pairing, Found)| Bar {
            name: format!("{} : {}, {}", pairing.first.name, pairing.second.name, found.setting.pace),
            found: found.score,
            published: pairing.published.map(Share::published),
        };
        let from: BTreeSet<&str> = rows.iter().map(|(_, found)| found.setting.openings.as_str()).collect();
        let from: Vec<&str> = from.into_iter().collect();
        let _ = writeln!(text, "\nOpenings (their number and the checksum of their positions): {}.", from.join("; "));
        let all: Vec<Bar> = rows.iter().map(bar).collect();
        text += &self.plot(experiment.name, "scores", bars(&all, "score of the engine named first, 95 % intervals"));
        Ok(Some(text))
    }

    /// Keeps a picture; the line that shows it.
    fn plot(&mut self, experiment: &str, what: &str, svg: Option<String>) -> String {
        let Some(svg) = svg else { return String::new() };
        let name = format!("{experiment}-{what}.svg");
        let line = format!("\n![{experiment}: {what}]({name})\n");
        self.plots.insert(name, svg);
        line
    }

    fn problems(
        &mut self,
        experiment: &Experiment,
        players: &'static [(Player, Option<u32>)],
        folder: &Path,
    ) -> Result<Option<String>, ExperimentError> {
        let mut rows = Vec::new();
        for (player, published) in players {
            let read = answers::read(experiment, player, folder)?.filter(|(_, answers)| !answers.is_empty());
            rows.extend(read.map(|(question, answers)| (player, *published, question.nodes, answers)));
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let categories: BTreeSet<&str> =
            rows.iter().flat_map(|(.., answers)| answers.iter().map(|a| a.category.as_str())).collect();
        let mut text = String::from("Solved, by category:\n\n| engine | nodes | all |");
        categories.iter().for_each(|category| text += &format!(" {category} |"));
        text += &format!(
            " by mate search | left to the tree | beside the first engine | published |\n|---|---|---|{}---|---|---|---|\n",
            "---|".repeat(categories.len())
        );
        let mut all = Vec::new();
        for (player, published, nodes, answers) in &rows {
            let solved = |wanted: &dyn Fn(&ProblemAnswer) -> bool| {
                let of = answers.iter().filter(|a| wanted(a));
                (of.clone().filter(|a| a.solved).count() as u32, of.count() as u32)
            };
            let counts = |(solved, of): (u32, u32)| format!("{solved}/{of}");
            let total = solved(&|_| true);
            let _ = write!(text, "| {} | {} | {} |", player.name, grouped(*nodes), counts(total));
            categories.iter().for_each(|&c| text += &format!(" {} |", counts(solved(&|a| a.category == c))));
            let there = published.map_or("—".into(), |n| format!("{n}/{PUBLISHED_PROBLEMS}"));
            let (by_mates, left) = (answers.iter().filter(|a| a.mate).count(), counts(solved(&|a| !a.mate)));
            let paired = if *player == rows[0].0 { "—".into() } else { paired(answers, &rows[0].3) };
            let _ = writeln!(text, " {by_mates} | {left} | {paired} | {there} |");
            let published = published.map(|n| part(n, PUBLISHED_PROBLEMS));
            all.push(Bar { name: player.name.into(), found: part(total.0, total.1), published });
        }
        text += &self.plot(experiment.name, "solved", bars(&all, "problems solved, 95 % intervals"));
        text += "\nHow deep they look, in the problems that were left to the tree:\n\n| engine | iterations completed, mean | ply \
                 of a node, mean | deepest ply |\n|---|---|---|---|\n";
        let mut lines = Vec::new();
        for (player, _, _, answers) in &rows {
            let (nodes, depth) = (sum_by_ply(answers), Depth::of(answers));
            let _ =
                writeln!(text, "| {} | {:.1} | {:.1} | {} |", player.name, depth.iterations, depth.ply, depth.deepest);
            lines.push((player.name.to_string(), nodes.into_iter().skip(1).collect()));
        }
        text += &self.plot(experiment.name, "nodes", by_ply(&lines));
        Ok(Some(text))
    }
}

fn row(pairing: &Pairing, found: &Found) -> String {
    let Found { setting, tally, score, elo } = found;
    let reading = match score {
        s if s.value - s.error > 0.5 => "stronger",
        s if s.value + s.error < 0.5 => "weaker",
        _ => "open",
    };
    let published = pairing.published.map_or("—".into(), |counts| {
        let [wins, losses, draws] = counts;
        format!("+{wins} −{losses} ={draws}, {}", percent(Share::published(counts)))
    });
    let games = match tally.games() {
        all if all >= pairing.games => all.to_string(),
        some => format!("{some} of {}", pairing.games),
    };
    let number = |elo: f64| {
        if elo.is_finite() {
            format!("{elo:+.0}")
        } else if elo > 0.0 {
            "∞".into()
        } else {
            "−∞".into()
        }
    };
    format!(
        "| {} | {} | {} | {} | +{} −{} ={} | {} | {} [{}, {}] | {reading} | {published} |\n",
        pairing.first.name,
        pairing.second.name,
        setting.pace,
        games,
        tally.wins,
        tally.losses,
        tally.draws,
        percent(*score),
        number(elo.value),
        number(elo.low),
        number(elo.high)
    )
}

fn percent(score: Share) -> String {
    format!("{:.1} ± {:.1} %", 100.0 * score.value, 100.0 * score.error)
}

/// A part of a number of problems, with the error of a binomial distribution.
fn part(solved: u32, of: u32) -> Share {
    let value = solved as f64 / of.max(1) as f64;
    Share { value, error: 1.96 * (value * (1.0 - value) / of.max(1) as f64).sqrt() }
}

/// Problems that one engine solved and the first did not, and the other way round; whether that is more than chance (McNemar,
/// 1947).
fn paired(answers: &[ProblemAnswer], first: &[ProblemAnswer]) -> String {
    let only = |one: &ProblemAnswer, other: &ProblemAnswer| one.solved && !other.solved;
    let pairs = || answers.iter().zip(first);
    let more = pairs().filter(|(here, there)| only(here, there)).count() as f64;
    let fewer = pairs().filter(|(here, there)| only(there, here)).count() as f64;
    let reading = match (more - fewer) * (more - fewer) > 1.96 * 1.96 * (more + fewer) {
        false => "open",
        true if more > fewer => "more",
        true => "fewer",
    };
    format!("+{more} −{fewer}, {reading}")
}

fn sum_by_ply(answers: &[ProblemAnswer]) -> Vec<u64> {
    let plies = answers.iter().map(|a| a.by_ply.len()).max().unwrap_or(0);
    let mut sum = vec![0; plies];
    answers.iter().for_each(|a| sum.iter_mut().zip(&a.by_ply).for_each(|(sum, nodes)| *sum += nodes));
    sum
}

/// How deep an engine looked.
struct Depth {
    iterations: f64,
    ply: f64,
    deepest: usize,
}

impl Depth {
    fn of(answers: &[ProblemAnswer]) -> Depth {
        let searched: Vec<&ProblemAnswer> = answers.iter().filter(|a| !a.by_ply.is_empty()).collect();
        let iterations: usize = searched.iter().map(|a| a.iterations.len()).sum();
        let nodes = sum_by_ply(answers);
        let weighted: u64 = nodes.iter().enumerate().map(|(ply, n)| ply as u64 * n).sum();
        Depth {
            iterations: iterations as f64 / searched.len().max(1) as f64,
            ply: weighted as f64 / nodes.iter().sum::<u64>().max(1) as f64,
            deepest: nodes.len().saturating_sub(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_compared_problem_by_problem() {
        let answers = |solved: &dyn Fn(usize) -> bool| {
            let answer = |problem| ProblemAnswer {
                problem,
                category: String::new(),
                best: String::new(),
                solved: solved(problem),
                mate: false,
                iterations: Vec::new(),
                by_ply: Vec::new(),
            };
            (0..30).map(answer).collect::<Vec<_>>()
        };
        let first = answers(&|n| n < 20);
        assert_eq!(paired(&answers(&|n| n < 10), &first), "+0 −10, fewer");
        assert_eq!(paired(&answers(&|n| n < 29), &first), "+9 −0, more");
        // 5 against 12: 49 is less than 3.84 times 17.
        assert_eq!(paired(&answers(&|n| (12..25).contains(&n)), &first), "+5 −12, open");
    }
}
