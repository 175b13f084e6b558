"""OpenTelemetry spans: nothing at all until `start_tracing` knows where to send them."""

import os
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Tracer

SERVICE = "maththera"
STANDARD_VARIABLE = "OTEL_EXPORTER_OTLP_ENDPOINT"
_NOTHING: AbstractContextManager[None] = nullcontext()

_provider: "TracerProvider | None" = None
_tracer: "Tracer | None" = None


def span(name: str, **attributes: Any) -> AbstractContextManager[Any]:
    """`with span("diagnose", c_level=5):` is a span under the current one, or an empty block while tracing is off."""
    return _NOTHING if _tracer is None else _tracer.start_as_current_span(name, attributes=attributes)


def start_tracing(endpoint: str | None = None) -> bool:
    """Send spans to an OTLP collector over HTTP and say whether there is one: `endpoint` (its base address), else the
    standard variable OTEL_EXPORTER_OTLP_ENDPOINT. The other OTEL_ variables count as well."""
    global _provider, _tracer  # noqa: PLW0603  # one per process, like logging
    if endpoint is None and not os.environ.get(STANDARD_VARIABLE):
        return False
    # Imported here: a service without tracing starts 0.3 s sooner.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    stop_tracing()
    _provider = TracerProvider(resource=Resource.create({"service.name": os.environ.get("OTEL_SERVICE_NAME", SERVICE)}))
    exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces" if endpoint else None)
    _provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = _provider.get_tracer(SERVICE)
    return True


def stop_tracing() -> None:
    """Send what is still held and turn tracing off. Waits for the collector, some seconds at most."""
    global _provider, _tracer
    provider, _provider, _tracer = _provider, None, None
    if provider is not None:
        provider.shutdown()
