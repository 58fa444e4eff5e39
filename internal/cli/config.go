package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/perfdiff/perfdiff/internal/compare"
	"github.com/perfdiff/perfdiff/internal/report"
	"github.com/perfdiff/perfdiff/internal/verdict"
)

// configFlags name the policy file.
type configFlags struct {
	path  string
	print bool
}

func (f *configFlags) register(fs *pflag.FlagSet, name string) {
	fs.StringVar(&f.path, "config", "", "policy `FILE`; "+name+".yaml in the working directory is used if it is there; flags go before it; none reads no policy")
	fs.BoolVar(&f.print, "print-config", false, "print the policy that would hold, as YAML, and end")
}

// noConfig as the path of the policy file reads none.
const noConfig = "none"

// load reads the policy file; an empty one if there is none.
func (f *configFlags) load(name string) (*verdict.File, error) {
	path := f.path
	if path == noConfig {
		return &verdict.File{Version: 1}, nil
	}
	if path == "" {
		path = name + ".yaml"
	}
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && f.path == "":
		return &verdict.File{Version: 1}, nil
	case err != nil:
		return nil, usage("--config %s: %w", path, cause(err))
	}
	const largest = 1 << 20
	if len(data) > largest {
		return nil, usage("%s: %d bytes: a policy has at most %d", path, len(data), largest)
	}
	file, err := verdict.ParseFile(path, data)
	if err != nil {
		return nil, usageError{err}
	}
	return file, nil
}

// merge lets the flags that were set go before the file, and the file before
// the defaults. It leaves in file what holds in the end.
func merge(file *verdict.File, flags *pflag.FlagSet, st *statFlags, in *inputFlags) {
	set := flags.Changed
	pick := func(name string, flag *[]string, key *[]string) {
		if set(name) {
			*key = *flag
		} else if len(*key) > 0 {
			*flag = *key
		}
	}
	if !set("metric") && len(file.Metrics) > 0 {
		st.inFile = file.Where
	}
	pick("metric", &st.metrics, &file.Metrics)
	pick("by", &in.by, &file.By)
	pick("critical", &in.crit, &file.Critical)
	pick("mix", &in.mix, &file.Mix)
	if set("level") || file.Level == 0 {
		file.Level = st.level
	} else {
		st.level = file.Level
	}
	if set("run-noise") || file.RunNoise == "" {
		file.RunNoise = st.runNoise
	} else {
		st.runNoise = file.RunNoise
	}
	if set("slo") || file.SLO == "" {
		file.SLO = st.slo
	} else {
		st.slo = file.SLO
	}
	type text struct {
		name      string
		flag, key *string
	}
	texts := []text{{"slo-target", &st.sloTarget, &file.SLOTarget}, {"slo-window", &st.sloWindow, &file.SLOWindow}, {"timeouts", &in.timeouts, &file.Timeouts}, {"interval", &st.interval, &file.Interval}}
	if flags.Lookup("pair") != nil { // plans and calibrations are of one input
		texts = append(texts, text{"pair", &in.pair, &file.Pair})
	}
	for _, v := range texts {
		if set(v.name) || *v.key == "" {
			*v.key = *v.flag
		} else {
			*v.flag = *v.key
		}
	}
	if set("gpu-hour") {
		file.Cost.GPUHour = st.gpuHour
	}
	if set("gpus") {
		file.Cost.GPUs = st.gpus
	}
	st.perHour = file.Cost.PerHour()
}

// unpaired remarks that a command about one input pairs no runs, whatever the
// policy says.
func (s *session) unpaired(file *verdict.File) {
	if file.Pair != "" {
		s.notes = append(s.notes, report.Note{Code: "not_paired", Text: "the policy pairs runs by " + file.Pair + ", and this is about the runs of one input, which are not paired: pairs that share much take fewer runs"})
	}
}

// inPolicy lets an error about a flag that was not set name the policy file and the
// line that its value comes from.
func inPolicy(err error, file *verdict.File, flags *pflag.FlagSet) error {
	if err == nil {
		return nil
	}
	if missing := (*compare.MissingColumnError)(nil); errors.As(err, &missing) {
		if where := columnInPolicy(missing.Column, file, flags); where != "" {
			return policyError{where + ": " + err.Error(), err}
		}
	}
	rest, ok := strings.CutPrefix(err.Error(), "--")
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '-' && (r < 'a' || r > 'z') })
	if !ok || end < 0 || flags.Changed(rest[:end]) {
		return err
	}
	key := strings.ReplaceAll(rest[:end], "-", "_")
	for _, path := range []string{key, "cost." + key, "quality." + key} {
		if where := file.Where(path); where != "" {
			return policyError{where + ": " + key + rest[end:], err}
		}
	}
	return err
}

// columnInPolicy is where the policy file names a column, in keys that no flag replaces.
func columnInPolicy(column string, file *verdict.File, flags *pflag.FlagSet) string {
	for _, list := range []struct {
		key   string
		items []string
	}{{"by", file.By}, {"critical", file.Critical}, {"mix", file.Mix}} {
		for i, item := range list.items {
			names := []string{item}
			if list.key == "critical" {
				of, _ := compare.ParseSlice(item)
				names = of.Columns
			}
			if !flags.Changed(list.key) && slices.Contains(names, column) {
				return file.Where(fmt.Sprintf("%s[%d]", list.key, i))
			}
		}
	}
	return ""
}

// policyError is an error in other words.
type policyError struct {
	text string
	err  error
}

func (e policyError) Error() string { return e.text }
func (e policyError) Unwrap() error { return e.err }

// today is the day that acceptances are held against.
func today() time.Time { return time.Now().UTC() }

// printConfig writes the policy that holds.
func (a *app) printConfig(file *verdict.File, margins, limits []string) error {
	for _, m := range margins {
		file.AddMargin(m)
	}
	file.Limits = append(file.Limits, limits...)
	b, err := file.Marshal()
	if err != nil {
		return err
	}
	if _, err := a.env.Stdout.Write(b); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}
