// Command clinic answers questions about patients and lawns: it reads requests in JSON, one a line,
// from standard input, and writes an answer a line to standard output. See Request and Answer.
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
