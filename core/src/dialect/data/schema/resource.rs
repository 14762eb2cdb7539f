//! CustomResourceDefinitions.

use super::Reader;
use crate::term::{NodeId, Term};
use crate::text::Name;

/// The objects that a CustomResourceDefinition describes.
pub struct Resource {
    /// Their kind.
    pub kind: Name,
    /// Their values of `apiVersion`: the group with each version.
    pub versions: Vec<Name>,
}

/// Returns what a CustomResourceDefinition describes.
pub fn resource(term: &Term) -> Option<Resource> {
    let reader = Reader::new(term, 0);
    let root = reader.body();
    reader.text(reader.get(root, "kind")?).filter(|kind| *kind == "CustomResourceDefinition")?;
    let spec = reader.get(root, "spec")?;
    let kind = reader.text(reader.get(reader.get(spec, "names")?, "kind")?)?;
    let group = reader.get(spec, "group").and_then(|group| reader.text(group));
    let version = |of: &NodeId| reader.text(reader.get(*of, "name")?);
    let all = reader.get(spec, "versions").map(|all| reader.items(all)).unwrap_or_default();
    let named = all.iter().filter_map(version);
    let versions = group.map(|group| named.map(|name| Name::from(format!("{group}/{name}"))).collect());
    Some(Resource { kind, versions: versions.unwrap_or_default() })
}
