package url

type URL struct{ Path string }
