package main

import "fmt"

// nodes writes the parts of a kernel that computes runs of nodes. R12 is the place of a node. Its
// value is vector 0 until it is stored, vector 1 is a term.
type nodes struct {
	*file
	form
	prefix       string // of labels
	move, suffix string // the instruction that loads and stores, and the end of the other names
	words        int    // the number of places of an operand: 4 for those of the macro FOUR, or 1
	turns        bool   // the terms of nodes with few terms take turns with registers
}

// lanes returns the kernels of sums in lanes.
func lanes() *file {
	f := newFile("lanes_amd64.s", `
// The kernels of lanes: see lanes_sums.go for what they do and for the words of an instruction. SI
// walks over the words, DI is their end, BX the memory, CX counts the nodes of a run. A place, in
// R8 to R11, is an index of 8-byte numbers. The sum of a node stays in Z0, or in Y0 and Y1, until
// it is stored.`)
	f.begin("laneSkip", "(l []float64) int", "$0-32", "")
	f.text(`MOVQ l_base+0(FP), AX
		NEGQ AX
		ANDQ $63, AX
		SHRQ $3, AX
		MOVQ AX, ret+24(FP)
		RET`)
	forms := []form{wide, narrow(neighbours)}
	for _, of := range forms {
		n := nodes{f, of, "", "VMOVUPD", "PD", 1, true}
		n.start("laneSums"+of.name, "l")
		n.choose(2, 1, 3, 4, -2, 0)
		n.many("// any number of products")
		for terms := 1; terms <= 4; terms++ {
			n.few(terms, names[terms], "VMUL")
		}
		n.few(1, "both", "VADD")
		n.single("// any number of single slots; AX is that number, negated", "VADD")
		f.text("end:")
		f.end()
	}
	for _, of := range forms {
		n := nodes{f, of, "", "VMOVUPD", "PD", 1, true}
		n.start("laneMaxima"+of.name, "l")
		n.single("// any number of single slots; AX is that number, negated", "VMAX")
		f.text("end:")
		f.end()
	}
	observations(f)
	return f
}

// tapeSums returns the kernel of sums of a tape: single nodes, and groups of four.
func tapeSums() *file {
	f := newFile("tape_sums_amd64.s", `
// The kernel of sums with AVX2: see tape_sums.go for what it does and for the words of an
// instruction. SI walks over the words, DI is their end, BX the memory, AX the number of terms, CX
// counts the nodes or groups of a run. The sum of a node stays in X0, those of a group in Y0.`)
	f.top(`
// FOUR loads the elements whose four places lie at off. Loads and inserts take half the time of a
// gather.
#define FOUR(off, low, high, all) \
	MOVQ off(SI), R8 \
	MOVQ (off+8)(SI), R10 \
	MOVL R8, R9 \
	SHRQ $32, R8 \
	MOVL R10, R11 \
	SHRQ $32, R10 \
	VMOVSD (BX)(R9*8), low \
	VMOVSD (BX)(R11*8), high \
	VMOVHPD (BX)(R8*8), low, low \
	VMOVHPD (BX)(R10*8), high, high \
	VINSERTF128 $1, high, all, all`)
	one := wide
	one.letter = "X"
	four := wide
	four.letter = "Y"
	n := nodes{f, one, "", "VMOVSD", "SD", 1, false}
	n.start("tapeSums4", "s")
	f.text("TESTL CX, CX", "JLT  groups")
	n.runs("// nodes with any number of products", "// nodes with any number of single elements; AX is that number, negated")
	f.text("groups:", "NEGL CX")
	nodes{f, four, "group", "VMOVUPD", "PD", 4, false}.runs("", "")
	f.text("end:")
	f.end()
	return f
}

// runs writes the loops of the kernel of a tape.
func (n nodes) runs(many, single string) {
	n.choose(1, 2, 3, 0)
	n.many(many)
	for terms := 1; terms <= 3; terms++ {
		n.few(terms, names[terms], "VMUL")
	}
	n.single(single, "VADD")
}

// names holds the labels of nodes by their number of terms: products, or single elements if it is
// negative.
var names = map[int]string{1: "one", 2: "two", 3: "three", 4: "four", -2: "both", 0: "single"}

// label returns a label of the loops.
func (n nodes) label(name string) string {
	if n.prefix == "" {
		return name
	}
	return n.prefix + string(name[0]-'a'+'A') + name[1:]
}

// start writes what comes before the first run, and reads the head of a run.
func (n nodes) start(name, memory string) {
	n.begin(name, fmt.Sprintf("(ins []int32, %s []float64)", memory), "$0-48", "")
	n.text(`MOVQ ins_base+0(FP), SI
		MOVQ ins_len+8(FP), DI
		MOVQ ` + memory + `_base+24(FP), BX
		LEAQ (SI)(DI*4), DI
		run:
		CMPQ SI, DI
		JAE  end
		MOVLQSX (SI), AX
		MOVL 4(SI), CX
		ADDQ $8, SI`)
}

// choose jumps to the loop for the number of terms in AX. 0 stands for all negative numbers.
func (n nodes) choose(terms ...int) {
	for _, t := range terms {
		if t == 0 {
			n.text("TESTQ AX, AX", "JLT  "+n.label(names[t]))
		} else {
			n.line("CMPQ AX, $%d\nJEQ  %s", t, n.label(names[t]))
		}
	}
}

