package harness

import "github.com/perfdiff/perfdiff/internal/ingest"

// Formats are all layouts of this package in the order in which they are to be
// tried, before the generic ones.
var Formats = []ingest.Format{
	SGLang,
	VLLM,
	AIPerf,
	GenAIPerf,
	GuideLLM,
	InferencePerf,
	LLMPerf,
	GenAIBench,
	LMBenchmark,
	InferenceX,
	DistServe,
	LLMeter,
	LoadGen,
	Vegeta,
	K6,
	Oha,
	OTel,
	LiteLLM,
	Langfuse,
	AzureLLM,
	BurstGPT,
	Mooncake,
	Prometheus,
	HdrLog,
	Aggregates,
}
