//! What all plots share: colours, and SVG drawn into a string by `plotters`.

use plotters::prelude::*;

/// Colours that are told apart by the colour-blind, on light and on dark (Okabe and Ito, 2008).
pub const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];
/// Of axes and grids.
pub const GREY: RGBColor = RGBColor(128, 128, 128);
/// Of all text.
pub const FONT: &str = "sans-serif";

/// What is drawn on.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
/// Whatever goes wrong while drawing.
pub type Failure = Box<dyn std::error::Error>;

/// Draws a picture of this width and height; `None` if that fails.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Area) -> Result<(), Failure>) -> Option<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area).ok()?;
        area.present().ok()?;
    }
    Some(text)
}
