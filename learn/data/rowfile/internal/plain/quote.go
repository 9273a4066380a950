package plain

import (
	"strconv"
	"strings"
)

// Quote quotes a text for a message and cuts a long one.
func Quote(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return strconv.Quote(s)
}

// QuoteList quotes texts for a message and shortens a long list.
func QuoteList(list []string) string {
	const most = 10
	var parts []string
	for _, s := range list[:min(len(list), most)] {
		parts = append(parts, Quote(s))
	}
	if len(list) > most {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ", ")
}
