package main

import "fmt"

// lanesNest returns the kernels of tables in lanes.
func lanesNest() *file {
	f := newFile("lanes_nest_amd64.s", `
// The kernels of tables in lanes: see lanes_nest.go. A tile is computed in groups of four rows. r
// is the first row of the group and m the number of rows from there on; if there are fewer than
// four, the last one is computed several times, and its results stored as often. The sums of the
// four rows are in Z0 to Z3, or in Y0 to Y3 and Y4 to Y7. Likewise c and k are the columns of a
// matrix product.`)
	f.top(`
// The fields of a laneTile in AX, or of its operand k in AX+8k.
#define ROWS 0(AX)
#define LEN 8(AX)
#define ADD 16(AX)
#define KIND 24(AX)
#define FIRST 32(AX)
#define STILL 40(AX)
#define AT(k) (48+8*k)(AX)
#define ROW(k) (184+8*k)(AX)
#define STEP(k) (456+8*k)(AX)
#define COLUMNS 472(AX)
#define COLUMN 480(AX)

// OFFSETS sets a, b and c to the distances of rows 1, 2 and 3 of a group from row 0, for rows that
// are s bytes apart and of which there are m. It changes s.
#define OFFSETS(s, a, b, c, m) \
	XORL a, a \
	CMPQ m, $2 \
	CMOVQGE s, a \
	LEAQ (a)(s*1), c \
	MOVQ a, b \
	CMPQ m, $3 \
	CMOVQGE c, b \
	ADDQ b, s \
	MOVQ b, c \
	CMPQ m, $4 \
	CMOVQGE s, c

// PLACE sets to to the index of row r of an operand at a place, with a distance between rows, and s
// to the distance in bytes.
#define PLACE(place, distance, to, s, r) \
	MOVQ distance, s \
	MOVQ r, to \
	IMULQ s, to \
	ADDQ place, to \
	SHLQ $3, s`)
	f.top(data("laneNestOne", "$1.0"))
	for _, of := range []form{wide, narrow(func(v, half int) int {
		if v < 4 {
			return v + 4*half
		}
		return 2*v + half
	})} {
		t := tiles{f, of}
		t.products()
		t.largest()
		t.times()
	}
	tiles{f, wide}.matrix(4)
	tiles{f, narrow(nil)}.matrix(2)
	return f
}

// tiles writes the kernels of tables in one form. In products, vectors 0 to 3 are the sums of the
// rows of a group, and 4 to 7 their terms.
type tiles struct {
	*file
	form
}

// row returns the address of row i of a group that begins at a base. The distances of rows 1 to 3
// are in the register first and the next two.
func row(base string, first, i int) string {
	if i == 0 {
		return "(" + base + ")"
	}
	return fmt.Sprintf("(%s)(R%d*1)", base, first+i-1)
}

// four calls line for each row of a group with the addresses of its two operands.
func four(line func(i int, a, b string)) {
	for i := range 4 {
		line(i, row("BX", 9, i), row("R15", 12, i))
	}
}

// update writes an operation on the sums of the rows and what memory has for them.
func (t tiles) update(op string) {
	four(func(i int, a, _ string) { t.vectors(t.form, "%s %s, V%d, V%d", op, a, i, i) })
}

// broadcast writes an operation on the sums of the rows and one number of data for each.
func (t tiles) broadcast(op string) {
	four(func(i int, a, _ string) {
		if t.halves == 1 {
			t.line("%s.BCST %s, Z%d, Z%d", op, a, i, i)
			return
		}
		t.line("VBROADCASTSD %s, Y%d", a, 8+i)
		t.vectors(t.form, "%s Y%d, V%d, V%d", op, 8+i, i, i)
	})
}

