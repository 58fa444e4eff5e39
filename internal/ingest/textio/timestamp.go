package textio

// parseTimestamp parses an RFC 3339 timestamp into nanoseconds since 1970 UTC.
// A space may stand for the T and before the zone, the zone may be "UTC",
// "+02", "+0200" or "+02:00", and none means UTC. Digits of the fraction
// beyond the ninth are dropped. It fails outside the years 1678 to 2261.
func parseTimestamp(b []byte) (int64, bool) {
	if len(b) < 19 || b[4] != '-' || b[7] != '-' || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	if c := b[10]; c != 'T' && c != 't' && c != ' ' {
		return 0, false
	}
	year, ok1 := number2(b[0:4])
	month, ok2 := number2(b[5:7])
	day, ok3 := number2(b[8:10])
	hour, ok4 := number2(b[11:13])
	minute, ok5 := number2(b[14:16])
	sec, ok6 := number2(b[17:19])
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || hour > 23 || minute > 59 || sec > 59 ||
		month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || year < 1678 || year > 2261 {
		return 0, false
	}
	b = b[19:]
	var frac int64
	if len(b) > 0 && b[0] == '.' {
		end := digitsEnd(b, 1)
		if end == 1 {
			return 0, false
		}
		for i := 1; i <= 9; i++ {
			frac *= 10
			if i < end {
				frac += int64(b[i] - '0')
			}
		}
		b = b[end:]
	}
	zone, ok := parseZone(b)
	if !ok {
		return 0, false
	}
	s := daysSince1970(year, month, day)*86400 + int64(hour*3600+minute*60+sec) - zone
	return s*1e9 + frac, true
}

// parseZone returns the seconds a zone is ahead of UTC.
func parseZone(b []byte) (int64, bool) {
	if len(b) > 0 && b[0] == ' ' {
		b = b[1:]
		if len(b) == 0 {
			return 0, false
		}
	}
	switch string(b) {
	case "", "Z", "z", "UTC":
		return 0, true
	}
	if b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	var hh, mm []byte
	switch {
	case len(b) == 3:
		hh, mm = b[1:3], []byte("00")
	case len(b) == 5:
		hh, mm = b[1:3], b[3:5]
	case len(b) == 6 && b[3] == ':':
		hh, mm = b[1:3], b[4:6]
	default:
		return 0, false
	}
	h, ok1 := number2(hh)
	m, ok2 := number2(mm)
	if !ok1 || !ok2 || h > 23 || m > 59 {
		return 0, false
	}
	s := int64(h*3600 + m*60)
	if b[0] == '-' {
		s = -s
	}
	return s, true
}

// number2 parses two or four digits.
func number2(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func daysIn(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysSince1970 counts days of the Gregorian calendar, in years that begin in
// March so that the leap day is the last.
func daysSince1970(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := year / 400
	yoe := year - era*400
	doy := (153*(month-3)+2)/5 + day - 1
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return int64(era*146097+doe) - 719468
}