// four loads the elements at four places into vector to. High is a register for two of them.
func (n nodes) four(at, to, high int) {
	n.line("FOUR(%d, X%d, X%d, Y%d)", at, to, high, to)
}

// term sets vector to to the product, or what else op computes, of the operands at a word. Their
// places go through the register r and the next one.
func (n nodes) term(op string, at, to, r int) {
	if n.words == 4 {
		n.four(at, to, 1+2*to)
		n.four(at+16, 2, 3+to)
		n.vectors(n.form, "%s%s V2, V%d, V%d", op, n.suffix, to, to)
		return
	}
	n.repeat(2, "MOVL %d(SI), R%d", at, 4, r, 1)
	n.vectors(n.form, "%s (BX)(R%d*8), V%d", n.move, r, to)
	n.vectors(n.form, "%s%s (BX)(R%d*8), V%d, V%d", op, n.suffix, r+1, to, to)
}

// next stores a node and goes on to the next one of the run.
func (n nodes) next(label string, step int) {
	n.vectors(n.form, "%s V0, (BX)(R12*8)", n.move)
	if step > 0 {
		n.line("ADDQ $%d, SI", step)
	}
	n.line("DECL CX\nJNZ  %s\nJMP  run", label)
}

// few writes the loop of nodes with a fixed number of terms.
func (n nodes) few(terms int, name, op string) {
	n.text(n.label(name)+":", "MOVL (SI), R12")
	for t := range terms {
		r := 8
		if n.turns {
			r += t % 2 * 2
		}
		n.term(op, 4+8*n.words*t, min(t, 1), r)
		if t > 0 {
			n.vectors(n.form, "VADD%s V1, V0, V0", n.suffix)
		}
	}
	n.next(n.label(name), 4+8*n.words*terms)
}

// many writes the loop of nodes with any number of products.
func (n nodes) many(comment string) {
	many, term := n.label("many"), n.label("manyTerm")
	n.text(comment, many+":", "MOVL (SI), R12")
	n.term("VMUL", 4, 0, 8)
	n.line("ADDQ $%d, SI\nLEAQ -1(AX), DX\n%s:", 4+8*n.words, term)
	n.term("VMUL", 0, 1, 8)
	n.vectors(n.form, "VADD%s V1, V0, V0", n.suffix)
	n.line("ADDQ $%d, SI\nDECQ DX\nJNZ  %s", 8*n.words, term)
	n.next(many, 0)
}

// single writes the loop of nodes with any number of single elements.
func (n nodes) single(comment, op string) {
	single, term, store := n.label("single"), n.label("singleTerm"), n.label("singleStore")
	n.text(comment, single+":", "MOVL (SI), R12")
	if n.words == 4 {
		n.four(4, 0, 1)
	} else {
		n.text("MOVL 4(SI), R8")
		n.vectors(n.form, "%s (BX)(R8*8), V0", n.move)
	}
	n.line("ADDQ $%d, SI\nLEAQ 1(AX), DX\nTESTQ DX, DX\nJEQ  %s\n%s:", 4+4*n.words, store, term)
	if n.words == 4 {
		n.four(0, 1, 3)
		n.vectors(n.form, "%s%s V1, V0, V0", op, n.suffix)
	} else {
		n.text("MOVL (SI), R8")
		n.vectors(n.form, "%s%s (BX)(R8*8), V0, V0", op, n.suffix)
	}
	n.line("ADDQ $%d, SI\nINCQ DX\nJNZ  %s\n%s:", 4*n.words, term, store)
	n.next(single, 0)
}

// observations writes the kernel that enters observations.
func observations(f *file) {
	f.top(`// laneOne is the number 1, four times.` + data("laneOne", "$1.0", "$1.0", "$1.0", "$1.0"))
	f.begin("laneObservations4", "(ins []int32, l []float64)", "$0-48", ` Y0 and Y1 are states, Y2 and Y3 masks of lanes
// without observation, Y4 the state whose likelihood is next, Y6 ones, Y7 zeros.`)
	f.text(`MOVQ ins_base+0(FP), SI
		MOVQ ins_len+8(FP), DI
		MOVQ l_base+24(FP), BX
		LEAQ (SI)(DI*4), DI
		VMOVUPD laneOne<>(SB), Y6
		VXORPD Y7, Y7, Y7
		variable:
		CMPQ SI, DI
		JAE  end
		MOVL (SI), R8
		MOVL 4(SI), R9
		MOVL 8(SI), CX
		ADDQ $12, SI`)
	of := narrow(neighbours)
	f.vectors(of, "VMOVUPD (BX)(R8*8), V0")
	f.vectors(of, "VCMPPD $0, Y7, V0, V1")
	f.text("VMOVAPD Y6, Y4", "state:")
	for half, at := range []string{"", "32"} {
		f.line("VCMPPD $0, Y4, Y%d, Y5\nVORPD Y%d, Y5, Y5\nVANDPD Y6, Y5, Y5\nVMOVUPD Y5, %s(BX)(R9*8)", half, 2+half, at)
	}
	f.text(`VADDPD Y6, Y4, Y4
		ADDQ $8, R9
		DECL CX
		JNZ  state
		JMP  variable
		end:`)
	f.end()
}
