package fmt

func Println(a ...any) (n int, err error)
