package perfdiff_test

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// foreignWords are paths and words of the machines and people that a file was
// made on. They are put together here so that this file has none of them.
var foreignWords = []string{
	"/wo" + "rk/", "/fa" + "rm/", ".lib" + "rary", "/tmp/" + "brief", "/ro" + "ot/",
	"proxy.go" + "lang", "sum.go" + "lang", "helper " + "session", "this " + "session",
}

// TestFilesSpeakOfTheProduct reads every text file of the module.
func TestFilesSpeakOfTheProduct(t *testing.T) {
	files := 0
	walk(t, func(name string) {
		if path.Base(name) == "go.sum" {
			return
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !isText(data) {
			return
		}
		files++
		for _, fault := range checkWords(name, data) {
			t.Error(fault)
		}
	})
	if files < 50 {
		t.Errorf("only %d text files were read", files)
	}
}

func isText(data []byte) bool {
	head := data[:min(len(data), 8000)]
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	for len(head) > 0 && !utf8.RuneStart(head[len(head)-1]) {
		head = head[:len(head)-1] // a character cut in two
	}
	return utf8.Valid(head[:max(0, len(head)-1)])
}

func checkWords(name string, data []byte) (faults []string) {
	text := string(data)
	for _, word := range foreignWords {
		if at := strings.Index(text, word); at >= 0 {
			line := 1 + strings.Count(text[:at], "\n")
			faults = append(faults, name+":"+strconv.Itoa(line)+": "+word+" does not belong in the product")
		}
	}
	return faults
}

func TestWordsGuardCatches(t *testing.T) {
	for _, word := range foreignWords {
		if faults := checkWords("x.md", []byte("one\ntwo "+word+" three\n")); len(faults) != 1 || !strings.HasPrefix(faults[0], "x.md:2: ") {
			t.Errorf("%s: faults %q", word, faults)
		}
	}
	if faults := checkWords("x.md", []byte("A worker does the work; a network/works.\n")); len(faults) != 0 {
		t.Errorf("clean text: %q", faults)
	}
	for text, want := range map[string]bool{"": true, "plain": true, "gr\u00f6\u00dfer": true, "PAR1\x00\x01": false, "\xff\xfe\xfd\xfc": false} {
		if isText([]byte(text)) != want {
			t.Errorf("isText(%q) = %v", text, !want)
		}
	}
}
