// Command clinic answers questions about patients and lawns: it reads requests in JSON, one a line,
// from standard input, and writes an answer a line to standard output. See Request and Answer.
//
//	echo '{"id":"p1","chest":{"smoke":"yes","xray":"yes"}}' | clinic
//
// It is an example of a service built on generated packages. It uses the models through the types
// of the packages asia and sprinkler alone, which the module in ../gen generates.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	err := new(Service).Serve(os.Stdin, out)
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "clinic:", err)
		os.Exit(1)
	}
}
