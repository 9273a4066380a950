package format_test

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
)

// Two documents of two words and one: a variable for each pair in the table.
func ExampleReadOptions_skeleton() {
	const text = `{"pgmc": 2, "kind": "bayes", "plates": {"document": 1, "position": 1},
		"variables": [
			{"name": "topic", "states": ["sport", "art"], "in": ["document"]},
			{"name": "word", "states": ["goal", "play"], "in": ["document", "position"]}],
		"factors": [
			{"scope": ["topic"], "child": "topic", "in": ["document"], "table": [0.5, 0.5]},
			{"scope": ["topic", "word"], "child": "word", "in": ["document", "position"], "table": [0.8, 0.2, 0.1, 0.9]}]}`
	words := &format.Table{
		Name:    "words.csv",
		Columns: []string{"document", "position", "word"},
		Rows:    [][]string{{"letter", "1", "goal"}, {"letter", "2", "play"}, {"note", "1", "play"}},
	}
	m, list := format.ReadFrom(compiler.Formats, "words.json", strings.NewReader(text), format.ReadOptions{Skeleton: []*format.Table{words}})
	if err := list.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range m.Vars {
		fmt.Println(v.Name)
	}
	for k, row := range words.Vars {
		fmt.Println(m.Vars[row[2]].Name, "=", words.Rows[k][2])
	}
	// Output:
	// topic[letter]
	// topic[note]
	// word[letter,1]
	// word[letter,2]
	// word[note,1]
	// word[letter,1] = goal
	// word[letter,2] = play
	// word[note,1] = play
}
