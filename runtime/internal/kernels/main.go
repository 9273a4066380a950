// Kernels writes the runtime's files of assembly. Go generate runs it in the runtime's folder.
//
// A kernel is described once, also if it exists for registers of 512 and of 256 bits: a form says
// in which registers a vector lies. Where the two instruction sets differ, the description has a
// case for each. The files have macros and comments, since generated packages copy them.
//
// Kernels also derives the Go kernels of maxima of tables from those of sums.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	list, err := files(".")
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := os.WriteFile(f.path, f.bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// files returns all files of the runtime in dir that the command writes, with their texts.
func files(dir string) ([]*file, error) {
	list := []*file{cpu(), copyVectors(), scaleTable(), forward(), tapeSums(), lanes(), lanesNest()}
	for _, of := range []string{"contract_sum.go", "contract_gather_sum.go"} {
		f, err := maxima(dir, of)
		if err != nil {
			return nil, err
		}
		list = append(list, f)
	}
	return list, nil
}
