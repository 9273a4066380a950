package timing

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Processor returns the name of the processor and the size of its first-level cache of
// instructions, on which the times of unrolled code depend. It reads the files of Linux below root,
// and says what it does not find there.
func Processor(root fs.FS) string {
	name, cache := "model not known", "L1I not known"
	info, _ := fs.ReadFile(root, "proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			name = strings.TrimSpace(value)
			break
		}
	}
	folders, _ := fs.Glob(root, "sys/devices/system/cpu/cpu0/cache/index*")
	for _, folder := range folders {
		read := func(file string) string {
			text, _ := fs.ReadFile(root, path.Join(folder, file))
			return strings.TrimSpace(string(text))
		}
		if read("level") == "1" && read("type") == "Instruction" {
			cache = fmt.Sprintf("L1I %siB", read("size"))
		}
	}
	return name + ", " + cache
}
