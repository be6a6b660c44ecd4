//! Games on a server of the CSA protocol: a small server of this test, on the loopback interface.

use hayasashi_shogi::{
    records::{csa_game, from_csa, to_csa},
    rules::{MoveList, Position},
};
use hayasashi_tests::program::command;
use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

/// A client as the server sees it.
struct Client {
    lines: BufReader<TcpStream>,
}

impl Client {
    fn accept(listener: &TcpListener) -> Client {
        let (stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        Client { lines: BufReader::new(stream) }
    }

    /// The next line that is not empty.
    fn line(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).expect("the client writes"), 0, "the client has gone");
            if !line.trim().is_empty() {
                return line.trim().into();
            }
        }
    }

    fn send(&mut self, text: &str) {
        self.lines.get_mut().write_all(text.as_bytes()).unwrap();
    }

    /// Accepts the login, and proposes a game in which the client has this colour.
    fn begin(&mut self, id: &str, color: char, position: &str, time: &str) {
        assert_eq!(self.line(), "LOGIN tester floodgate-300-10F,secret");
        self.send("LOGIN:tester OK\r\n##[LOGIN] +OK x1\r\n\r\n");
        self.propose(id, color, position, time);
    }

    fn propose(&mut self, id: &str, color: char, position: &str, time: &str) {
        self.send(&format!(
            "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n\
             Game_ID:{id}\nName+:one\nName-:two\nYour_Turn:{color}\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\n\
             BEGIN Time\nTime_Unit:1sec\n{time}\nEND Time\nBEGIN Position\n{position}\nEND Position\nEND Game_Summary\n"
        ));
        assert_eq!(self.line(), format!("AGREE {id}"));
        self.send(&format!("START:{id}\n"));
    }

    /// The client's move, which is legal, sent back with the time that it took.
    fn its_move(&mut self, pos: &mut Position) -> String {
        let line = self.line();
        let mv = from_csa(pos, &line).unwrap_or_else(|| panic!("{line} in {}", pos.to_sfen()));
        pos.do_move(mv);
        self.send(&format!("{line},T1\n"));
        line
    }

    /// A move of the server.
    fn our_move(&mut self, pos: &mut Position) {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let text = to_csa(pos, moves[0]);
        pos.do_move(moves[0]);
        self.send(&format!("{text},T2\n"));
    }
}

const TIME: &str = "Total_Time:2\nByoyomi:1\nLeast_Time_Per_Move:1";

