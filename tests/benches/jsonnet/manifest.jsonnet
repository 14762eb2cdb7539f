// manifest an object of 50,000 fields
{ ["key" + i]: { id: i, name: "name " + i, tags: ["a", "b", "c", i], nested: { x: i / 3, y: [1, 2, { z: "deep" }] } } for i in std.range(1, 50000) }
