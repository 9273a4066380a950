package main

import (
	"fmt"
	"strings"
)

// data returns the definition of numbers of 8 bytes that do not change.
func data(name string, numbers ...string) string {
	var b strings.Builder
	for i, x := range numbers {
		fmt.Fprintf(&b, "\nDATA %s<>+%d(SB)/8, %s", name, 8*i, x)
	}
	fmt.Fprintf(&b, "\nGLOBL %s<>(SB), RODATA|NOPTR, $%d", name, 8*len(numbers))
	return b.String()
}

// cpu returns the file that asks the processor.
func cpu() *file {
	f := newFile("cpu_amd64.s", "")
	f.begin("cpuFeatures", "() (leaf1, leaf7, control uint32)", "$0-12", "")
	f.text(`MOVL $0, leaf1+0(FP)
		MOVL $0, leaf7+4(FP)
		MOVL $0, control+8(FP)
		MOVL $0, AX
		CPUID
		MOVL AX, R8 // the largest leaf
		MOVL $1, AX
		MOVL $0, CX
		CPUID
		MOVL CX, leaf1+0(FP)
		TESTL $(1<<27), CX // XGETBV can be used
		JEQ  end
		MOVL $0, CX
		XGETBV
		MOVL AX, control+8(FP)
		CMPL R8, $7
		JLT  end
		MOVL $7, AX
		MOVL $0, CX
		CPUID
		MOVL BX, leaf7+4(FP)
		end:
		RET`)
	return f
}

// copyVectors returns the kernel that copies numbers.
func copyVectors() *file {
	f := newFile("copy_amd64.s", "")
	f.begin("copyVectors4", "(to, from *float64, n int)", "$0-24", "")
	f.along(0, "", "VMOVUPD (SI), Y0", "VMOVSD (SI), X0")
	return f
}

// along writes a loop from SI to DI: the instruction four on four numbers, and the instruction one
// on each that is left, with results in the register to. before comes before the loop.
func (f *file) along(to int, before, four, one string) {
	f.text(`MOVQ to+0(FP), DI
		MOVQ from+8(FP), SI
		MOVQ n+16(FP), CX`, before, `SUBQ $4, CX
		JLT  few
		four:`, four)
	f.line(`VMOVUPD Y%d, (DI)
		ADDQ $32, SI
		ADDQ $32, DI
		SUBQ $4, CX
		JGE  four
		few:
		ADDQ $4, CX
		JZ   end
		one:`, to)
	f.line(`%s
		VMOVSD X%d, (DI)
		ADDQ $8, SI
		ADDQ $8, DI
		DECQ CX
		JNZ  one
		end:`, one, to)
	f.end()
}

// scaleTable returns the kernels of rescaling.
func scaleTable() *file {
	f := newFile("scale_table_amd64.s", `
// Rescaling with AVX2, sixteen numbers a step. SI walks over the numbers, CX counts the steps.

// LARGER makes each lane of top the larger of itself and the integer at off.
#define LARGER(off, x, top) \
	VMOVUPD off(SI), x \
	VPCMPGTQ top, x, Y8 \
	VBLENDVPD Y8, x, top, top`)
	const steps = `MOVQ x_base+0(FP), SI
		MOVQ x_len+8(FP), CX
		SHRQ $4, CX`
	larger := func(letter string, x, top int) {
		f.line("VPCMPGTQ %[1]s%[3]d, %[1]s%[2]d, %[1]s8\nVBLENDVPD %[1]s8, %[1]s%[2]d, %[1]s%[3]d, %[1]s%[3]d", letter, x, top)
	}
	f.begin("topOfVectors4", "(x []float64) int64", "$0-32", "")
	f.text(steps)
	f.repeat(4, "VPXOR Y%[1]d, Y%[1]d, Y%[1]d", 0, 1)
	f.text("step:")
	f.repeat(4, "LARGER(%d, Y%d, Y%d)", 0, 32, 4, 1, 0, 1)
	f.text("ADDQ $128, SI", "DECQ CX", "JNZ  step")
	larger("Y", 1, 0)
	larger("Y", 3, 2)
	larger("Y", 2, 0)
	f.text("VEXTRACTF128 $1, Y0, X1")
	larger("X", 1, 0)
	f.text("VPERMILPD $1, X0, X1")
	larger("X", 1, 0)
	f.text("VMOVQ X0, AX", "MOVQ AX, ret+24(FP)")
	f.end()

	f.begin("multiplyVectors4", "(x []float64, f float64)", "$0-32", "")
	f.text(steps, "VBROADCASTSD f+24(FP), Y0", "next:")
	f.repeat(4, "VMULPD %d(SI), Y0, Y%d", 0, 32, 1, 1)
	f.repeat(4, "VMOVUPD Y%d, %d(SI)", 1, 1, 0, 32)
	f.text("ADDQ $128, SI", "DECQ CX", "JNZ  next")
	f.end()
	return f
}
