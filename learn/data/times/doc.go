// Package times tells which texts are dates and times, reads them, and finds the [Step] between
// them.
//
// A text is a time if it is a date, or a date and a clock. The date is 2026-01-31, 31/01/2026 or
// 01/31/2026, with dashes, slashes or dots. The clock follows a T or a blank: 15:04, 15:04:05 or
// 15:04:05.25, also with AM or PM. A zone may follow the clock: Z, +01:00, +0100 or +01. So the
// times of RFC 3339 are times, and those of ISO 8601 without a zone.
//
// A date such as 01/02/2026 has two meanings. A [Recognizer] of all texts of a column tells which
// one they have, if some text has only one. A [Format] says it otherwise.
//
// A time without a zone counts as one of UTC. The package knows no summer time: the zone of a text
// is the offset that the text has.
package times
