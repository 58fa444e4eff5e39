package textio

// appendList appends the numbers of a list in brackets, as JSON and Python
// write it. It fails on anything else, and then has appended some of them.
func appendList(dst []float64, s []byte) ([]float64, bool) {
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return dst, false
	}
	s = s[1 : len(s)-1]
	i := blanks(s, 0)
	if i == len(s) {
		return dst, true
	}
	for {
		d := scanDecimal(s[i:])
		if d.n > 0 {
			dst = append(dst, d.float(s[i:i+d.n]))
			i += d.n
		} else {
			start := i
			for i < len(s) && s[i] != ',' && s[i] > ' ' {
				i++
			}
			v, ok := parseSpecial(s[start:i])
			if !ok {
				return dst, false
			}
			dst = append(dst, v)
		}
		if i = blanks(s, i); i == len(s) {
			return dst, true
		}
		if s[i] != ',' {
			return dst, false
		}
		i = blanks(s, i+1)
	}
}

// blanks returns the index of the first byte from i on that is not white.
func blanks(s []byte, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}
