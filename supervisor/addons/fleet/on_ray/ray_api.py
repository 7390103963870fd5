"""Ray without its own types, which are not complete."""

from __future__ import annotations

from typing import Any

import ray as _ray
from ray import cloudpickle as _cloudpickle
from ray.util import list_named_actors
from ray.util import metrics as _metrics

ray: Any = _ray
cloudpickle: Any = _cloudpickle
metrics: Any = _metrics

__all__ = ["cloudpickle", "list_named_actors", "metrics", "ray"]
