//! The report: our results beside the published ones, as Markdown with plots.

use super::{
    answers::{self, ProblemAnswer, ProblemSettings},
    matches::{PairingResult, Proportion, Z_95},
    plot::{bar_chart, nodes_by_ply, Bar},
    Experiment, ExperimentError, ExperimentKind, Pairing, Player, EXPERIMENTS,
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
/// Number of problems in the paper of 2002.
const PUBLISHED_PROBLEMS: u32 = 48;

const HEAD: &str = "# Published experiments, repeated

```
hayasashi experiment all --openings OPENINGS --problems PROBLEMS --out RESULTS
```

The command writes this page and its plots into RESULTS; `hayasashi experiment report --out RESULTS` rewrites them from the results
alone. OPENINGS has one start position on each line, as for `match`. `--records RECORDS` takes the openings from game records
instead, cut at ply 31 as in the paper of 2002. PROBLEMS has one next-move problem on each line: category, difficulty, SFEN and the
first moves that solve it, separated by tabs.

A score is wins plus half of the draws, as a share of the games. Errors are 95 % intervals. For our games they come from pairs (an
opening played twice with colours swapped); for published games they assume independent games. *Stronger* and *weaker* mean that the
interval excludes ½; *open* means that it does not. If a match was stopped early, the number of planned games is given.

*Compared with the first engine* counts the problems that only this engine solved and those that only the first engine solved; *more*
and *fewer* mean that the difference is significant at 95 % (McNemar, 1947).
";

/// The text of the report and its plots by file name.
#[derive(Debug, PartialEq)]
pub struct Report {
    /// The text in Markdown.
    pub text: String,
    /// The plots in SVG.
    pub plots: BTreeMap<String, String>,
}

impl Report {
    /// The report of the results in a folder.
    ///
    /// # Errors
    /// Results that cannot be read or parsed, or a folder without results.
    pub fn of_folder(folder: &Path) -> Result<Report, ExperimentError> {
        let mut report = Report { text: HEAD.into(), plots: BTreeMap::new() };
        let mut any = false;
        for experiment in EXPERIMENTS {
            let body = match experiment.kind {
                ExperimentKind::Matches(pairings) => report.matches(experiment, pairings, folder)?,
                ExperimentKind::Problems(_, players) => report.problems(experiment, players, folder)?,
            };
            if let Some(body) = body {
                any = true;
                let Experiment { name, title, source, published, differences, .. } = experiment;
                let _ = write!(
                    report.text,
                    "\n## `{name}`: {title}\n\nSource: {source}.\n\nPublished: {published}\n\nDifferences: {differences}\n\n{body}"
                );
            }
        }
        match any {
            true => Ok(report),
            false => Err(ExperimentError::NoResults { folder: folder.into() }),
        }
    }

    /// Writes the text and the plots into a folder and returns the path of the text.
    ///
    /// # Errors
    /// A file that cannot be written.
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
            rows.extend(PairingResult::read(experiment, pairing, folder)?.map(|result| (pairing, result)));
        }
        if rows.is_empty() {
            return Ok(None);
        }
        let mut text = String::from(
            "| engine | against | each move | games | + − = | score | Elo | reading | published |\n|---|---|---|---|---|---|---|---|---|\n",
        );
        for (pairing, result) in &rows {
            text += &row(pairing, result);
        }
        let bar = |(pairing, result): &(&Pairing, PairingResult)| Bar {
            name: format!("{} : {}, {}", pairing.first.name, pairing.second.name, result.settings.pace),
            measured: result.score,
            published: pairing.published.map(Proportion::published),
        };
        let from: BTreeSet<&str> = rows.iter().map(|(_, result)| result.settings.openings.as_str()).collect();
        let from: Vec<&str> = from.into_iter().collect();
        let _ = writeln!(text, "\nOpenings (number and checksum of the positions): {}.", from.join("; "));
        let all: Vec<Bar> = rows.iter().map(bar).collect();
        text +=
            &self.plot(experiment.name, "scores", bar_chart(&all, "score of the engine named first, 95 % intervals"));
        Ok(Some(text))
    }

    /// Adds a plot and returns the line of Markdown that shows it.
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
        let mut solvers = Vec::new();
        for (player, published) in players {
            let read = answers::read(experiment, player, folder)?.filter(|(_, answers)| !answers.is_empty());
            let solver = |(settings, answers): (ProblemSettings, _)| Solver {
                player,
                published: *published,
                nodes: settings.nodes,
                answers,
            };
            solvers.extend(read.map(solver));
        }
        if solvers.is_empty() {
            return Ok(None);
        }
        let mut text = solved_table(&solvers);
        let all: Vec<Bar> = solvers.iter().map(Solver::bar).collect();
        text += &self.plot(experiment.name, "solved", bar_chart(&all, "problems solved, 95 % intervals"));
        text += &depth_table(&solvers);
        let nodes = |s: &Solver| (s.player.name.to_string(), sum_by_ply(&s.answers).into_iter().skip(1).collect());
        let lines: Vec<_> = solvers.iter().map(nodes).collect();
        text += &self.plot(experiment.name, "nodes", nodes_by_ply(&lines));
        Ok(Some(text))
    }
}

