package arrowio

import (
	"errors"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/zstd"
)

// boundedZstd unpacks no more than there is room for. The library's own codec goes by
// the size that the packed data name, and they need not name one: a page of a hundred
// kilobytes could take all memory.
type boundedZstd struct {
	compress.Codec
	compress.StreamingCodec
}

func init() {
	codec, err := compress.GetCodec(compress.Codecs.Zstd)
	if err != nil {
		panic(err)
	}
	compress.RegisterCodec(compress.Codecs.Zstd, boundedZstd{codec, codec.(compress.StreamingCodec)})
}

var boundedDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecodeAllCapLimit(true))
})

// DecodeWithError unpacks src into dst. Errors: errLong if that is too short.
func (boundedZstd) DecodeWithError(dst, src []byte) ([]byte, error) {
	d, err := boundedDecoder()
	if err != nil {
		return nil, err
	}
	out, err := d.DecodeAll(src, dst[:0:len(dst)])
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = errLong
	}
	return out, err
}

// Decode is DecodeWithError for callers that catch panics.
func (c boundedZstd) Decode(dst, src []byte) []byte {
	out, err := c.DecodeWithError(dst, src)
	if err != nil {
		panic(err)
	}
	return out
}
