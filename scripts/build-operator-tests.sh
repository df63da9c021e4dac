#!/usr/bin/env bash
# Builds the tests of operators from the Go module proxy, and prints the folder they are in: the envtest suites of controller-runtime, in the version that
# test/operator/go.mod names, and those of test/operator. What was built once is kept for the next time.
#   controller-runtime/<package>.test with their sources in controller-runtime/src, operator.test, operator-controllers.test
set -euo pipefail
cd "$(dirname "$0")/../test/operator"
version=$(sed -nE 's/^\s*(require )?sigs\.k8s\.io\/controller-runtime (v[0-9.]+)$/\2/p' go.mod)
cache="${ROLLCALL_KUBERNETES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rollcall}"
own=$(find . -type f | LC_ALL=C sort | xargs cat | sha256sum | cut -c 1-16)
folder="$cache/operators-$version-$own"
shared="$cache/controller-runtime-$version"
mkdir -p "$folder" "$shared"
export GOFLAGS=-mod=readonly
build() { # the file, the folder with the package, and flags
  [ -x "$1" ] && return
  echo "building $(basename "$1") …" >&2
  (cd "$2" && go test -c -vet=off -trimpath -ldflags '-s -w' "${@:3}" -o "$1.part" . >&2)
  mv "$1.part" "$1"
}
build "$folder/operator.test" .
build "$folder/operator-controllers.test" . -tags controllers
if ! [ -d "$shared/src" ]; then
  go mod download sigs.k8s.io/controller-runtime
  cp -r "$(go list -m -f '{{.Dir}}' sigs.k8s.io/controller-runtime)" "$shared/src.part"
  chmod -R u+w "$shared/src.part"
  mv "$shared/src.part" "$shared/src"
fi
packages=(
  builder cache client cluster controller controller/controllerutil handler internal/controller internal/recorder
  manager manager/internal/integration metrics/filters reconcile source webhook
)
for package in "${packages[@]}"; do build "$shared/$(tr / - <<<"$package").test" "$shared/src/pkg/$package"; done
ln -sfn "$shared" "$folder/controller-runtime"
echo "$folder"
