//! The parts of a format string.

use super::TRUNCATED;

/// A piece of a format string.
pub enum Piece<'t> {
    /// Literal text.
    Text(&'t str),
    /// A conversion.
    Code(Code<'t>),
}

/// A conversion: `%(key)-08.3f`.
pub struct Code<'t> {
    /// The field to format.
    pub key: Option<&'t str>,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// `-`
    pub left: bool,
    /// a space
    pub blank: bool,
    /// `+`
    pub plus: bool,
    /// The width.
    pub width: Size,
    /// The precision.
    pub precision: Size,
    /// The kind of conversion.
    pub conversion: Conversion,
    /// Whether letters are upper case.
    pub capitals: bool,
}

/// A width or a precision.
pub enum Size {
    /// Not given.
    Absent,
    /// `*`: given by the next value.
    Star,
    /// A number.
    Fixed(f64),
}

/// The kind of a conversion.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// `d`, `i`, `u`
    Decimal,
    /// `o`
    Octal,
    /// `x`, `X`
    Hexadecimal,
    /// `e`, `E`
    Scientific,
    /// `f`, `F`
    Float,
    /// `g`, `G`
    General,
    /// `c`
    Character,
    /// `s`
    String,
    /// `%`
    Percent,
}

/// Parses a format string.
///
/// # Errors
///
/// The reference's message.
pub fn parse(template: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut rest = template;
    while let Some((before, code)) = rest.split_once('%') {
        if !before.is_empty() {
            pieces.push(Piece::Text(before));
        }
        let mut parser = Parser { rest: code };
        pieces.push(Piece::Code(parser.code()?));
        rest = parser.rest;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

struct Parser<'t> {
    rest: &'t str,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Result<char, String> {
        self.rest.chars().next().ok_or_else(|| String::from(TRUNCATED))
    }

    fn skip(&mut self, c: char) {
        self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
    }

    fn code(&mut self) -> Result<Code<'t>, String> {
        let mut key = None;
        if self.peek()? == '(' {
            let (name, rest) = self.rest.get(1..).and_then(|rest| rest.split_once(')')).ok_or(TRUNCATED)?;
            key = Some(name);
            self.rest = rest;
        }
        let mut code = Code {
            key,
            alternate: false,
            zero: false,
            left: false,
            blank: false,
            plus: false,
            width: Size::Absent,
            precision: Size::Absent,
            conversion: Conversion::Percent,
            capitals: false,
        };
        loop {
            let c = self.peek()?;
            match c {
                '#' => code.alternate = true,
                '0' => code.zero = true,
                '-' => code.left = true,
                ' ' => code.blank = true,
                '+' => code.plus = true,
                _ => break,
            }
            self.skip(c);
        }
        code.width = self.size()?;
        if self.peek()? == '.' {
            self.skip('.');
            code.precision = self.size()?;
        }
        if let c @ ('h' | 'l' | 'L') = self.peek()? {
            self.skip(c);
        }
        let c = self.peek()?;
        code.conversion = match c {
            'd' | 'i' | 'u' => Conversion::Decimal,
            'o' => Conversion::Octal,
            'x' | 'X' => Conversion::Hexadecimal,
            'e' | 'E' => Conversion::Scientific,
            'f' | 'F' => Conversion::Float,
            'g' | 'G' => Conversion::General,
            'c' => Conversion::Character,
            's' => Conversion::String,
            '%' => Conversion::Percent,
            other => return Err(format!("Unrecognised conversion type: {other}")),
        };
        code.capitals = c.is_ascii_uppercase();
        self.skip(c);
        Ok(code)
    }

    fn size(&mut self) -> Result<Size, String> {
        if self.rest.starts_with('*') {
            self.skip('*');
            return Ok(Size::Star);
        }
        let mut size = 0.0;
        while let Some(digit) = self.peek()?.to_digit(10) {
            size = size * 10.0 + f64::from(digit);
            self.rest = self.rest.get(1..).unwrap_or_default();
        }
        Ok(Size::Fixed(size))
    }
}
