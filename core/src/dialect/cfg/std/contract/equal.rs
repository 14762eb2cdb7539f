//! The body of `std.contract.Equal`.

/// Implements equality contracts as functions of label and value, so that everything is checked lazily, as in Nickel: the
/// fields of a record by a record contract, the elements of an array one by one, everything else by `==`.
pub const EQUAL: &str = r##"
let rec Equal = fun constant =>
  let expected = std.typeof constant in
  let blame = fun message label => std.contract.blame_with_message message label in
  let kind = fun x => if std.enum.is_enum_variant x then "an enum variant" else "an enum tag" in
  let same_kind = fun label value =>
    let found = std.typeof value in
    if found != expected then
      blame "expected a value of kind %{expected}, found one of kind %{found}" label
    else if found == 'Enum && std.enum.is_enum_variant value != std.enum.is_enum_variant constant then
      blame "expected %{kind constant}, found %{kind value}" label
    else
      value
  in
  let list = fun names => std.string.join ", " (std.array.map (fun n => "`" ++ n ++ "`") names) in
  if expected == 'Record then
    let names = std.record.fields constant in
    let contract =
      std.record.merge_all (std.array.map (fun n => { "%{n}" | Equal (std.record.get n constant) }) names)
    in
    fun label value =>
      let value = same_kind label value in
      let missing = std.array.filter (fun n => !(std.record.has_field n value)) names in
      let extra = std.array.filter (fun n => !(std.record.has_field n constant)) (std.record.fields value) in
      if extra != [] then
        blame "a field too many: %{list extra}" label
      else if missing != [] then
        blame "a field is missing: %{list missing}" label
      else
        std.contract.apply contract label value
  else if expected == 'Array then
    let length = std.array.length constant in
    fun label value =>
      let value = same_kind label value in
      if std.array.length value != length then
        blame "expected %{std.to_string length} elements, found %{std.to_string (std.array.length value)}" label
      else
        std.array.map_with_index (fun i x => std.contract.apply (Equal (std.array.at i constant)) label x) value
  else
    fun label value =>
      if same_kind label value == constant then value
      else if expected == 'Bool || expected == 'Number then blame "expected %{std.to_string constant}" label
      else if expected == 'String then blame "expected %{std.serialize 'Json constant}" label
      else if std.enum.is_enum_tag constant then blame "expected '%{std.to_string constant}" label
      else std.contract.blame label
in Equal
"##;
