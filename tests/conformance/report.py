"""What a comparison found: counts, disagreements, and exceptions by the section that explains them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """Something that is not as recorded.  `where` is the recording and the place in it."""

    where: str
    what: str


@dataclass(slots=True)
class Report:
    """`exceptions` maps a section of the rules to what it says the recording engine has wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    disagreements: list[Finding] = field(default_factory=list)
    exceptions: dict[str, list[Finding]] = field(default_factory=dict)

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] += number

    def disagree(self, where: str, what: str) -> None:
        self.disagreements.append(Finding(where, what))

    def excuse(self, section: str, where: str, what: str) -> None:
        self.exceptions.setdefault(section, []).append(Finding(where, what))

    def note(self, section: str, where: str, what: str) -> None:
        """An exception if a section explains it, else a disagreement."""
        if section:
            self.excuse(section, where, what)
        else:
            self.disagree(where, what)

    def add(self, other: "Report") -> None:
        self.counts += other.counts
        self.disagreements += other.disagreements
        for section, findings in other.exceptions.items():
            self.exceptions.setdefault(section, []).extend(findings)


def total(reports: Iterable[Report]) -> Report:
    whole = Report()
    for report in reports:
        whole.add(report)
    return whole


def lines(title: str, report: Report, every_exception: bool = False) -> list[str]:
    """The report in words: counts, then every disagreement, then exceptions by section."""
    text = [title, "  " + ", ".join(f"{number} {what}" for what, number in sorted(report.counts.items()))]
    text += [f"  DISAGREES {finding.where}: {finding.what}" for finding in sorted(report.disagreements)]
    for section, findings in sorted(report.exceptions.items()):
        text.append(f"  by {section} the recording engine is wrong {len(findings)} times")
        if every_exception:
            text += [f"    {finding.where}: {finding.what}" for finding in sorted(findings)]
    return text
