#!/usr/bin/env bash
# Builds programs of Kubernetes from the Go module proxy and prints the folder they are in. What was built once is kept for the
# next time. Without an argument: kube-apiserver, kube-controller-manager and kube-scheduler in the version that
# test/kubernetes/go.mod names. With `older`: the kube-apiservers of test/older-kubernetes, for tests of version skew; their folders
# are printed in one line, separated by colons.
set -euo pipefail
cd "$(dirname "$0")/../test"

build() {
  cd "$1"
  local version folder minor flags program
  version=$(sed -nE 's/^(require )?\s*k8s\.io\/kubernetes (v[0-9.]+)$/\2/p' go.mod)
  folder="${ROLLCALL_KUBERNETES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rollcall}/kubernetes-$version"
  mkdir -p "$folder"
  minor=${version#v1.}
  flags="-s -w -X k8s.io/component-base/version.gitVersion=$version -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=${minor%%.*}"
  for program in $(sed -nE 's/.*"k8s\.io\/kubernetes\/cmd\/([a-z-]+)"/\1/p' tools.go); do
    [ -x "$folder/$program" ] && continue
    echo "building $program $version …" >&2
    GOFLAGS=-mod=readonly go build -trimpath -ldflags "$flags" -o "$folder/$program.part" "k8s.io/kubernetes/cmd/$program" >&2
    mv "$folder/$program.part" "$folder/$program"
  done
  echo "$folder"
}

if [ "${1:-}" = older ]; then
  folders=()
  for module in older-kubernetes/*/; do folders+=("$(build "$module")"); done
  (IFS=:; echo "${folders[*]}")
else
  build kubernetes
fi
