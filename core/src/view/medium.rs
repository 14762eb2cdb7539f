//! The media in which answers are drawn.

/// The format of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Drawing {
    /// Text, one line per field.
    #[default]
    Text,
    /// Graphviz.
    Dot,
    /// Mermaid.
    Mermaid,
    /// An SVG image.
    Svg,
    /// JSON.
    Json,
}

impl Drawing {
    /// Returns the format with a name.
    pub fn from_name(name: &str) -> Option<Drawing> {
        Some(match name {
            "text" => Drawing::Text,
            "dot" => Drawing::Dot,
            "mermaid" => Drawing::Mermaid,
            "svg" => Drawing::Svg,
            "json" => Drawing::Json,
            _ => return None,
        })
    }
}

/// The medium in which an answer is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Medium {
    /// Text for a terminal.
    #[default]
    Text,
    /// JSON, by the schemas in `docs/schema`.
    Json,
    /// An HTML page.
    Html,
}

impl Medium {
    /// Returns the medium of a command that has only these two.
    pub fn text_or_json(json: bool) -> Medium {
        if json { Medium::Json } else { Medium::Text }
    }

    /// Returns the medium with a name.
    pub fn from_name(name: &str) -> Option<Medium> {
        Some(match name {
            "text" => Medium::Text,
            "json" => Medium::Json,
            "html" => Medium::Html,
            _ => return None,
        })
    }
}
