package rowfile_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// This example loads a set, merges equal rows, and writes the result with its weights.
func ExampleReader_Load() {
	r, err := rowfile.NewReader("weather.csv", strings.NewReader("rain,grass\nno,dry\nyes,wet\nno,dry\nno,?\n"), rowfile.Auto)
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := r.Load(rowfile.LoadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	merged := set.Merged()
	fmt.Println(set.Len(), "rows,", merged.Len(), "different ones of", merged.Vars)
	w, err := rowfile.NewWriter(os.Stdout, rowfile.Libra, merged.Vars)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.WriteSet(merged); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 4 rows, 3 different ones of [{rain [no yes] false false} {grass [dry wet] false false}]
	// 2|0,0
	// 1,1
	// 0,*
}
