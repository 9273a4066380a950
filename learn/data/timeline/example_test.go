package timeline_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/data/timeline"
)

func ExampleOrder() {
	rows, err := rowfile.NewReader("rain.csv", strings.NewReader("day,rain\n2024-03-01,yes\n2024-02-28,no\n2024-02-27,no\n"), rowfile.CSV)
	if err != nil {
		panic(err)
	}
	report, err := timeline.Order(context.Background(), rows, timeline.Options{Column: "day"})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%d rows, %d slices of %v\n", report.Rows, report.Slices, report.Step)
	for {
		rec, err := rows.Next()
		if err == io.EOF {
			break
		}
		fmt.Printf("%s %q\n", rec.Cells[0].Text, rec.Cells[1].Text)
	}
	// Output:
	// 3 rows, 4 slices of 1d
	// 2024-02-27 "no"
	// 2024-02-28 "no"
	// 2024-02-29 ""
	// 2024-03-01 "yes"
}

func ExampleGuard() {
	rows, err := rowfile.NewReader("rain.csv", strings.NewReader("day,rain\n2024-03-01,yes\n2024-02-28,no\n"), rowfile.CSV)
	if err != nil {
		panic(err)
	}
	if err := timeline.Guard(rows, "", func(column string) bool { return column == "rain" }); err != nil {
		panic(err)
	}
	_, err = rows.Load(rowfile.LoadOptions{})
	fmt.Println(err)
	// Output: rain.csv:3:1: rows are not in the order of time: "2024-02-28" follows "2024-03-01"; want time day, which puts them in order, or leave the column out by drop day
}
