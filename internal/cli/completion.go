package cli

import (
	"maps"

	"github.com/spf13/cobra"

	"github.com/perfdiff/perfdiff/internal/compare"
)

// complete tells the shells what may stand where: files as arguments, beside the
// names of commands, and the words of flags that take few. own are those of the
// program, by flag.
func complete(root *cobra.Command, own map[string][]string) {
	words := map[string][]string{
		"format":          formats,
		"color":           {"auto", "always", "never"},
		"files":           {"runs", "parts"},
		"from":            {"scheduled", "service"},
		"timeouts":        {"drop", "censor"},
		"interval":        compare.IntervalNames(),
		"unit":            compare.UnitNames(),
		"on-inconclusive": {"fail", "pass"},
		"mix":             {"prompt_tokens", "output_tokens", "cached_tokens", compare.NoMix},
	}
	maps.Copy(words, own)
	for _, cmd := range append(root.Commands(), root) {
		cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		}
		for name, list := range words {
			if cmd.Flags().Lookup(name) == nil {
				continue
			}
			// The one error is that the flag has completions already.
			_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp))
		}
	}
}
