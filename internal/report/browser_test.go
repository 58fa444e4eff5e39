package report

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// probe sorts and filters the table of results and writes what is then seen
// into the page.
const probe = `<script>
(function () {
  var table = document.getElementById('table-results');
  function column(n) {
    return [].slice.call(table.tBodies[0].rows).filter(function (r) { return !r.hidden; })
      .map(function (r) { return r.cells[0].textContent + ' ' + r.cells[n].textContent; }).join('; ');
  }
  var out = [];
  var change = table.tHead.rows[0].cells[4];
  change.querySelector('button').click();
  out.push('up ' + change.getAttribute('aria-sort') + ': ' + column(4));
  change.querySelector('button').click();
  out.push('down ' + change.getAttribute('aria-sort') + ': ' + column(4));
  change.querySelector('button').click();
  out.push('back ' + change.getAttribute('aria-sort') + ': ' + column(4));
  var form = document.querySelector('form.tools');
  form.q.value = 'TTFT p9';
  form.verdict.value = 'FAIL';
  form.dispatchEvent(new Event('input'));
  out.push('found ' + form.querySelector('output').textContent + ': ' + column(1));
  var pre = document.createElement('pre');
  pre.id = 'probe';
  pre.textContent = out.join('\n');
  document.body.appendChild(pre);
})();
</script>`

// TestPageInBrowser opens the page in a headless browser, if there is one, from
// a file and without a network: its own script runs under its content policy,
// and sorting and filtering do what they say.
func TestPageInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Skip("no Chromium")
	}
	doc := sample("FAIL", 1)
	doc.Results = append(doc.Results[:2:2], doc.Results[2], doc.Results[6])
	page := pageOf(t, doc, HTMLOptions{})
	dump := func(page string) string {
		t.Helper()
		dir := t.TempDir()
		file := filepath.Join(dir, "page.html")
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
			"--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+file)
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("the browser does not start: %v", err)
		}
		return string(out)
	}
	seen := dump(page)
	if !strings.Contains(seen, `<html lang="en" class="js">`) || !strings.Contains(seen, `<output aria-live="polite">4 rows</output>`) {
		t.Error("the page's script did not run under its content policy")
	}

	// The probe is a script that the policy forbids, so it goes without.
	policy := page[strings.Index(page, `<meta http-equiv="Content-Security-Policy"`):]
	policy = policy[:strings.Index(policy, ">")+1]
	probed := strings.Replace(strings.Replace(page, policy, "", 1), "</body>", probe+"</body>", 1)
	if got := dump(strings.Replace(page, "</body>", probe+"</body>", 1)); strings.Contains(got, `id="probe"`) {
		t.Error("a foreign script ran")
	}
	got := dump(probed)
	_, got, _ = strings.Cut(got, `<pre id="probe">`)
	got, _, _ = strings.Cut(got, "</pre>")
	want := `up ascending: ok -0.01 pp; tpot +1.0 %; ttft +5.8 %; ttft +17.6 %
down descending: ttft +17.6 %; ttft +5.8 %; tpot +1.0 %; ok -0.01 pp
back null: ttft +17.6 %; ttft +5.8 %; tpot +1.0 %; ok -0.01 pp
found 1 of 4 rows: ttft p99`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