/// Starts the program as a client of this listener.
fn client(listener: &TcpListener, folder: &Path, more: &[&str]) -> Child {
    let server = listener.local_addr().unwrap().to_string();
    let password = folder.join("password");
    std::fs::write(&password, "floodgate-300-10F,secret\n").unwrap();
    let (password, records) = (password.display().to_string(), records(folder).display().to_string());
    let arguments =
        ["csa", "--backend", "model", "--server", &server, "--user", "tester", "--password-file", &password];
    let fast = ["--records", &records, "--retry-ms", "50", "--option", "NodesLimit=200", "--option", "USI_Hash=8"];
    let mut command = command(&[&arguments[..], &fast, more].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn records(folder: &Path) -> PathBuf {
    folder.join("records")
}

/// Exit code, standard output and standard error of the client.
fn end(child: Child) -> (i32, String, String) {
    hayasashi_tests::program::texts(child.wait_with_output().unwrap())
}

fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").unwrap()
}

#[test]
fn games_are_played_with_both_colours_and_recorded() {
    let (listener, folder) = (listener(), tempfile::tempdir().unwrap());
    let child = client(&listener, folder.path(), &["--games", "2", "--json"]);
    // Black: six moves on each side, then the server resigns and closes the connection, as shogi-server does.
    let mut server = Client::accept(&listener);
    server.begin("test+one+two+1", '+', "PI\n+", TIME);
    let mut pos = Position::startpos();
    for _ in 0..6 {
        server.its_move(&mut pos);
        server.our_move(&mut pos);
    }
    server.its_move(&mut pos);
    server.send("%TORYO,T3\n#RESIGN\n#WIN\n");
    drop(server);
    // White, on a new connection, from a position with moves; the server wins on time.
    let mut server = Client::accept(&listener);
    server.begin("test+one+two+2", '-', "PI\n+\n+7776FU,T1\n-3334FU,T1", "Total_Time:60\nIncrement:1");
    let mut pos = Position::startpos();
    for text in ["+7776FU", "-3334FU"] {
        pos.do_move(from_csa(&pos, text).unwrap());
    }
    server.our_move(&mut pos);
    server.its_move(&mut pos);
    server.send("#TIME_UP\n#LOSE\n");
    assert_eq!(server.line(), "LOGOUT");
    let (code, out, err) = end(child);
    assert_eq!(code, 0, "{out}{err}");
    let games: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| games.iter().map(|game| game[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("outcome"), ["won", "lost"]);
    assert_eq!((of("color"), of("opponent")), (vec!["black".into(), "white".into()], vec!["two".into(), "one".into()]));
    assert_eq!(of("reason"), ["RESIGN", "TIME_UP"]);
    assert_eq!(of("moves"), [13, 4]);
    for (game, last) in games.iter().zip(["%TORYO", "%TIME_UP"]) {
        let text = std::fs::read_to_string(game["record"].as_str().unwrap()).unwrap();
        let moves = csa_game(&text).unwrap_or_else(|error| panic!("{error}: {text}")).moves.len();
        assert_eq!(game["moves"], moves, "{text}");
        assert!(
            text.starts_with("V2.2\nN+one\nN-two\n$EVENT:test+one+two+") && text.contains(&format!("\n{last}\n")),
            "{text}"
        );
    }
}

#[test]
fn a_lost_connection_is_made_again() {
    let (listener, folder) = (listener(), tempfile::tempdir().unwrap());
    let child = client(&listener, folder.path(), &[]);
    drop(Client::accept(&listener));
    // In the middle of a game: it has no result, but a record.
    let mut server = Client::accept(&listener);
    server.begin("broken", '+', "PI\n+", TIME);
    server.its_move(&mut Position::startpos());
    drop(server);
    let mut server = Client::accept(&listener);
    server.begin("whole", '+', "PI\n+", TIME);
    server.its_move(&mut Position::startpos());
    server.send("\n%TORYO\n#RESIGN\n#WIN\n");
    assert_eq!(server.line(), "LOGOUT");
    let (code, out, err) = end(child);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("broken: unfinished") && out.contains("whole: won as black") && out.contains("+1 -0 =0"),
        "{out}"
    );
    assert!(err.contains("was lost") && err.contains("connecting again in 100 ms"), "{err}");
    let broken = std::fs::read_to_string(records(folder.path()).join("broken.csa")).unwrap();
    assert!(broken.contains("\n%CHUDAN\n'unfinished: "), "{broken}");
}

#[test]
fn a_session_that_cannot_go_on_says_why() {
    let (listener, folder) = (listener(), tempfile::tempdir().unwrap());
    let child = client(&listener, folder.path(), &[]);
    let mut server = Client::accept(&listener);
    server.line();
    server.send("LOGIN:incorrect\n");
    let (code, _, err) = end(child);
    assert!(code == 2 && err.contains("refused the login of `tester`") && !err.contains("secret"), "{err}");
    // A move that the rules do not have, and an endless line.
    for (text, told) in [("+7774FU,T1\n", "not a legal move"), (&"x".repeat(40_000), "a line is longer than")] {
        let child = client(&listener, folder.path(), &["--attempts", "1"]);
        let mut server = Client::accept(&listener);
        server.begin("odd", '-', "PI\n+", TIME);
        server.send(text);
        let (code, _, err) = end(child);
        assert!(code == 2 && err.contains(told) && err.contains("hint: "), "{err}");
    }
    let refused = client(&listener, folder.path(), &["--attempts", "2"]);
    drop(listener);
    let (code, _, err) = end(refused);
    assert!(code == 2 && err.contains("hint: "), "{err}");
}

#[test]
fn a_game_that_is_lost_is_resigned() {
    let (listener, folder) = (listener(), tempfile::tempdir().unwrap());
    let child = client(&listener, folder.path(), &[]);
    let mut server = Client::accept(&listener);
    // White is mated: a pawn on 5b, a gold in hand on 5b.
    let mated =
        "P1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  * +KI *  *  *  * \nP3 *  *  *  * +FU *  *  *  * \nP+59OU\n-";
    server.begin("mated", '-', mated, TIME);
    assert_eq!(server.line(), "%TORYO");
    server.send("%TORYO,T1\n#RESIGN\n#LOSE\n");
    let (code, out, err) = end(child);
    assert!(code == 0 && out.contains("mated: lost as white against one after 0 moves (RESIGN)"), "{out}{err}");
}
