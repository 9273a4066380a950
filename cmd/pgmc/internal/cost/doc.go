// Package cost predicts the size and speed of a generated package before it is emitted: its source,
// its machine code, the time to build it, the time of a query, and the memory of making it.
//
// The predictions are for pgmc stats and for the refusal of packages that are too large to build.
// They are linear in the counts of a plan; the prices were fitted to what codegen reports.
package cost
