package arrowio

import (
	"encoding/binary"
	"slices"
)

// decodeFew is decode for values of at most 8 bits.
func (h *hybrid) decodeFew(dst []uint8) error {
	for len(dst) > 0 {
		switch {
		case h.run > 0:
			n := min(h.run, len(dst))
			for i := range dst[:n] {
				dst[i] = uint8(h.value)
			}
			h.run -= n
			dst = dst[n:]
		case h.pack > 0:
			n := min(h.pack, len(dst))
			h.unpackFew(dst[:n])
			if int64(h.limit) < 1<<h.bits {
				if sound := h.below(n); sound < n {
					if err := h.check(int32(slices.Max(dst[sound:n]))); err != nil {
						return err
					}
				}
			}
			h.pack -= n
			h.in += n
			dst = dst[n:]
		default:
			if err := h.next(); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpackFew decodes the next values of the bit-packed run, of at most 8 bits,
// without a check.
func (h *hybrid) unpackFew(dst []uint8) {
	for in := h.in; len(dst) > 0; {
		src := h.start[in/8*int(h.bits):] // eight values take whole bytes
		n := 0
		if in%8 == 0 {
			n = spread(dst, src, h.bits)
		}
		if n == 0 { // part of eight values, or the end of the run
			var from, to [8]byte
			copy(from[:], src)
			spread(to[:], from[:], h.bits)
			n = copy(dst, to[in%8:])
		}
		dst, in = dst[n:], in+n
	}
}

// spread spreads packed values of at most 8 bits over bytes, eight at a time, and
// returns how many: there may be some left that are too near to the end.
func spread(dst, src []byte, width uint) int {
	all := len(dst)
	switch width {
	case 0:
		clear(dst)
		return all
	case 2:
		dst = spread2(dst, src)
	case 4:
		dst = spread4(dst, src)
	case 8:
		return copy(dst, src)
	default:
		dst = spreadAny(dst, src, width&7)
	}
	return all - len(dst)
}

// spreadAny moves eight values by halves: four over 32 bits each, then two over 16,
// then one over 8. It returns what is left of dst.
func spreadAny(dst, src []byte, width uint) []byte {
	lanes := func(bits uint, of uint64) uint64 { return of * (1<<(bits&63) - 1) }
	four, two, one := lanes(4*width, 1), lanes(2*width, 0x1_0000_0001), lanes(width, 0x1_0001_0001_0001)
	for len(dst) >= 8 && len(src) >= 8 {
		x := binary.LittleEndian.Uint64(src)
		x = x&four | x<<((32-4*width)&63)&(four<<32)
		x = x&two | x<<((16-2*width)&63)&(two<<16)
		x = x&one | x<<((8-width)&63)&(one<<8)
		binary.LittleEndian.PutUint64(dst, x)
		dst, src = dst[8:], src[width:]
	}
	return dst
}

// spread2 and spread4 are spreadAny for two and four bits, by constants.
func spread2(dst, src []byte) []byte {
	for len(dst) >= 8 && len(src) >= 2 {
		x := uint64(binary.LittleEndian.Uint16(src))
		x = x&0xff | x<<24&(0xff<<32)
		x = (x | x<<12) & 0x000f_000f_000f_000f
		x = (x | x<<6) & 0x0303_0303_0303_0303
		binary.LittleEndian.PutUint64(dst, x)
		dst, src = dst[8:], src[2:]
	}
	return dst
}

func spread4(dst, src []byte) []byte {
	for len(dst) >= 8 && len(src) >= 4 {
		x := uint64(binary.LittleEndian.Uint32(src))
		x = (x | x<<16) & 0x0000_ffff_0000_ffff
		x = (x | x<<8) & 0x00ff_00ff_00ff_00ff
		x = (x | x<<4) & 0x0f0f_0f0f_0f0f_0f0f
		binary.LittleEndian.PutUint64(dst, x)
		dst, src = dst[8:], src[4:]
	}
	return dst
}
