//go:build amd64 && !purego

#include "textflag.h"

// func cpuFeatures() (leaf1, leaf7, control uint32)
TEXT ·cpuFeatures(SB), NOSPLIT, $0-12
	MOVL $0, leaf1+0(FP)
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
	RET
