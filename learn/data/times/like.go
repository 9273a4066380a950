package times

import (
	"strconv"
	"strings"
)

// Like returns the time as text in the form of another text of the same column or, if that is too
// short for the time, as String does.
func (t Time) Like(example string, f *Format) string {
	if f.form == 0 && f.layout == "" {
		return strconv.FormatFloat(float64(t.Instant())/float64(second), 'f', -1, 64)
	}
	if text := t.text(f.layoutOf(example)); text != "" {
		if back, ok := f.Parse(text); ok && back.Instant() == t.Instant() {
			return text
		}
	}
	return t.String()
}

// layoutOf returns the layout of package time in which a text is. It is empty if the text is in
// none.
func (f *Format) layoutOf(text string) string {
	if f.form == 0 {
		return f.layout
	}
	if _, ok := scan(text); !ok {
		return ""
	}
	date, rest := text, ""
	if i := strings.IndexAny(text, " Tt"); i >= 0 {
		date, rest = text[:i], text[i:]
	}
	sign := date[strings.IndexAny(date, "-/."):][:1]
	names := map[form][]string{yearFirst: {"2006", "01", "02"}, dayFirst: {"02", "01", "2006"}, monthFirst: {"01", "02", "2006"}}[f.form]
	for i, s := range strings.Split(date, sign) {
		if len(s) == 1 {
			names[i] = names[i][1:]
		}
	}
	layout := strings.Join(names, sign)
	if rest == "" {
		return layout
	}
	return layout + strings.ToUpper(rest[:1]) + clockLayout(rest[1:])
}

// clockLayout returns the layout of a clock, and of a zone after it.
func clockLayout(text string) string {
	zone := strings.TrimLeft(text, "0123456789:")
	layout, hour := ":04", "15"
	if clock := text[:len(text)-len(zone)]; strings.Count(clock, ":") == 2 {
		layout += ":05"
	}
	if zone != "" && (zone[0] == '.' || zone[0] == ',') {
		after := strings.TrimLeft(zone[1:], "0123456789")
		layout += zone[:1] + strings.Repeat("0", len(zone)-1-len(after))
		zone = after
	}
	if half := strings.TrimPrefix(zone, " "); len(half) > 1 && strings.EqualFold(half[1:2], "m") {
		hour, layout, zone = "03", layout+zone[:len(zone)-len(half)]+"PM", half[2:]
	}
	name := strings.TrimPrefix(zone, " ")
	layout = hour + layout + zone[:len(zone)-len(name)]
	switch {
	case name == "Z" || name == "z":
		return layout + "Z07:00"
	case name == "UTC" || name == "GMT":
		return layout + name
	case strings.Contains(name, ":"):
		return layout + "-07:00"
	}
	return layout + map[int]string{3: "-07", 5: "-0700"}[len(name)]
}
