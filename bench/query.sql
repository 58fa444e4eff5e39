-- What an engine must do at least to print the numbers of one comparison:
-- exact percentiles of three latencies, by file and run, of good requests.
SELECT filename, run, count(*),
       quantile_cont(ttft_ms, [0.5, 0.9, 0.95, 0.99, 0.999]),
       quantile_cont(e2e_ms, [0.5, 0.9, 0.95, 0.99, 0.999]),
       quantile_cont((e2e_ms - ttft_ms) / nullif(output_tokens - 1, 0), [0.5, 0.9, 0.95, 0.99, 0.999])
FROM read_parquet(['before.parquet', 'after.parquet'], filename = true)
WHERE status = 'ok' GROUP BY ALL