/// An engine with its answers to the problems.
struct Solver {
    player: &'static Player,
    /// Published number of solved problems.
    published: Option<u32>,
    nodes: u64,
    answers: Vec<ProblemAnswer>,
}

impl Solver {
    /// Solved problems and problems, among those that `select` selects.
    fn solved(&self, select: impl Fn(&ProblemAnswer) -> bool) -> (u32, u32) {
        let selected = || self.answers.iter().filter(|a| select(a));
        (selected().filter(|a| a.solved).count() as u32, selected().count() as u32)
    }

    fn bar(&self) -> Bar {
        let (solved, problems) = self.solved(|_| true);
        Bar {
            name: self.player.name.into(),
            measured: proportion(solved, problems),
            published: self.published.map(|n| proportion(n, PUBLISHED_PROBLEMS)),
        }
    }
}

fn solved_table(solvers: &[Solver]) -> String {
    let categories: BTreeSet<&str> =
        solvers.iter().flat_map(|s| s.answers.iter().map(|a| a.category.as_str())).collect();
    let mut text = String::from("Solved, by category:\n\n| engine | nodes | all |");
    categories.iter().for_each(|category| text += &format!(" {category} |"));
    text += &format!(
        " by mate search | left to the tree search | compared with the first engine | published |\n|---|---|---|{}---|---|---|---|\n",
        "---|".repeat(categories.len())
    );
    let count = |(solved, of): (u32, u32)| format!("{solved}/{of}");
    for (index, solver) in solvers.iter().enumerate() {
        let Solver { player, published, nodes, answers } = solver;
        let _ = write!(text, "| {} | {} | {} |", player.name, grouped(*nodes), count(solver.solved(|_| true)));
        categories.iter().for_each(|&c| text += &format!(" {} |", count(solver.solved(|a| a.category == c))));
        let by_mate_search = answers.iter().filter(|a| a.mate).count();
        let by_tree_search = count(solver.solved(|a| !a.mate));
        let compared = if index == 0 { "—".into() } else { compared_with_first(answers, &solvers[0].answers) };
        let published = published.map_or("—".into(), |n| format!("{n}/{PUBLISHED_PROBLEMS}"));
        let _ = writeln!(text, " {by_mate_search} | {by_tree_search} | {compared} | {published} |");
    }
    text
}

fn depth_table(solvers: &[Solver]) -> String {
    let mut text = String::from(
        "\nDepth of the trees, over the problems left to the tree search:\n\n| engine | completed iterations, mean | ply of a \
         node, mean | deepest ply |\n|---|---|---|---|\n",
    );
    for Solver { player, answers, .. } in solvers {
        let Depth { iterations, ply, deepest } = Depth::of(answers);
        let _ = writeln!(text, "| {} | {iterations:.1} | {ply:.1} | {deepest} |", player.name);
    }
    text
}

fn row(pairing: &Pairing, result: &PairingResult) -> String {
    let PairingResult { settings, tally, score, elo } = result;
    let reading = match score {
        s if s.value - s.error > 0.5 => "stronger",
        s if s.value + s.error < 0.5 => "weaker",
        _ => "open",
    };
    let published = pairing.published.map_or("—".into(), |counts| {
        let [wins, losses, draws] = counts;
        format!("+{wins} −{losses} ={draws}, {}", percent(Proportion::published(counts)))
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
        settings.pace,
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

fn percent(score: Proportion) -> String {
    format!("{:.1} ± {:.1} %", 100.0 * score.value, 100.0 * score.error)
}

/// The proportion of solved problems, with the error of a binomial distribution.
fn proportion(solved: u32, of: u32) -> Proportion {
    let value = solved as f64 / of.max(1) as f64;
    Proportion { value, error: Z_95 * (value * (1.0 - value) / of.max(1) as f64).sqrt() }
}

/// Problems that only this engine solved and that only the first engine solved, with McNemar's test (1947) at 95 %.
fn compared_with_first(answers: &[ProblemAnswer], first: &[ProblemAnswer]) -> String {
    let only = |one: &ProblemAnswer, other: &ProblemAnswer| one.solved && !other.solved;
    let pairs = || answers.iter().zip(first);
    let more = pairs().filter(|(own, first)| only(own, first)).count() as f64;
    let fewer = pairs().filter(|(own, first)| only(first, own)).count() as f64;
    let reading = match (more - fewer) * (more - fewer) > Z_95 * Z_95 * (more + fewer) {
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

/// Depth of an engine's trees.
struct Depth {
    /// Mean number of completed iterations.
    iterations: f64,
    /// Mean ply of a node.
    ply: f64,
    /// The deepest ply.
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
        assert_eq!(compared_with_first(&answers(&|n| n < 10), &first), "+0 −10, fewer");
        assert_eq!(compared_with_first(&answers(&|n| n < 29), &first), "+9 −0, more");
        // 5 against 12: 49 is less than 3.84 times 17.
        assert_eq!(compared_with_first(&answers(&|n| (12..25).contains(&n)), &first), "+5 −12, open");
    }
}
