//! Finds answers in a stream of words.
//!
//! A frame's header says where its trailer is. If there is no good trailer, or the wait for it is given up, then words were
//! damaged, lost or inserted, or a reset has cut the answer short. The chip does not mark the beginning of the next answer, so
//! from then on every word with the mark of a trailer is checked: it ends a frame if a word before it is a header of the
//! right length and the CRC is right. So the first undamaged answer is found when it ends, whatever came before it.

use hayasashi_model::link::{
    frame::{Frame, FrameError},
    word_frame::{decode_word_frame, WordAssembler},
};
use hayasashi_spec::{
    frame::MAX_ANSWER_PAYLOAD,
    word_frame::{frame_words, has_mark, header, FILLER, MAX_ANSWER_WORDS, WORD_BYTES},
};
use std::collections::VecDeque;

/// The host's receiver of word frames.
#[derive(Debug)]
pub(super) struct WordAnswers {
    assembler: WordAssembler,
    /// Words of the frame in progress, header first; where frames are lost, the latest words, as many as a frame may have.
    words: VecDeque<u64>,
    /// It is not known where a frame begins.
    is_lost: bool,
}

impl WordAnswers {
    pub(super) fn new() -> WordAnswers {
        WordAnswers {
            assembler: WordAssembler::default(),
            words: VecDeque::with_capacity(MAX_ANSWER_WORDS),
            is_lost: false,
        }
    }

    /// Takes some bytes and calls `each` for every frame, good or bad, that ends in them.
    pub(super) fn push(&mut self, bytes: &[u8], mut each: impl FnMut(Result<Frame, FrameError>)) {
        let mut assembler = self.assembler;
        assembler.push(bytes, |word| {
            if self.word(word, &mut each) {
                self.find_again(&mut |frame| each(Ok(frame)));
            }
        });
        self.assembler = assembler;
    }

    /// Does not wait for the rest of the frame in progress any longer, and looks for frames in its words. If its rest
    /// arrives after all, it is found.
    pub(super) fn give_up(&mut self, mut each: impl FnMut(Frame)) {
        if !self.is_lost && !self.words.is_empty() {
            self.find_again(&mut each);
        }
    }

    /// Takes a word. Returns whether it was expected to end a frame and does not.
    fn word(&mut self, word: u64, each: &mut dyn FnMut(Result<Frame, FrameError>)) -> bool {
        if self.is_lost {
            self.search(word, &mut |frame| each(Ok(frame)));
            return false;
        }
        if self.words.is_empty() {
            let header = header(word);
            if header.length as usize > MAX_ANSWER_PAYLOAD {
                each(Err(FrameError::TooLong { header, limit: MAX_ANSWER_PAYLOAD }));
                self.is_lost = true;
            } else if word != FILLER {
                self.words.push_back(word);
            }
            return false;
        }
        self.words.push_back(word);
        if self.words.len() < frame_words(header(self.words[0]).length.into()) {
            return false;
        }
        let bytes = self.bytes_from(0);
        let frame = decode_word_frame(&bytes);
        each(frame);
        if frame.is_ok() {
            self.words.clear();
        }
        frame.is_err()
    }

    /// Takes a word where it is not known where a frame begins.
    fn search(&mut self, word: u64, each: &mut dyn FnMut(Frame)) {
        if self.words.len() == MAX_ANSWER_WORDS {
            self.words.pop_front();
        }
        self.words.push_back(word);
        if !has_mark(word) {
            return;
        }
        let words = self.words.len();
        let ends_here = |from: usize| frame_words(header(self.words[from]).length.into()) == words - from;
        for from in (0..words - 1).filter(|&from| ends_here(from)) {
            if let Ok(frame) = decode_word_frame(&self.bytes_from(from)) {
                each(frame);
                self.words.clear();
                self.is_lost = false;
                return;
            }
        }
    }

    /// Looks for frames in the words of one that is bad or given up. The caller has reported it, so only good ones count.
    fn find_again(&mut self, each: &mut dyn FnMut(Frame)) {
        let mut ahead = std::mem::take(&mut self.words);
        self.is_lost = true;
        while let Some(word) = ahead.pop_front() {
            if self.word(word, &mut |frame| frame.into_iter().for_each(&mut *each)) {
                // Each time a good frame lies before this one, so that fewer words are left.
                self.words.append(&mut ahead);
                ahead = std::mem::take(&mut self.words);
                self.is_lost = true;
            }
        }
    }

    fn bytes_from(&self, from: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(WORD_BYTES * (self.words.len() - from));
        self.words.iter().skip(from).for_each(|word| bytes.extend(word.to_le_bytes()));
        bytes
    }
}
