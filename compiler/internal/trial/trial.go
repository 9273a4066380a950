// Package trial holds settings of the compiler that its users need not know: tests force by them,
// on small models, what the compiler does with large ones.
package trial

// Options are the settings. The zero value changes nothing.
type Options struct {
	Search bool // finds the best states of some variables by a search even if one pass would do
	Second bool // chooses a circuit, with a second plan by tables however small
	Chunk  int  // products that a block forms before it is cut; 0 for pass.ChunkProducts
	Lay    int  // products of a program from which its tables are laid out for vectors; 0 for pass.LayProducts
}
