"""A/B: how the variants of a flow do."""

from dataclasses import asdict

from maththera.executions.service import Executions
from maththera.flows.flow import Flow
from maththera.json_types import JsonObject
from maththera.store.flow_variants import VariantRuns


async def variant_comparison(executions: Executions, flow: Flow) -> JsonObject:
    """As JSON, of the highest version of a flow: it says which variants there are."""
    found = await executions.runner.records.compare(flow.name)
    weights = sum(variant.weight for variant in flow.variants)
    variants = []
    for each in flow.variants:
        runs = asdict(found.get(each.version, VariantRuns(each.version, 0, 0, 0, 0, None)))
        variants.append({"version": runs.pop("variant"), "share": round(each.weight / weights, 4), **runs})
    return {"flow": flow.name, "variants": variants}
