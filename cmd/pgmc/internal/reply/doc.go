// Package reply shows an answer to one question: as text, as a line of JSON, as a fragment of HTML
// or as a chart, and with bounds that are proven of it.
package reply
