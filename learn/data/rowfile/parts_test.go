package rowfile_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// folderOf writes files to a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// partsText returns the names of the columns and the rows of a data set, with the position of each
// row below dir.
func partsText(dir, path string, opt rowfile.ReadOptions) (string, error) {
	r, err := parquet.OpenReader(opt, path, 0)
	if err != nil {
		return "", err
	}
	defer r.Close()
	var b strings.Builder
	for _, c := range r.Columns {
		fmt.Fprint(&b, c.Name, " ")
	}
	for {
		rec, err := r.Next()
		if err == io.EOF {
			return strings.ReplaceAll(b.String(), dir+string(filepath.Separator), ""), nil
		}
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "\n%s:%d", filepath.ToSlash(rec.Pos.File), rec.Pos.Line)
		for _, c := range rec.Cells {
			if c.Unknown {
				c.Text = "-"
			}
			fmt.Fprintf(&b, " %q", c.Text)
		}
	}
}

// TestParts checks which files of a folder or a pattern are parts, and their columns.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		name, path string
		files      map[string]string
		opt        rowfile.ReadOptions
		want       string // the rows, or the end of an error
	}{
		{name: "order and hidden names", files: map[string]string{"b.csv": "a,b\n3,4\n", "a.csv": "b,a\n2,1\n", "a/z.csv": "a,b\n0,0\n", "_SUCCESS": "", ".x.csv": "q\n1\n", "_old/c.csv": "q\n1\n"},
			want: "b a \na.csv:2 \"2\" \"1\"\na/z.csv:2 \"0\" \"0\"\nb.csv:2 \"4\" \"3\""},
		{name: "folders are columns", files: map[string]string{"day=1/k%3Dx=a%2Fb%zz%4/a.csv": "a\n1\n", "day=__HIVE_DEFAULT_PARTITION__/k=x/=y/b.csv": "a\n2\n"},
			want: "a day k=x k \nday=1/k%3Dx=a%2Fb%zz%4/a.csv:2 \"1\" \"1\" \"a/b%zz%4\" \"-\"\nday=__HIVE_DEFAULT_PARTITION__/k=x/=y/b.csv:2 \"2\" \"-\" \"-\" \"x\""},
		{name: "pattern of folders", path: "day=2*/", files: map[string]string{"day=2a/x.csv": "a\n1\n", "day=2b/x.csv": "a\n2\n", "day=3/x.csv": "a\n3\n"},
			want: "a day \nday=2a/x.csv:2 \"1\" \"2a\"\nday=2b/x.csv:2 \"2\" \"2b\""},
		{name: "pattern of files", path: "*.csv", files: map[string]string{"x.csv": "a\n1\n", "read.me": "no data", "_y.csv": "a\n"}, want: "a \nx.csv:2 \"1\""},
		{name: "further and fewer columns", files: map[string]string{"1.csv": "a,b\n1,2\n", "2.csv": "c,a\n3,4\n"},
			want: "a b c \n1.csv:2 \"1\" \"2\" \"-\"\n2.csv:2 \"4\" \"-\" \"3\""},
		{name: "a folder's value before a column's", files: map[string]string{"a=1/1.csv": "a,b\n2,3\n"}, want: "a b \na=1/1.csv:2 \"1\" \"3\""},
		{name: "options are for the data set", files: map[string]string{"k=1/1.csv": "a,b,b\n1,2,2\n", "k=2/1.csv": "a,b,b\n1,2,2\n"}, opt: rowfile.ReadOptions{Drop: []string{"b"}},
			want: "a k \nk=1/1.csv:2 \"1\" \"1\"\nk=2/1.csv:2 \"1\" \"2\""},
		{name: "chosen rows", files: map[string]string{"1.csv": "a\n1\n2\n", "2.csv": "a\n3\n"}, opt: rowfile.ReadOptions{Rows: func(row int) bool { return row != 1 }},
			want: "a \n1.csv:2 \"1\"\n2.csv:2 \"3\""},
		{name: "lines of objects", files: map[string]string{"1.jsonl": "{\"a\": 1}\n", "2.jsonl": "{\"b\": true, \"a\": null}\n"},
			want: "a b \n1.jsonl:1 \"1\" \"-\"\n2.jsonl:1 \"-\" \"true\""},
		{name: "columns without names", files: map[string]string{"1.csv": "1,2\n", "2.csv": "3,4\n"}, opt: rowfile.ReadOptions{NoHeader: true},
			want: "x0 x1 \n1.csv:1 \"1\" \"2\"\n2.csv:1 \"3\" \"4\""},
		{name: "more columns without names", files: map[string]string{"1.csv": "1,2\n", "2.csv": "3,4,5\n"}, opt: rowfile.ReadOptions{NoHeader: true},
			want: "2.csv: the rows have 3 values, and those of DIR/1.csv have 2; want as many"},
		{name: "two formats", files: map[string]string{"1.csv": "a\n1\n", "2.jsonl": "{\"a\": 1}\n"},
			want: "2.jsonl: this part is JSON Lines, and DIR/1.csv is CSV; want one format, or a pattern such as '*.csv'"},
		{name: "other states", files: map[string]string{"1.arff": "@relation r\n@attribute a {x,y}\n@data\nx\n", "2.arff": "@relation r\n@attribute a {x}\n@data\nx\n"},
			want: `2.arff: column "a" is of type {"x"}, and in DIR/1.arff of type {"x", "y"}; want one type, or leave it out by drop a`},
		{name: "nothing", files: map[string]string{"_a.csv": "a\n"}, want: "DIR: the data set has no file; want one at least, and names that begin with _ or . do not count"},
		{name: "no match", path: "x*", files: map[string]string{"a.csv": "a\n"}, want: "x*: the data set has no file; want one at least, and names that begin with _ or . do not count"},
		{name: "a NUL byte", files: map[string]string{"k=%00/a.csv": "a\n"}, want: `a.csv: the folder "k=%00" names a text that is not in UTF-8 or has a NUL byte`},
		{name: "not UTF-8", files: map[string]string{"k=%FF/a.csv": "a\n"}, want: `a.csv: the folder "k=%FF" names a text that is not in UTF-8 or has a NUL byte`},
		{name: "a key twice", files: map[string]string{"k=1/k=2/a.csv": "a\n"}, want: `a.csv: two folders of the path give a value of "k"; want one`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := folderOf(t, c.files)
			got, err := partsText(dir, filepath.Join(dir, c.path), c.opt)
			if err != nil {
				got = err.Error()
			}
			if want := strings.ReplaceAll(c.want, "DIR", dir); got != want && (err == nil || !strings.HasSuffix(got, want)) {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestPartsInBlocks checks that blocks of a folder of random hostile files have the rows and errors
// of the rows read one by one, on any number of cores, and leave out the same rows.
func TestPartsInBlocks(t *testing.T) {
	defer rowfile.SetLeastPiece(1)()
	vars := []data.Var{{Name: "c", States: []string{"red", "green", "blue"}}, {Name: "none", States: []string{"0", "1"}}, {Name: "x", Real: true},
		{Name: "day", States: []string{"1", "2"}}}
	rng := rand.New(rand.NewPCG(38, 5))
	good, bad, skipped := 0, 0, 0
	for range 20 {
		lists := [][]blockFile{blockFiles(rng), blockFiles(rng), blockFiles(rng)}
		for k, f := range lists[0] {
			if f.opt.Rows != nil {
				continue // which is asked for rows in order
			}
			files := map[string]string{}
			for i, list := range lists {
				files[fmt.Sprintf("day=%d/%d%s", 1+rng.IntN(2), i, filepath.Ext(f.name))] = list[k].text
			}
			dir := folderOf(t, files)
			for _, skip := range []bool{false, true} {
				want, left, wrong := readParts(dir, f.opt, vars, 0, skip)
				for _, cores := range []int{1, 3} {
					got, out, err := readParts(dir, f.opt, vars, cores, skip)
					if fmt.Sprint(err) != fmt.Sprint(wrong) || wrong == nil && !slices.Equal(got, want) || !slices.Equal(out, left) {
						t.Fatalf("%v, %d cores:\n%v\n%v\n%v\nwant:\n%v\n%v\n%v", files, cores, got, out, err, want, left, wrong)
					}
				}
				if skip && wrong != nil && errors.As(wrong, new(rowfile.RowError)) {
					t.Errorf("%v: %v; want the row left out", files, wrong)
				}
				if good, skipped = good+len(want), skipped+len(left); wrong != nil {
					bad++
				}
			}
		}
	}
	if good < 20000 || bad < 20 || skipped < 500 {
		t.Errorf("%d rows, %d errors and %d rows left out; too few to show anything", good, bad, skipped)
	}
}

// readParts reads a folder into a text for each row, by blocks if cores is not 0, and one for each
// row that is left out if skip is set.
func readParts(dir string, opt rowfile.ReadOptions, vars []data.Var, cores int, skip bool) (list, left []string, err error) {
	if skip {
		opt.Bad = func(e rowfile.RowError) { left = append(left, fmt.Sprintf("%v %q %q", e, e.Column, e.Text)) }
	}
	r, err := parquet.OpenReader(opt, dir, 0)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	b, err := r.Bind(vars, rowfile.UnseenError)
	if err != nil {
		return nil, nil, err
	}
	if cores == 0 {
		err = b.Each(context.Background(), func(rec *data.Record, states []int) error {
			list = append(list, fmt.Sprint(rec.Pos, rec.Weight, states, b.Values))
			return nil
		})
		return list, left, err
	}
	states, values := make([]int, len(vars)), make([]float64, len(vars))
	err = b.EachBlock(context.Background(), rowfile.BlockOptions{Cores: cores, Then: func(k *rowfile.Block) error {
		for row := range k.Rows {
			k.Row(row, states, values)
			list = append(list, fmt.Sprint(k.Pos(row), k.Weight(row), states, values))
		}
		return nil
	}})
	return list, left, err
}

// TestPartsOfParquet checks parts of Parquet: orders of columns, two types, and a column that is
// not read in one part and missing in another.
func TestPartsOfParquet(t *testing.T) {
	write := func(path string, columns []data.Output, rows ...[]string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		w, err := parquet.NewWriter(out, columns)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, text := range row {
				w.Text(text)
			}
			if err := w.End(); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.Flush(), out.Close()); err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	a, x := data.Output{Name: "a"}, data.Output{Name: "x", Kind: data.Reals}
	write(filepath.Join(dir, "p=1", "1.parquet"), []data.Output{a, x}, []string{"u", "1.5"}, []string{"v", "2"})
	write(filepath.Join(dir, "p=2", "2.parquet"), []data.Output{x, a}, []string{"3", "u"})
	write(filepath.Join(dir, "p=2", "3.parquet"), []data.Output{a}, []string{"v"})
	got, err := partsText(dir, dir, rowfile.ReadOptions{})
	want := "a x p \np=1/1.parquet:1 \"u\" \"1.5\" \"1\"\np=1/1.parquet:2 \"v\" \"2\" \"1\"\np=2/2.parquet:1 \"u\" \"3\" \"2\"\np=2/3.parquet:1 \"v\" \"-\" \"2\""
	if err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	r, err := parquet.OpenReader(rowfile.ReadOptions{}, dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if rows, ok := r.Known(); rows != 4 || !ok || r.Groups() != 3 || !slices.Equal(r.Lacking("x"), []string{"p=2/3.parquet"}) {
		t.Errorf("%d rows in %d groups, and %v lack x", rows, r.Groups(), r.Lacking("x"))
	}
	for _, days := range [][]string{{"1", "2"}, {"1"}} { // the second makes values unseen, of folders too
		vars := []data.Var{{Name: "p", States: days}, {Name: "x", Real: true}, {Name: "a", States: []string{"v", "u"}[:len(days)]}, {Name: "none", States: []string{"0"}}}
		for _, skip := range []bool{false, true} {
			rows, left, wrong := readParts(dir, rowfile.ReadOptions{}, vars, 0, skip)
			for _, cores := range []int{1, 3} {
				got, out, err := readParts(dir, rowfile.ReadOptions{}, vars, cores, skip)
				if fmt.Sprint(got, out, err) != fmt.Sprint(rows, left, wrong) || (wrong == nil && left == nil) != (len(days) == 2) {
					t.Errorf("%d cores: got %v, %v, %v; want %v, %v, %v", cores, got, out, err, rows, left, wrong)
				}
			}
		}
	}
	write(filepath.Join(dir, "p=3", "4.parquet"), []data.Output{a, {Name: "x"}}, []string{"u", "1"})
	wrong := fmt.Sprintf("%s: column %q is of type string, and in %s of type double; want one type, or leave it out by drop x",
		filepath.Join(dir, "p=3", "4.parquet"), "x", filepath.Join(dir, "p=1", "1.parquet"))
	if _, err := partsText(dir, dir, rowfile.ReadOptions{}); err == nil || err.Error() != wrong {
		t.Errorf("got %v; want %s", err, wrong)
	}
	if _, err := partsText(dir, dir, rowfile.ReadOptions{Drop: []string{"x"}}); err != nil {
		t.Error(err)
	}
}
