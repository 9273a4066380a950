//go:build !js

package bridge

import (
	"bufio"
	"os"
)

// maxLine is the most bytes of a request.
const maxLine = 64 << 20

// Run answers each line of standard input by a line.
func Run(serve func([]byte) []byte) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, maxLine)
	for lines.Scan() {
		if _, err := os.Stdout.Write(append(serve(lines.Bytes()), '\n')); err != nil {
			return
		}
	}
}
