package json_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/json"
	"github.com/pgmc-go/pgmc/ir/model"
)

// readSkeleton reads a network of three plates with the objects of tables: x in a, y in a and c, z
// in all, with the parents x and y.
func readSkeleton(tables ...*format.Table) (*model.Model, string) {
	const text = `{"pgmc": 2, "kind": "bayes", "plates": {"a": 2, "b": 2, "c": 2}, "variables": [
{"name": "x", "states": ["s", "t"], "in": ["a"]}, {"name": "y", "states": ["s", "t"], "in": ["c", "a"]}, {"name": "z", "states": ["s", "t"], "in": ["a", "b", "c"]}, {"name": "w", "states": ["s", "t"]}],
"factors": [{"scope": ["w"], "child": "w", "table": [0.5, 0.5]},
{"scope": ["x"], "child": "x", "in": ["a"], "table": [0.5, 0.5]},
{"scope": ["y"], "child": "y", "in": ["a", "c"], "table": [0.5, 0.5]},
{"scope": ["w", "x", "y", "z"], "child": "z", "in": ["c", "b", "a"], "tied": ["a"], "table": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]}]}`
	m, list := format.ReadSource(json.Format, &format.Source{Name: "m", Data: []byte(text)}, format.ReadOptions{Skeleton: tables})
	if err := list.Err(); err != nil {
		return nil, err.Error()
	}
	return m, ""
}

