#!/usr/bin/env bash
# Builds Kubernetes' own end-to-end tests (e2e.test) from the Go module proxy, in the version that test/kubernetes/go.mod names, and prints
# the folder they are in. What was built once is kept for the next time. docs/compatibility.md says how they run.
set -euo pipefail
cd "$(dirname "$0")/../test/kubernetes"
version=$(sed -nE 's/^(require )?\s*k8s\.io\/kubernetes (v[0-9.]+)$/\2/p' go.mod)
folder="${ROLLCALL_KUBERNETES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rollcall}/kubernetes-$version"
mkdir -p "$folder"
minor=${version#v1.}
# The tests compare this version with that of the server.
flags="-s -w -X k8s.io/component-base/version.gitVersion=$version -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=${minor%%.*}"
if ! [ -x "$folder/e2e.test" ]; then
  echo "building e2e.test $version …" >&2
  GOFLAGS=-mod=readonly go test -c -vet=off -trimpath -ldflags "$flags" -o "$folder/e2e.test.part" k8s.io/kubernetes/test/e2e >&2
  mv "$folder/e2e.test.part" "$folder/e2e.test"
fi
echo "$folder"
