"""Plugs of other packages that happen to be installed where tests run and pages are written."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints, entry_points

from botattack import registry


def hide_installed_plugs() -> None:
    """From now on this process knows only the plugs that botattack ships, and those that a test puts on the path later.

    Lists, schemas and pages name every plug there is: those of a package installed here would be in them, too.
    """
    hidden = _plugs()
    registry.entry_points = lambda: EntryPoints(_plugs() - hidden)
    registry.names.cache_clear()


def _plugs() -> set[EntryPoint]:
    return {point for group in registry.BUILT_IN for point in entry_points(group=f"botattack.{group}")}
