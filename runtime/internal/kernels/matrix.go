package main

// matrix writes the kernel of a matrix product in groups of rows and columns. A register holds all
// lanes, or half of them: the halves come one after the other, from byte h of a slot on.
func (t tiles) matrix(columns int) {
	half := columns == 2
	if half {
		t.begin("laneMatrix4", "(t *laneTile, l, p []float64)", "$40-56", ` The sums of column j are in Y4j to Y4j+3, the
// elements of operand 1 in Y8 to Y11. Half of the lanes, from byte h of a slot on, come before the
// other half.`)
	} else {
		t.begin("laneMatrix8", "(t *laneTile, l, p []float64)", "$32-56", `
// The sums of column j are in Z4j to Z4j+3, the elements of operand 1 in Z16 to Z19.`)
	}
	t.text(`MOVQ $0, c-24(SP)
		columns:
		MOVQ t+0(FP), AX
		MOVQ COLUMNS, CX
		SUBQ c-24(SP), CX
		JLE  end
		MOVQ CX, k-32(SP)
		MOVQ $0, r-8(SP)
		rows:
		MOVQ ROWS, CX
		SUBQ r-8(SP), CX
		JLE  next
		MOVQ CX, m-16(SP)`)
	if half {
		t.text("MOVQ $0, h-40(SP)", "half:")
	}
	t.zero(4 * columns)
	t.operands("c-24(SP)", "k-32(SP)")
	t.addHalf(half)
	t.text(`LEAQ (DX)(R15*8), R15
		CMPQ KIND, $6
		JEQ  data
		LEAQ (DX)(BX*8), BX
		both:`)
	t.outer("VMOVUPD", columns)
	t.loop("both", true)
	t.text("JMP  store", fromData, "mixed:")
	t.outer("VBROADCASTSD", columns)
	t.loop("mixed", true)
	t.storeColumns(columns)
	if half {
		t.text("ADDQ $32, h-40(SP)", "CMPQ h-40(SP), $64", "JLT  half")
	}
	t.line("ADDQ $4, r-8(SP)\nJMP  rows\nnext:\nADDQ $%d, c-24(SP)\nJMP  columns\nend:", columns)
	t.end()
}

// storeColumns sets the elements of the result to the sums, or adds the sums to them.
func (t tiles) storeColumns(columns int) {
	t.text(`store:
		MOVQ COLUMN, R8
		MOVQ c-24(SP), CX
		IMULQ R8, CX
		SHLQ $3, R8
		OFFSETS(R8, R12, R13, R14, k-32(SP))`, destination, `ADDQ CX, BX
		MOVQ l_base+8(FP), DX`)
	t.addHalf(columns == 2)
	t.text("LEAQ (DX)(BX*8), BX")
	at := []string{"BX", "R12", "R13", "R14"}[:columns]
	for _, base := range at[1:] {
		t.line("LEAQ (BX)(%s*1), %s", base, base)
	}
	t.text("CMPQ ADD, $0", "JEQ  set")
	for n := range 4 * columns {
		t.line("VADDPD %s, %s%d, %s%d", row(at[n/4], 9, n%4), t.letter, n, t.letter, n)
	}
	t.text("set:")
	for n := range 4 * columns {
		t.line("VMOVUPD %s%d, %s", t.letter, n, row(at[n/4], 9, n%4))
	}
}

// addHalf makes DX the address of the half of the lanes that is computed.
func (t tiles) addHalf(half bool) {
	if half {
		t.text("ADDQ h-40(SP), DX")
	}
}

// outer adds the products of the elements of operand 1, which the instruction load loads, and of
// operand 2. The products take turns with the registers that are left.
func (t tiles) outer(load string, columns int) {
	first, product, turns := 16, 24, 8
	if columns == 2 {
		first, product, turns = 8, 13, 3
	}
	l := t.letter
	for i := range 4 {
		t.line("%s %s, %s%d", load, row("BX", 9, i), l, first+i)
	}
	for n := range 4 * columns {
		column, to := first+4, product+n%turns
		if columns == 4 {
			column += n / 4
		}
		if n%4 == 0 {
			t.line("VMOVUPD %s, %s%d", row("R15", 12, n/4), l, column)
		}
		t.line("VMULPD %s%d, %s%d, %s%d", l, first+n%4, l, column, l, to)
		t.line("VADDPD %s%d, %s%d, %s%d", l, to, l, n, l, n)
	}
}

// largest writes the kernel of the largest number of a table by lane.
func (t tiles) largest() {
	t.register = func(v, half int) int { return v + 2*half }
	t.begin("laneTop"+t.name, "(table []float64, top *[Lanes]float64)", "$0-32", "")
	t.text(tableOf("top"))
	t.zero(4)
	t.text("two:", "SUBQ $2, CX", "JLT  one")
	t.vectors(t.form, "VMAXPD (BX), V0, V0")
	t.vectors(t.form, "VMAXPD 64(BX), V1, V1")
	t.text("ADDQ $128, BX", "JMP  two", "one:", "INCQ CX", "JLT  store")
	t.vectors(t.form, "VMAXPD (BX), V0, V0")
	t.text("store:")
	t.vectors(t.form, "VMAXPD V1, V0, V0")
	t.vectors(t.form, "VMOVUPD V0, (DX)")
	t.end()
}

// times writes the kernel that multiplies a table by a number for each lane.
func (t tiles) times() {
	if t.halves == 2 {
		t.register = neighbours
	}
	t.begin("laneTimes"+t.name, "(table []float64, factor *[Lanes]float64)", "$0-32", "")
	t.text(tableOf("factor"))
	t.vectors(t.form, "VMOVUPD (DX), V0")
	t.text("slot:", "DECQ CX", "JLT  end")
	t.vectors(t.form, "VMULPD (BX), V0, V1")
	t.vectors(t.form, "VMOVUPD V1, (BX)")
	t.text("ADDQ $64, BX", "JMP  slot", "end:")
	t.end()
}

// tableOf sets BX to the address of a table, CX to the number of its slots and DX to an argument.
func tableOf(argument string) string {
	return `MOVQ table_base+0(FP), BX
		MOVQ table_len+8(FP), CX
		MOVQ ` + argument + `+24(FP), DX
		SHRQ $3, CX`
}
