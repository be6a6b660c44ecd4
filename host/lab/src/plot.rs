//! Colours and SVG output shared by all plots. `plotters` draws them.

use plotters::prelude::*;

/// Colours that colour-blind readers can distinguish, on light and dark backgrounds (Okabe and Ito, 2008).
pub const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];
/// Colour of axes and grids.
pub const GREY: RGBColor = RGBColor(128, 128, 128);
/// Font of all text.
pub const FONT: &str = "sans-serif";

/// The drawing area.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
/// An error of the drawing library.
pub type DrawError = Box<dyn std::error::Error>;

/// Draws a picture with this width and height in pixels; `None` if drawing fails.
pub fn svg(size: (u32, u32), draw: impl FnOnce(&Area) -> Result<(), DrawError>) -> Option<String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        draw(&area).ok()?;
        area.present().ok()?;
    }
    Some(text)
}
