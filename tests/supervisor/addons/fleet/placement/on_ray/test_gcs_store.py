"""The values of a fleet in Ray's control store, when there are more than one request can bring in its time."""

from __future__ import annotations

import pytest

from supervisor.addons.fleet.on_ray.gcs_store import GcsStore


class SlowGcs:
    """A control store that brings 5,000 values within the time of a request, and no more."""

    def __init__(self, values: dict[bytes, bytes]) -> None:
        self._values = values

    async def async_internal_kv_keys(self, prefix: bytes, *, namespace: bytes, timeout: float) -> list[bytes]:
        return [key for key in self._values if key.startswith(prefix)]

    async def async_internal_kv_multi_get(
        self, keys: list[bytes], *, namespace: bytes, timeout: float
    ) -> dict[bytes, bytes]:
        if len(keys) > 5_000:
            raise TimeoutError
        return {key: self._values[key] for key in keys if key in self._values}


@pytest.mark.parametrize("count", [0, 1, 5_000, 5_001, 100_000])
async def test_a_directory_reads_the_records_of_any_number_of_tasks(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = {f"shop/task/t{number}".encode(): b"%d" % number for number in range(count)}
    slow = SlowGcs({**values, b"shop/drain/h1": b"", b"other/task/t1": b""})
    monkeypatch.setattr("ray.experimental.internal_kv.internal_kv_get_gcs_client", lambda: slow)

    found = await GcsStore("shop").find("task/")

    assert found == {f"task/t{number}": b"%d" % number for number in range(count)}
