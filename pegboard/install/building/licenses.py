"""Licenses of dependencies, checked for compatibility with MIT, and the software bill of materials (SBOM)."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from pegboard.install.building.source import ROOT, BuildError, epoch
from pegboard.install.constraints import Pin, normal

# --- software bill of materials (SBOM) of a wheel or package, in CycloneDX ---


def bill_of_materials(version: str, packages: Sequence[Pin]) -> str:
    """The software bill of materials of a version with these packages, as CycloneDX JSON.

    Raises:
        BuildError: the license of a package is unknown.
    """
    own = Component(name="pegboard", version=version, type=ComponentType.APPLICATION, bom_ref="pegboard")
    own.licenses.add(DisjunctiveLicense(id="MIT"))
    parts = [_component(pin) for pin in packages]
    bom = Bom(components=parts, serial_number=uuid5(NAMESPACE_URL, f"pegboard/{version}/{epoch()}/{len(parts)}"))
    bom.metadata.component = own
    bom.metadata.timestamp = datetime.fromtimestamp(epoch(), UTC)
    bom.dependencies.add(Dependency(own.bom_ref, [Dependency(part.bom_ref) for part in parts]))
    return str(JsonV1Dot6(bom).output_as_string(indent=1)) + "\n"


def _component(pin: Pin) -> Component:
    name = normal(pin.name)
    part = Component(
        name=name,
        version=pin.version,
        bom_ref=f"{name}=={pin.version}",
        purl=PackageURL("pypi", None, name, pin.version),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=each) for each in pin.hashes],
    )
    part.licenses.add(LicenseExpression(license_of(name)))
    return part


SHIPPED_LICENSES = frozenset(
    {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "MIT-CMU", "PSF-2.0", "Unlicense"}
)
"""Licenses allowed for packages inside a pegboard package: they require only that their text is passed on."""

USED_LICENSES = SHIPPED_LICENSES | {
    *("Artistic-1.0-Perl", "GPL-2.0-only", "LGPL-2.1-or-later", "LGPL-3.0-only", "MPL-2.0"),
}
"""Licenses allowed for unmodified packages installed separately: they require the source of the package, not ours."""

KNOWN_LICENSES: Mapping[str, str] = {
    "axe-playwright-python": "MIT",
    "gpiod": "LGPL-2.1-or-later",
    "itsdangerous": "BSD-3-Clause",
    "jinja2": "BSD-3-Clause",
    "lgpio": "Unlicense",
    "libcst": "MIT AND PSF-2.0 AND Apache-2.0",
    "psycopg": "LGPL-3.0-only",
    "psycopg-binary": "LGPL-3.0-only",
    "pyyaml-ft": "MIT",
    "segno": "BSD-3-Clause",
    "spidev": "MIT",
    "sqlalchemy": "MIT",
    "text-unidecode": "Artistic-1.0-Perl OR GPL-1.0-or-later",
}
"""Licenses that a package's text states but its metadata does not, and of packages only installed elsewhere."""

SPDX_IDS: Mapping[str, str] = {
    "Apache 2.0": "Apache-2.0",
    "Apache License": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
}
"""SPDX identifiers for older license names in metadata."""


def license_of(name: str) -> str:
    """The license of a package as an SPDX expression.

    Raises:
        BuildError: neither the package's metadata nor `KNOWN_LICENSES` names the license.
    """
    if normal(name) in KNOWN_LICENSES:
        return KNOWN_LICENSES[normal(name)]
    try:
        about = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        raise BuildError(f"{name} is not installed here; add its license to licenses.py") from None
    fields = [str(about[field]) for field in ("License-Expression", "License") if field in about]
    licenses = [str(one) for one in about.get_all("Classifier") or () if one.startswith("License ::")]
    for word in (*fields, *(one.rpartition(" :: ")[2] for one in licenses)):
        expression = SPDX_IDS.get(word, word)
        if all(re.fullmatch(r"[\w.+-]+", part) for part in re.split(r" (?:AND|OR) ", expression)):
            return expression
    raise BuildError(f"the metadata of {name} does not name its license; read its text and add it to licenses.py")


def is_allowed(expression: str, allowed: frozenset[str]) -> bool:
    """Whether an alternative (OR) of an SPDX expression has only allowed licenses."""
    return any(set(one.split(" AND ")) <= allowed for one in expression.split(" OR "))


def license_table(shipped: list[Pin], used: list[Pin]) -> str:
    """The page that lists the license of every package.

    Raises:
        BuildError: the license of a package is unknown.
    """
    return PAGE.format(shipped=_rows(shipped), used=_rows(used))


def _rows(listed: list[Pin]) -> str:
    return "\n".join(f"| {pin.name} | {pin.version} | {license_of(pin.name)} |" for pin in listed)


LICENSES = ROOT / "docs" / "licenses.md"

PAGE = """\
# Licenses

This page lists the license of every package that pegboard needs. pegboard itself is under the [MIT
license](../LICENSE). `make pins` generates this page. A test fails if a package's license is unknown, or is not allowed
for the table that lists the package.

## In the Debian package

| package | version | license |
|---|---|---|
{shipped}

## Installed separately, or used to build and test

pegboard does not include these packages; they come from Debian and the Python Package Index.

| package | version | license |
|---|---|---|
{used}
"""
