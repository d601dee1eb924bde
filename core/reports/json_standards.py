"""The values of the JSON report that say what a lock file was held against: its base, its changes, approvals."""

from __future__ import annotations

from lockwarden.core.approvals.model import Approval
from lockwarden.core.reports.findings import LocatedFinding
from lockwarden.core.reports.json_values import Json, hashes_json, time_json
from lockwarden.core.reports.standards_lines import place_of
from lockwarden.core.review.change_kinds import Change
from lockwarden.core.review.review import Review
from lockwarden.core.review.standards import StandardFile, Standards


def loudest_json(told: LocatedFinding | None) -> Json | None:
    """What a reader should see first: the loudest error, else a change that warns; null when nothing is loud."""
    if told is None:
        return None
    provider = told.provider
    return {
        "code": told.finding.code,
        "severity": told.finding.severity.value,
        "name": told.finding.name,
        "path": told.file.path,
        "address": None if provider is None else str(provider.address),
        "version": None if provider is None else str(provider.entry.version),
        "message": told.finding.message,
    }


def base_json(review: Review) -> Json | None:
    """The earlier state that the lock file is held against; null when there is none."""
    sides = review.standards.sides
    if not sides:
        return None
    return {
        "sides": [
            {
                "name": side.name,
                "ref": side.ref,
                "commit": side.commit,
                "present": side.lock_file is not None,
                "renamed_from": side.renamed_from,
            }
            for side in sides
        ],
        "removed": [
            {
                "address": str(entry.address),
                "version": str(entry.version),
                "hashes": hashes_json(entry.hash_set),
            }
            for entry in review.removed
        ],
    }


def standards_json(standards: Standards) -> Json:
    """The policies and the approvals that a lock file was held against, and those that its change proposes."""
    return {
        "policies": [_file_json(each) for each in standards.policy_files],
        "approvals": [_file_json(each) for each in standards.approval_files],
    }


def _file_json(file: StandardFile) -> Json:
    return {
        "path": file.path,
        "revision": place_of(file),
        "name": file.revision,
        "digest": file.digest,
        "proposed": file.proposed,
    }


def change_json(change: Change) -> Json:
    """One thing that the change of an entry does."""
    return {
        "kind": change.kind.value,
        "severity": change.severity.value,
        "message": change.message,
        "hint": change.hint,
    }


def approval_json(approval: Approval) -> Json:
    """The record that accepts a hash today. `by` is a claim of whoever wrote the file."""
    return {
        "by": approval.by,
        "at": time_json(approval.at),
        "until": approval.ends.isoformat(),
        "reason": approval.reason,
        "record": str(approval),
    }
