// Package beam runs the queries of packages that pgmc generates on Apache Beam: [Score], [Predict]
// and [Count] are transforms that read files, ask an engine about their rows, and write parts of a
// result. It is a module of its own, since Beam requires many others.
//
// It holds no code of a model: [Register] names a generated package, of which the transforms use
// the methods by column. It is no client of a store of objects either: all workers must reach the
// files, and the folder of the result, by the same paths.
//
//	files ─► row groups ─► Reshuffle ─► DoFn with an engine ─► part-HASH-GROUP.parquet ─┐
//	                                        └─► bad rows              sums, by part ────┴─► _SUCCESS
//
// An element is a row group of a Parquet file, or a whole file of another format, because a line
// break in quotes leaves no safe place to cut one; no element is a row. The name of a part depends
// on the name of its input only, and a part is written aside and renamed: a runner may repeat or
// abandon work, and the result is that of one run. _SUCCESS comes after all parts.
//
// The sums are added in the order of files and row groups, so that they do not depend on the
// workers.
package beam
