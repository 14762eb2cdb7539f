//! The lists that the Kubernetes API merges by a key.

use crate::text::Name;
use crate::text::path::{KeyField, ListRule, Step};

/// Returns the merge key that the Kubernetes API gives a list, the tag `patchMergeKey` of its types (`k8s.io/api`). Where server-side
/// apply has more keys (`listMapKey`), the list has these.
/// Lists without one, such as `args` and `tolerations`, are replaced.
pub(super) fn merge_key(kind: &str, path: &[Step]) -> Option<ListRule> {
    let mut names =
        path.iter().rev().filter_map(|step| if let Step::Field(name) = step { Some(&**name) } else { None });
    let (last, parent) = (names.next()?, names.next().unwrap_or(""));
    let keys: &[(&'static str, Option<&'static str>)] = match (last, parent) {
        ("containers" | "initContainers" | "ephemeralContainers" | "volumes", _) => &[("name", None)],
        // those of a service account have no key
        ("imagePullSecrets", "spec") => &[("name", None)],
        ("env", "containers" | "initContainers" | "ephemeralContainers") => &[("name", None)],
        ("volumeMounts", _) => &[("mountPath", None)],
        ("volumeDevices", _) => &[("devicePath", None)],
        ("ports", "containers" | "initContainers" | "ephemeralContainers") => {
            &[("containerPort", None), ("protocol", Some("TCP"))]
        }
        ("ports", "spec") if kind == "Service" => &[("port", None), ("protocol", Some("TCP"))],
        ("secrets", "") if kind == "ServiceAccount" => &[("name", None)],
        ("webhooks", "") => &[("name", None)],
        ("matchConditions", "webhooks" | "spec") => &[("name", None)],
        // those of a `MutatingAdmissionPolicy` have no key
        ("variables", "spec") if kind == "ValidatingAdmissionPolicy" => &[("name", None)],
        ("resourceClaims" | "schedulingGates" | "evictionResponders", "spec") => &[("name", None)],
        ("resourceClaimStatuses" | "allocatedResourcesStatus", _) => &[("name", None)],
        ("drivers", "spec") if kind == "CSINode" => &[("name", None)],
        ("reservedFor", "status") if kind == "ResourceClaim" => &[("uid", None)],
        ("podIPs" | "hostIPs", "status") => &[("ip", None)],
        ("addresses", "status") if kind == "Node" => &[("type", None)],
        ("hostAliases", _) => &[("ip", None)],
        ("topologySpreadConstraints", _) => &[("topologyKey", None)],
        ("ownerReferences", "metadata") => &[("uid", None)],
        ("conditions", "status") => &[("type", None)],
        ("finalizers", "metadata") | ("podCIDRs", "spec") => return Some(ListRule::Unique),
        _ => return None,
    };
    let key = |(name, default): &(&'static str, Option<&'static str>)| KeyField {
        name: Name::new_static(name),
        default: default.map(Name::new_static),
    };
    Some(ListRule::Key(keys.iter().map(key).collect()))
}

#[cfg(test)]
mod tests {
    use super::merge_key;
    use crate::text::path::FieldPath;

    /// The tags of `core/v1/types.go` and `admissionregistration/v1/types.go`: two lists with one name may differ.
    #[test]
    fn lists_of_one_name_differ_by_the_kind_of_their_object() {
        for (kind, path, expected) in [
            ("Pod", "spec.imagePullSecrets", Some("key:name")),
            ("ServiceAccount", "imagePullSecrets", None),
            ("ServiceAccount", "secrets", Some("key:name")),
            ("ValidatingAdmissionPolicy", "spec.variables", Some("key:name")),
            ("MutatingAdmissionPolicy", "spec.variables", None),
            ("MutatingAdmissionPolicy", "spec.matchConditions", Some("key:name")),
            ("CSINode", "spec.drivers", Some("key:name")),
            ("Service", "spec.ports", Some("key:port,protocol=TCP")),
            ("Ingress", "spec.ports", None),
        ] {
            let found = merge_key(kind, &FieldPath::parse(path).expect("a path").steps);
            assert_eq!(found.map(|rule| rule.to_string()).as_deref(), expected, "{kind} {path}");
        }
    }
}
