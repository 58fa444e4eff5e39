(function () {
  'use strict';
  var d = document;
  d.documentElement.className = 'js';

  // Filter: every word must occur in the row; a verdict must be the row's.
  d.querySelectorAll('form.tools').forEach(function (form) {
    var table = d.getElementById(form.dataset.table);
    var rows = [].slice.call(table.tBodies[0].rows);
    var status = form.querySelector('output');
    function apply() {
      var words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean);
      var verdict = form.verdict ? form.verdict.value : '';
      var shown = 0;
      rows.forEach(function (row) {
        var text = row.textContent.toLowerCase();
        var ok = words.every(function (w) { return text.indexOf(w) >= 0; }) &&
          (!verdict || row.dataset.verdict === verdict);
        row.hidden = !ok;
        if (ok) shown++;
      });
      var all = rows.length + (rows.length === 1 ? ' row' : ' rows');
      status.textContent = shown === rows.length ? all : shown + ' of ' + all;
    }
    form.addEventListener('input', apply);
    form.addEventListener('change', apply);
    form.addEventListener('reset', function () { setTimeout(apply); });
    form.addEventListener('submit', function (e) { e.preventDefault(); });
    apply();
  });

  // Sort: numbers by data-value, else text; a third press restores the order.
  d.querySelectorAll('table.sortable').forEach(function (table) {
    var body = table.tBodies[0];
    var original = [].slice.call(body.rows);
    [].slice.call(table.tHead.rows[0].cells).forEach(function (th, col) {
      var button = d.createElement('button');
      button.type = 'button';
      while (th.firstChild) button.appendChild(th.firstChild);
      th.appendChild(button);
      button.addEventListener('click', function () {
        var now = th.getAttribute('aria-sort');
        var next = now === 'ascending' ? 'descending' : now === 'descending' ? null : 'ascending';
        [].slice.call(table.tHead.rows[0].cells).forEach(function (c) { c.removeAttribute('aria-sort'); });
        var rows = original.slice();
        if (next) {
          th.setAttribute('aria-sort', next);
          var sign = next === 'ascending' ? 1 : -1;
          var key = function (row) {
            var cell = row.cells[col];
            var v = cell.getAttribute('data-value');
            if (v === null) return cell.textContent.trim().toLowerCase();
            return v === '' ? null : Number(v);
          };
          rows.sort(function (a, b) {
            var x = key(a), y = key(b);
            if (x === null || y === null) return (x === null) - (y === null);
            return sign * (typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y)));
          });
        }
        rows.forEach(function (r) { body.appendChild(r); });
      });
    });
  });

  d.querySelectorAll('button.copy').forEach(function (button) {
    button.addEventListener('click', function () {
      var text = d.getElementById(button.dataset.copy).textContent;
      var done = function () { button.textContent = 'Copied'; };
      if (navigator.clipboard && navigator.clipboard.writeText) {
        navigator.clipboard.writeText(text).then(done, function () {});
      } else {
        var range = d.createRange();
        range.selectNodeContents(d.getElementById(button.dataset.copy));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        if (d.execCommand('copy')) done();
      }
    });
  });

  // What is folded is printed too.
  var opened = [];
  addEventListener('beforeprint', function () {
    opened = [].slice.call(d.querySelectorAll('details:not([open])'));
    opened.forEach(function (x) { x.open = true; });
  });
  addEventListener('afterprint', function () { opened.forEach(function (x) { x.open = false; }); });
})();
