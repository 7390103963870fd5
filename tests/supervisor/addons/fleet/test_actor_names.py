"""A fleet finds its actors among those of others in one Ray cluster."""

from __future__ import annotations

from supervisor.addons.fleet.on_ray.actor_names import NAMESPACE, directory_name, host_name, in_namespace


def test_actors_of_other_namespaces_are_none_of_a_fleet() -> None:
    assert in_namespace({"name": directory_name("shop"), "namespace": NAMESPACE})
    assert not in_namespace({"name": directory_name("shop"), "namespace": "another"})


def test_hosts_and_directories_of_several_fleets_have_names_of_their_own() -> None:
    names = {directory_name("a"), directory_name("b"), host_name("a", "h1"), host_name("b", "h1"), host_name("a", "h2")}

    assert len(names) == 5
