package backend

import (
	"fmt"
	"strconv"
	"strings"
)

// Tiles holds the functions in assembly that the blocks of a package share.
type Tiles struct {
	List  []Tile
	names map[string]string // by the text of signature and body
}

// Tile is a function in amd64 assembly for processors with AVX2. It takes the addresses of numbers,
// and integers.
type Tile struct {
	Func    string // the Go function that runs the assembly if the processor can, and reports whether it did
	Comment string // what it does
	Numbers []string
	Ints    []string
	Frame   int    // bytes of stack
	Body    string // instructions, without the return
}

// Add adds a function unless there is one with the same body, and returns its name.
func (t *Tiles) Add(f Tile) string {
	key := fmt.Sprintln(f.signature(), f.Frame) + f.Body
	if name, ok := t.names[key]; ok {
		return name
	}
	if t.names == nil {
		t.names = map[string]string{}
	}
	f.Func = "tile" + strconv.Itoa(len(t.List)+1)
	t.names[key] = f.Func
	t.List = append(t.List, f)
	return f.Func
}

// Assembly returns the name of the function in assembly.
func (f *Tile) Assembly() string { return f.Func + "AVX2" }

// signature returns the parameters.
func (f *Tile) signature() string {
	text := strings.Join(f.Numbers, ", ") + " *float64"
	if len(f.Ints) > 0 {
		text += ", " + strings.Join(f.Ints, ", ") + " int"
	}
	return text
}

// Text returns the function as a part of an assembly file.
func (f *Tile) Text() string {
	flag := "NOSPLIT"
	if f.Frame > 128 {
		flag = "0"
	}
	return fmt.Sprintf("\n%s\n// func %s(%s)\nTEXT ·%s(SB), %s, $%d-%d\n%s\tVZEROUPPER\n\tRET\n", Comment(f.Assembly()+" "+f.Comment),
		f.Assembly(), f.signature(), f.Assembly(), flag, f.Frame, 8*(len(f.Numbers)+len(f.Ints)), f.Body)
}

// Declaration returns the declaration of the function in assembly.
func (f *Tile) Declaration() string {
	return fmt.Sprintf("//go:noescape\nfunc %s(%s)\n", f.Assembly(), f.signature())
}

// Run returns the Go function that runs the assembly. can is the expression that reports whether
// the processor can.
func (f *Tile) Run(can string) string {
	args := strings.Join(append(f.Numbers[:len(f.Numbers):len(f.Numbers)], f.Ints...), ", ")
	return fmt.Sprintf("%s\nfunc %s(%s) bool {\n\tif !%s {\n\t\treturn false\n\t}\n\t%s(%s)\n\treturn true\n}\n",
		Comment(f.Func+" "+f.Comment+", and reports true if the processor can."), f.Func, f.signature(), can, f.Assembly(), args)
}

// Stub returns the Go function for other processors.
func (f *Tile) Stub() string {
	return fmt.Sprintf("%s\nfunc %s(%s) bool { return false }\n", Comment(f.Func+" reports that there is no assembly for the processor."),
		f.Func, f.signature())
}
