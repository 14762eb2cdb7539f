//! What an answer is drawn as.

/// How a graph is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Drawing {
    /// A line for each field.
    #[default]
    Text,
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
    /// A picture.
    Svg,
    /// Data.
    Json,
}

impl Drawing {
    /// The drawing of a name.
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

/// What an answer is drawn as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Medium {
    /// Text for a terminal.
    #[default]
    Text,
    /// JSON, by the schemas in `docs/schema`.
    Json,
    /// A page.
    Html,
}

impl Medium {
    /// The medium of a name.
    pub fn from_name(name: &str) -> Option<Medium> {
        Some(match name {
            "text" => Medium::Text,
            "json" => Medium::Json,
            "html" => Medium::Html,
            _ => return None,
        })
    }
}
