package textio

import "time"

// parseClock parses a duration of a minute or more as Go prints it: "1m2.5s",
// "2h0m0s". Minutes must be followed by seconds, so that a lone "5m" is not
// taken for minutes.
func parseClock(b []byte) (ns int64, ok bool) {
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	var j int
	if j = digitsEnd(b, i); j > i && j < len(b) && b[j] == 'h' {
		i = j + 1
	}
	if j = digitsEnd(b, i); j == i || j == len(b) || b[j] != 'm' {
		return 0, false
	}
	i = j + 1
	if j = digitsEnd(b, i); j == i {
		return 0, false
	}
	if j < len(b) && b[j] == '.' {
		i = j + 1
		if j = digitsEnd(b, i); j == i {
			return 0, false
		}
	}
	if j != len(b)-1 || b[j] != 's' {
		return 0, false
	}
	d, err := time.ParseDuration(string(b))
	return int64(d), err == nil
}

// digitsEnd returns the index behind the digits at i.
func digitsEnd(b []byte, i int) int {
	for i < len(b) && b[i]-'0' <= 9 {
		i++
	}
	return i
}