// products writes the kernel of a tile that is no matrix product.
func (t tiles) products() {
	t.begin("laneProducts"+t.name, "(t *laneTile, l, p []float64)", "$16-56", "")
	t.text(`MOVQ $0, r-8(SP)
		group:
		MOVQ t+0(FP), AX
		MOVQ ROWS, CX
		SUBQ r-8(SP), CX
		JLE  end
		MOVQ CX, m-16(SP)`)
	t.zero(4 * t.halves)
	t.text("MOVQ KIND, CX", "TESTQ CX, CX", "JEQ  none")
	t.operands("r-8(SP)", "m-16(SP)")
	t.text(`LEAQ (DX)(R15*8), R15
		CMPQ CX, $3
		JGE  data
		LEAQ (DX)(BX*8), BX
		CMPQ CX, $2
		JEQ  both
		lanes:`)
	t.update("VADDPD")
	t.loop("lanes", false)
	t.text("JMP  factors", "both:")
	four(func(i int, a, b string) {
		t.vectors(t.form, "VMOVUPD %s, V%d", a, 4+i)
		t.vectors(t.form, "VMULPD %s, V%d, V%d", b, 4+i, 4+i)
		t.vectors(t.form, "VADDPD V%d, V%d, V%d", 4+i, i, i)
	})
	t.loop("both", true)
	t.text("JMP  factors", fromData, "CMPQ CX, $4", "JEQ  alone", "mixed:")
	four(t.mixed)
	t.loop("mixed", true)
	t.text("JMP  factors", "alone:")
	t.broadcast("VADDPD")
	t.loop("alone", false)
	t.line("JMP  factors\nnone:\nVBROADCASTSD laneNestOne<>(SB), %s0", t.letter)
	for i := 1; i < 4*t.halves; i++ {
		t.line("VMOVAPD %s0, %s%d", t.letter, t.letter, i)
	}
	t.factors()
	t.text("store:", "MOVQ t+0(FP), AX", destination, "MOVQ l_base+8(FP), DX", "LEAQ (DX)(BX*8), BX", "CMPQ ADD, $0", "JEQ  set")
	t.update("VADDPD")
	t.text("set:")
	four(func(i int, a, _ string) { t.vectors(t.form, "VMOVUPD V%d, %s", i, a) })
	t.text("ADDQ $4, r-8(SP)", "JMP  group", "end:")
	t.end()
}

// mixed adds the product of a number of data and lanes to the sum of a row.
func (t tiles) mixed(i int, a, b string) {
	if t.halves == 1 {
		t.line("VMOVUPD %s, Z%d\nVMULPD.BCST %s, Z%d, Z%d", b, 4+i, a, 4+i, 4+i)
	} else {
		low := 8 + 2*i
		t.line("VBROADCASTSD %s, Y%d\nVMULPD 32%s, Y%d, Y%d\nVMULPD %s, Y%d, Y%d", a, low, b, low, low+1, b, low, low)
	}
	t.vectors(t.form, "VADDPD V%d, V%d, V%d", 4+i, i, i)
}

// factors multiplies the sums of the rows by the operands that do not change along them.
func (t tiles) factors() {
	t.text(`factors:
		MOVQ STILL, CX
		MOVQ FIRST, DX
		LEAQ (AX)(DX*8), AX
		factor:
		DECQ CX
		JLT  store`, destination, `CMPQ 320(AX), $0 // the operand's field data
		JNE  factorData
		MOVQ l_base+8(FP), DX
		LEAQ (DX)(BX*8), BX`)
	t.update("VMULPD")
	t.text(`ADDQ $8, AX
		JMP  factor
		factorData:
		MOVQ p_base+32(FP), DX
		LEAQ (DX)(BX*8), BX`)
	t.broadcast("VMULPD")
	t.text("ADDQ $8, AX", "JMP  factor")
}

const (
	// destination sets BX to the place of the result, or of a factor, and R9 to R11 to the distances
	// of its rows.
	destination = `PLACE(AT(0), ROW(0), BX, R8, r-8(SP))
		OFFSETS(R8, R9, R10, R11, m-16(SP))`
	// fromData sets BX to the address of an operand in data.
	fromData = `data:
		MOVQ p_base+32(FP), DX
		LEAQ (DX)(BX*8), BX`
)

// operands sets BX, R15 and R9 to R14 to the places of the two operands and the distances of their
// rows, DI and R8 to their steps, SI to the number of steps and DX to the lanes. at and count are
// the first row of operand 2 and the number of its rows.
func (t tiles) operands(at, count string) {
	t.line(`PLACE(AT(2), ROW(2), R15, R8, %s)
		OFFSETS(R8, R12, R13, R14, %s)
		PLACE(AT(1), ROW(1), BX, R8, r-8(SP))
		OFFSETS(R8, R9, R10, R11, m-16(SP))
		MOVQ STEP(0), DI
		SHLQ $3, DI
		MOVQ STEP(1), R8
		SHLQ $3, R8
		MOVQ LEN, SI
		MOVQ l_base+8(FP), DX`, at, count)
}

// loop goes on to the next step of a sum with one or two operands.
func (t tiles) loop(label string, two bool) {
	t.text("ADDQ DI, BX")
	if two {
		t.text("ADDQ R8, R15")
	}
	t.text("DECQ SI", "JNZ  "+label)
}
