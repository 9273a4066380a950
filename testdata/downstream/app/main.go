// Command clinic answers questions about patients and lawns: a request in JSON a line on standard input, an answer a line
// on standard output. See Request and Answer.
//
//	echo '{"id":"p1","chest":{"smoke":"yes","xray":"yes"}}' | clinic
//
// It is what a service built on generated packages looks like. Nothing here knows the models but by the types of the
// packages asia and sprinkler, which the module in ../gen makes.
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
