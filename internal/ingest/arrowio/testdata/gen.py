# Writes the files that corpus_test.go checks cell by cell; see README.md.
import datetime as dt
import decimal
import os
import sys

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq

N = 400
os.chdir(os.path.dirname(os.path.abspath(__file__)))
D = decimal.Decimal
rows = range(N)


def null(i, v):
    return None if i % 7 == 3 else v


def col(f, typ):
    return pa.array([null(i, f(i)) for i in rows], type=typ)


def lists(typ):
    return col(lambda i: [None if i % 5 == 0 and j == 1 else i / 2 + j for j in range(i % 4)], typ)


US = 1750000000000000
cols = {
    "id": pa.array(list(rows), pa.int64()),
    "i8": col(lambda i: i % 100 - 50, pa.int8()),
    "u8": col(lambda i: i % 250, pa.uint8()),
    "i16": col(lambda i: i - 500, pa.int16()),
    "u16": col(lambda i: 60000 + i, pa.uint16()),
    "i32": col(lambda i: i * 1000 - 5, pa.int32()),
    "u32": col(lambda i: 4000000000 + i, pa.uint32()),
    "i64": col(lambda i: (1 << 60) + i, pa.int64()),
    "u64": col(lambda i: (1 << 63) + i * 4096, pa.uint64()),
    "f16": pa.array([null(i, np.float16(i / 8)) for i in rows], pa.float16()),
    "f32": col(lambda i: i / 4 + 0.5, pa.float32()),
    "f64": col(lambda i: i / 3, pa.float64()),
    "f64_full": pa.array([i / 3 for i in rows], pa.float64()),
    "dec9": col(lambda i: D(i * 100 + 25).scaleb(-2), pa.decimal128(9, 2)),
    "dec18": col(lambda i: D(-i * 1000 - 1).scaleb(-3), pa.decimal128(18, 3)),
    "dec38": col(lambda i: D(i * 10**6 + 1).scaleb(-6), pa.decimal128(38, 6)),
    "dec_big": col(lambda i: D(12345678901234567890123 + i).scaleb(-2), pa.decimal128(38, 2)),
    "bool": col(lambda i: i % 3 == 0, pa.bool_()),
    "text": col(lambda i: "word-%d" % (i % 13), pa.string()),
    "unique": col(lambda i: "id-%06d" % i, pa.string()),
    "num_text": col(lambda i: "%d.5" % i, pa.string()),
    "dur_text": col(lambda i: "%dms" % i, pa.string()),
    "ts_text": col(lambda i: (dt.datetime(2025, 6, 15, 12) + dt.timedelta(seconds=i)).isoformat() + "+02:00", pa.string()),
    "dict": pa.array([null(i, "word-%d" % (i % 13)) for i in rows]).dictionary_encode(),
    "ts_s": col(lambda i: US // 10**6 + i, pa.timestamp("s")),
    "ts_ms": col(lambda i: US // 1000 + i, pa.timestamp("ms")),
    "ts_us": col(lambda i: US + i, pa.timestamp("us")),
    "ts_ns": col(lambda i: US * 1000 + i, pa.timestamp("ns")),
    "ts_tz": col(lambda i: US + i, pa.timestamp("us", tz="Europe/Paris")),
    "date": col(lambda i: dt.date(2025, 6, 15) + dt.timedelta(days=i), pa.date32()),
    "time": col(lambda i: i * 10**6 + 1, pa.time64("us")),
    "dur_ms": col(lambda i: i + 1, pa.duration("ms")),
    "dur_us": col(lambda i: i + 1, pa.duration("us")),
    "dur_ns": col(lambda i: i + 1, pa.duration("ns")),
    "list": lists(pa.list_(pa.float64())),
    "st": pa.array([null(i, {"a": i * 2.0, "b": None if i % 5 == 0 else "b%d" % (i % 3)}) for i in rows],
                   pa.struct([("a", pa.float64()), ("b", pa.string())])),
    "nothing": pa.nulls(N, pa.int64()),
    "null": pa.nulls(N),
}
table = pa.table(cols).replace_schema_metadata({"model": "m-1"})


def without(t, *names):
    return t.drop_columns([n for n in names if n in t.column_names])


os.makedirs("corpus", exist_ok=True)
for name, opt in {
    "pyarrow-snappy-v1": dict(compression="snappy"),
    "pyarrow-zstd-v2-crc": dict(compression="zstd", data_page_version="2.0", write_page_checksum=True),
    "pyarrow-gzip-v1-crc": dict(compression="gzip", write_page_checksum=True, data_page_size=512),
    "pyarrow-brotli-plain": dict(compression="brotli", use_dictionary=False),
    "pyarrow-lz4-int96": dict(compression="lz4", use_deprecated_int96_timestamps=True),
    "pyarrow-none-decimals": dict(compression="none", store_decimal_as_integer=True, store_schema=False),
    "pyarrow-delta": dict(compression="zstd", use_dictionary=False, data_page_version="2.0", column_encoding={
        **{c: "DELTA_BINARY_PACKED" for c in ("id", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "ts_us", "dur_us")},
        **{c: "BYTE_STREAM_SPLIT" for c in ("f32", "f64", "f64_full", "f16")},
        "text": "DELTA_BYTE_ARRAY", "unique": "DELTA_LENGTH_BYTE_ARRAY", "bool": "RLE"}),
}.items():
    pq.write_table(table, f"corpus/{name}.parquet", row_group_size=150, **opt)

# DuckDB has no float16, null or dictionary type, and spells durations as intervals.
t = without(table, "f16", "null", "dict", "dur_ms", "dur_us", "dur_ns")
con = duckdb.connect()
for name, opt in {
    "duckdb-v1-snappy": "PARQUET_VERSION v1, COMPRESSION snappy",
    "duckdb-v2-zstd": "PARQUET_VERSION v2, COMPRESSION zstd",
}.items():
    con.execute(f"COPY (SELECT * FROM t) TO 'corpus/{name}.parquet' (FORMAT parquet, {opt}, ROW_GROUP_SIZE 2048)")

p = pl.from_arrow(without(table, "null", "ts_s", "f16"))
p.write_parquet("corpus/polars-zstd.parquet", compression="zstd", row_group_size=150)
p.write_ipc("corpus/polars-zstd.arrow", compression="zstd")
p.write_ipc_stream("corpus/polars-stream.arrows", compression="lz4")

wide = table
wide = wide.append_column("large_text", cols["text"].cast(pa.large_string()))
wide = wide.append_column("view_text", cols["unique"].cast(pa.string_view()))
wide = wide.append_column("large_list", lists(pa.large_list(pa.float64())))
wide = wide.append_column("fixed_list", col(lambda i: [i / 2, i / 2 + 1], pa.list_(pa.float64(), 2)))
wide = wide.append_column("dec256", cols["dec_big"].cast(pa.decimal256(50, 2)))
wide = wide.append_column("date64", cols["date"].cast(pa.date64()))
wide = wide.append_column("time32", cols["time"].cast(pa.time32("s"), safe=False))
for name, compression in {"lz4": "lz4", "zstd": "zstd", "none": None}.items():
    opt = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.OSFile(f"corpus/pyarrow-{name}.arrow", "wb") as f, pa.ipc.new_file(f, wide.schema, options=opt) as w:
        w.write_table(wide, max_chunksize=150)
    with pa.OSFile(f"corpus/pyarrow-{name}.arrows", "wb") as f, pa.ipc.new_stream(f, wide.schema, options=opt) as w:
        w.write_table(wide, max_chunksize=150)
with pa.OSFile("deltas.arrow", "wb") as f:
    typ = pa.dictionary(pa.int32(), pa.string())
    opt = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
    with pa.ipc.new_file(f, pa.schema([("w", typ)]), options=opt) as w:
        for ids, words in (([0, 1], "ab"), ([0, 1, 2], "abc"), ([3], "abcd")):
            w.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(pa.array(ids, pa.int32()), list(words))], ["w"]))
print(sys.version.split()[0], "duckdb", duckdb.__version__, "polars", pl.__version__, "pyarrow", pa.__version__)
