"""The software bill of materials of a wheel or a package, as CycloneDX writes it."""

from collections.abc import Sequence
from datetime import UTC, datetime
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from pegboard.install.building.licences import licence_of
from pegboard.install.building.source import epoch
from pegboard.install.constraints import Pin, normal


def bill_of_materials(version: str, packages: Sequence[Pin]) -> str:
    """What a version consists of, as JSON, with these packages.

    Raises:
        BuildError: the licence of one is not known.
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
    part.licenses.add(LicenseExpression(licence_of(name)))
    return part
