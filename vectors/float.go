package vectors

import (
	"math"
	"strconv"
)

// pow10 holds the powers of ten that float64 has exactly.
var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// scanFloat reads the number at the start of b, up to a separator or the end,
// exactly as strconv.ParseFloat(…, 32) does. It returns how many bytes the
// number takes, or 0 for what is no number of float32's range.
//
// Short decimals take the fast way: their digits as an integer m of at most
// 2^53, multiplied or divided by a power of ten of at most 10^22, is the
// float64 nearest to the number. Rounding that to float32 gives the nearest
// float32 too, unless it lies halfway between two of them (the number itself
// may lie on either side) or below the normal float32s.
func scanFloat(b []byte) (float32, int) {
	i := 0
	negative := false
	if i < len(b) && (b[i] == '-' || b[i] == '+') {
		negative = b[i] == '-'
		i++
	}
	var m uint64
	begin := i
	for i < len(b) && b[i]-'0' <= 9 {
		m = m*10 + uint64(b[i]-'0')
		i++
	}
	digits, exp := i-begin, 0
	if i < len(b) && b[i] == '.' {
		i++
		begin = i
		for i < len(b) && b[i]-'0' <= 9 {
			m = m*10 + uint64(b[i]-'0')
			i++
		}
		exp = begin - i
		digits -= exp
	}
	if digits == 0 || digits > 19 {
		return slowFloat(b)
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		minus := false
		if i < len(b) && (b[i] == '-' || b[i] == '+') {
			minus = b[i] == '-'
			i++
		}
		e := 0
		begin = i
		for i < len(b) && b[i]-'0' <= 9 && e < 1000 {
			e = e*10 + int(b[i]-'0')
			i++
		}
		if i == begin {
			return 0, 0
		}
		if minus {
			e = -e
		}
		exp += e
	}
	if i < len(b) && !isSeparator(b[i]) || m > 1<<53 || exp < -22 || exp > 22 {
		return slowFloat(b)
	}
	v := float64(m)
	if exp < 0 {
		v /= pow10[-exp]
	} else {
		v *= pow10[exp]
	}
	const half, below = 1 << 28, 1<<29 - 1 // the 29 bits that float32 drops
	if math.Float64bits(v)&below == half || v < 0x1p-126 && v != 0 {
		return slowFloat(b)
	}
	if negative {
		v = -v
	}
	return float32(v), i
}

// slowFloat is scanFloat for what needs care.
func slowFloat(b []byte) (float32, int) {
	n := 0
	for n < len(b) && !isSeparator(b[n]) {
		n++
	}
	field := b[:n]
	if !isNumber(field) {
		return 0, 0
	}
	if unsigned(field)[0]|0x20 == 'n' { // C also prints nan with a sign
		return float32(math.NaN()), n
	}
	v, err := strconv.ParseFloat(string(field), 32)
	if err != nil {
		return 0, 0
	}
	return float32(v), n
}

// isNumber reports whether field is written as a decimal number, nan or inf.
// Go's hexadecimal floats and underscores are words here.
func isNumber(field []byte) bool {
	body := unsigned(field)
	if len(body) == 0 {
		return false
	}
	switch body[0] | 0x20 {
	case 'n', 'i':
		switch len(body) {
		case 3:
			return equalFold(body, "nan") || equalFold(body, "inf")
		case 8:
			return equalFold(body, "infinity")
		}
		return false
	}
	i, digits := 0, 0
	for ; i < len(body) && body[i]-'0' <= 9; i++ {
		digits++
	}
	if i < len(body) && body[i] == '.' {
		for i++; i < len(body) && body[i]-'0' <= 9; i++ {
			digits++
		}
	}
	if digits == 0 || i == len(body) {
		return digits > 0
	}
	if body[i]|0x20 != 'e' {
		return false
	}
	return isWhole(unsigned(body[i+1:]))
}

// isWhole reports whether field is digits only.
func isWhole(field []byte) bool {
	for _, c := range field {
		if c-'0' > 9 {
			return false
		}
	}
	return len(field) > 0
}

// unsigned returns field without its sign.
func unsigned(field []byte) []byte {
	if len(field) > 0 && (field[0] == '-' || field[0] == '+') {
		return field[1:]
	}
	return field
}

// equalFold compares field with a word in lower-case letters.
func equalFold(field []byte, word string) bool {
	if len(field) != len(word) {
		return false
	}
	for i, c := range field {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}
