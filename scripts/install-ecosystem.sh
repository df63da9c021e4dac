#!/usr/bin/env bash
# Installs what test/front-door/ecosystem.test.ts runs, from the Go module proxy and PyPI, and prints the folder it is in: helm-4, prometheus (the program
# of test/prometheus) and python with the packages `kubernetes` and `kopf`. What was installed once is kept for the next time.
set -euo pipefail
cd "$(dirname "$0")/../test/prometheus"
helm=v4.3.1
python=(kubernetes==37.0.2 kopf==1.45.2)
own=$(cat main.go go.mod | sha256sum | cut -c 1-16)
folder="${ROLLCALL_KUBERNETES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rollcall}/ecosystem-$helm-$own"
mkdir -p "$folder"
if ! [ -x "$folder/helm-4" ]; then
  echo "building helm $helm …" >&2
  GOBIN="$folder" go install -trimpath -ldflags '-s -w' "helm.sh/helm/v4/cmd/helm@$helm" >&2
  mv "$folder/helm" "$folder/helm-4"
fi
if ! [ -x "$folder/prometheus" ]; then
  echo "building Prometheus' service discovery …" >&2
  GOFLAGS=-mod=readonly go build -trimpath -ldflags '-s -w' -o "$folder/prometheus.part" . >&2
  mv "$folder/prometheus.part" "$folder/prometheus"
fi
if ! [ -x "$folder/python/bin/kopf" ]; then
  python3 -m venv "$folder/python" >&2
  "$folder/python/bin/pip" install --quiet --disable-pip-version-check "${python[@]}" >&2
fi
echo "$folder"
