// Kernels writes the runtime's files of assembly. Go generate runs it in the runtime's folder.
//
// A kernel is described once, also if it exists for registers of 512 and of 256 bits: a form says in
// which registers a vector lies. Where the two instruction sets differ, the description has a case
// for each. The files have macros and comments, since generated packages copy them.
package main

import (
	"fmt"
	"os"
)

func main() {
	for _, f := range files() {
		if err := os.WriteFile(f.path, f.bytes(), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// files returns all files, with their texts.
func files() []*file {
	return []*file{
		cpu(), copyVectors(), scaleTable(), forward(), tapeSums(), lanes(), lanesNest(),
	}
}
