#!/usr/bin/env bash
# A pipeline step: the chart of this change is rolled out over the chart of the main branch, in a simulation. It fails when the
# rollout needs more than 13 pods or five minutes. Usage: check.sh RENDER, such as: check.sh "helm template shop"
set -euo pipefail
render=${1:-"kubectl kustomize"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$render old > "$work/old.yaml"
$render new > "$work/new.yaml"
rollcall simulate -f "$work/old.yaml" --to "$work/new.yaml" --stop 45s±15s \
  --policies "${POLICIES:-TerminationComplete}" --expect 'peakPods <= 13' --expect 'completesWithin 5m' --junit results.xml
