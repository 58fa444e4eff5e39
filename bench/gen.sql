-- Deterministic generator of a pair of record files, for DuckDB 1.4 or later.
-- The number of rows a side is the variable n. Everything derives from
-- hash(i, salt), so the output does not depend on threads.
-- u(i, s) in (0, 1): the upper 53 bits of a hash. hash(i, s) with two arguments
-- is correlated across salts, so one 64-bit argument is hashed twice.
CREATE OR REPLACE MACRO u(i, s) AS (((hash(hash(i::BIGINT + s::BIGINT * 1000000007::BIGINT)) >> 11)::DOUBLE + 0.5) / 9007199254740992.0);
-- Box-Muller
CREATE OR REPLACE MACRO nrm(i, s) AS (sqrt(-2.0 * ln(u(i, s))) * cos(2.0 * pi() * u(i, s + 1000)));
-- One side. salt: seed offset; pref: factor on the prefill time; hit: share of
-- cached prompts; tail: share of slow first tokens. Ten runs that lie 3 % apart,
-- eight replicas, 0.3 % failures.
CREATE OR REPLACE MACRO gen(n, salt, pref, hit, tail) AS TABLE
WITH base AS (
  SELECT i,
    (i // (n // 10))::INT AS runix,
    least(131072, greatest(16, exp(6.2 + 1.1 * nrm(i, salt + 1))))::INT AS prompt_tokens,
    least(8192, greatest(1, exp(5.0 + 0.9 * nrm(i, salt + 2))))::INT AS output_tokens,
    u(i, salt + 3) < hit AS cached,
    nrm(i, salt + 4) AS z1, nrm(i, salt + 5) AS z2,
    u(i, salt + 6) AS ut, u(i, salt + 7) AS us, u(i, salt + 8) AS ur
  FROM range(n) t(i)
), lat AS (
  SELECT *, exp(0.03 * nrm(runix, salt + 77)) AS reff FROM base
), l2 AS (
  SELECT *,
    reff * (18.0 + CASE WHEN cached THEN 0.004 * prompt_tokens ELSE pref * 0.055 * prompt_tokens END)
      * exp(0.25 * z1) * CASE WHEN ut < tail THEN 1 + 20 * u(i, salt + 9) ELSE 1 END AS ttft,
    reff * 11.0 * exp(0.18 * z2) * (1 + prompt_tokens / 60000.0) AS itl
  FROM lat
)
SELECT
  printf('%016x', hash(i::BIGINT + salt::BIGINT * 1000000007::BIGINT)) AS request_id,
  ('run-' || printf('%02d', runix + 1)) AS run,
  ('replica-' || floor(ur * 8)::INT) AS replica,
  1750000000000000000 + i * 137000 AS start_ns,
  round(ttft, 3) AS ttft_ms,
  round(ttft + itl * (output_tokens - 1), 3) AS e2e_ms,
  prompt_tokens, output_tokens,
  CASE WHEN us < 0.002 THEN 'error' WHEN us < 0.003 THEN 'timeout' ELSE 'ok' END AS status
FROM l2;
SET preserve_insertion_order = true;
COPY (FROM gen(getvariable('n'), 1, 1.00, 0.35, 0.004)) TO 'before.parquet' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1000000);
COPY (FROM gen(getvariable('n'), 5001, 0.95, 0.40, 0.006)) TO 'after.parquet' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1000000);