// randomTable returns a table of some of the plates a, b and c, with repeated rows.
func randomTable(rng *rand.Rand) *format.Table {
	t := &format.Table{Name: "t"}
	for _, i := range rng.Perm(3)[:1+rng.IntN(3)] {
		t.Columns = append(t.Columns, "abc"[i:i+1])
	}
	for range 1 + rng.IntN(9) {
		row := []string{}
		for range t.Columns {
			row = append(row, fmt.Sprint("o", rng.IntN(3)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// TestSkeleton reads random tables. A variable exists for the joint indices that each table of its
// plates has, by going through all of them, and has the parents with these objects.
func TestSkeleton(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var tables []*format.Table
		for range rng.IntN(4) {
			tables = append(tables, randomTable(rng))
		}
		objects := map[string][]string{}
		for _, x := range tables {
			for i, plate := range x.Columns {
				for _, row := range x.Rows {
					if !slices.Contains(objects[plate], row[i]) {
						objects[plate] = append(objects[plate], row[i])
					}
				}
			}
		}
		want := wanted(tables, objects)
		m, err := readSkeleton(tables...)
		if err != "" {
			if !strings.Contains(err, "found plates without a joint index that all tables have; want one") || len(want) > 0 && strings.Contains(strings.Join(want, " "), "z[") {
				t.Fatalf("%d: %s; want %v", seed, err, want)
			}
			continue
		}
		var got []string
		for _, f := range m.Factors {
			v := m.Vars[f.ChildVar()].Name
			got = append(got, v)
			if at, ok := strings.CutPrefix(v, "z["); ok {
				o := strings.Split(strings.TrimSuffix(at, "]"), ",")
				var parents []string
				for _, u := range f.Parents() {
					parents = append(parents, m.Vars[u].Name)
				}
				if got, want := strings.Join(parents, " "), fmt.Sprintf("w x[%s] y[%s,%s]", o[0], o[2], o[0]); got != want {
					t.Errorf("%d: the parents of %s are %s; want %s", seed, v, got, want)
				}
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%d: variables %v; want %v", seed, got, want)
		}
		for _, group := range m.Tied {
			_, first, z := strings.Cut(m.Vars[group[0]].Name, ",") // z[a,b,c], tied over a
			for _, v := range group {
				if _, other, _ := strings.Cut(m.Vars[v].Name, ","); z && m.Vars[v].Name[0] == 'z' && other != first {
					t.Errorf("%d: tied %s and %s", seed, m.Vars[group[0]].Name, m.Vars[v].Name)
				}
			}
		}
		same(t, m)
	}
}

// wanted lists the variables of readSkeleton.
func wanted(tables []*format.Table, objects map[string][]string) (names []string) {
	names = []string{"w"}
	for name, plates := range map[string][]string{"x": {"a"}, "y": {"c", "a"}, "z": {"a", "b", "c"}} {
		tuples := [][]string{{}}
		for _, plate := range plates {
			list := objects[plate]
			if list == nil {
				list = []string{"1", "2"}
			}
			var longer [][]string
			for _, tuple := range tuples {
				for _, o := range list {
					longer = append(longer, append(slices.Clone(tuple), o))
				}
			}
			tuples = longer
		}
		for _, tuple := range tuples {
			if !slices.ContainsFunc(tables, func(x *format.Table) bool { return misses(x, plates, tuple) }) {
				names = append(names, name+"["+strings.Join(tuple, ",")+"]")
			}
		}
	}
	slices.Sort(names)
	return names
}

// misses reports whether a table has only columns of the plates, and no row with their objects.
func misses(x *format.Table, plates, tuple []string) bool {
	var want []string
	for _, c := range x.Columns {
		i := slices.Index(plates, c)
		if i < 0 {
			return false
		}
		want = append(want, tuple[i])
	}
	return !slices.ContainsFunc(x.Rows, func(row []string) bool { return slices.Equal(row, want) })
}

func TestSkeletonValues(t *testing.T) {
	takes := &format.Table{Name: "takes", Columns: []string{"x", "c", "y", "a"}, Rows: [][]string{{"s", "p", "t", "q"}, {"s", "r", "", "q"}}}
	m, err := readSkeleton(takes)
	if err != "" {
		t.Fatal(err)
	}
	var got []string
	for k, row := range takes.Vars {
		for c, v := range row {
			if v >= 0 {
				got = append(got, m.Vars[v].Name+"="+takes.Rows[k][c])
			}
		}
	}
	if want := "x[q]=s y[p,q]=t x[q]=s y[r,q]="; strings.Join(got, " ") != want {
		t.Errorf("values %v; want %s", got, want)
	}
}

func TestSkeletonErrors(t *testing.T) {
	table := func(columns string, rows ...string) *format.Table {
		x := &format.Table{Name: columns, Columns: strings.Split(columns, ",")}
		for _, row := range rows {
			x.Rows = append(x.Rows, strings.Split(row, ","))
		}
		return x
	}
	for want, tables := range map[string][]*format.Table{
		`x,y: found the columns ["x" "y"]; want one of the plates ["a" "b" "c"]`:                             {table("x,y", "1,2")},
		`a: found no rows; want at least one`:                                                                {table("a")},
		`a,b: row 2 names no object of the plate "b"; want one`:                                              {table("a,b", "1,2", "1,")},
		`a,z: found the column "z"; want plates, and variables in plates that have columns`:                  {table("a,z", "1,2")},
		`a,w: found the column "w"; want plates, and variables in plates that have columns`:                  {table("a,w", "1,2")},
		`a,q: found the column "q"; want plates, and variables in plates that have columns`:                  {table("a,q", "1,2")},
		`c,a,y: found "y" in row 1 of objects that another table does not have together; want the row there`: {table("a,c", "1,2"), table("c,a,y", "1,1,s", "2,1,s")},
		`m:2:99: found plates without a joint index that all tables have; want one`:                          {table("a,c", "1,2"), table("a,c", "1,3")},
	} {
		if _, err := readSkeleton(tables...); err != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
	}
	many := table("a")
	for i := range 600 {
		many.Rows = append(many.Rows, []string{fmt.Sprint(i)})
	}
	other := table("c", "1")
	for i := range 600 {
		other.Rows = append(other.Rows, []string{fmt.Sprint(i)})
	}
	if _, err := readSkeleton(many, other); !strings.Contains(err, "found plates with more than 262144 joint indices; want fewer") {
		t.Error(err)
	}
	all := table("a,b,c")
	for i := range 600 {
		all.Rows = append(all.Rows, []string{fmt.Sprint(i), fmt.Sprint(i), fmt.Sprint(i % 3)})
	}
	if m, err := readSkeleton(all); err != "" || len(m.Vars) != 600+600*3+600+1 { // a and b have more joint indices than a model may have
		t.Error(err)
	}
	if _, list := format.ReadSource(format.Format{Name: "bif"}, &format.Source{Name: "m.bif"}, format.ReadOptions{Skeleton: []*format.Table{many}}); list.Err() == nil ||
		list.Err().Error() != "m.bif: the format bif has no plates for the objects of a; want a model of the format json" {
		t.Error(list.Err())
	}
}
