#!/usr/bin/env bash
# Builds what test/front-door/openapi.test.ts runs, from the Go module proxy, and prints the folder it is in: gnostic (the program of test/gnostic) and
# definitions/ with the CustomResourceDefinitions of a dozen projects. What was built once is kept for the next time.
set -euo pipefail
cd "$(dirname "$0")/../test/gnostic"
# A module, its version, and its folder or file with definitions.
projects=(
  github.com/cert-manager/cert-manager@v1.21.2:deploy/crds
  github.com/prometheus-operator/prometheus-operator@v0.85.0:example/prometheus-operator-crd
  sigs.k8s.io/gateway-api@v1.3.0:config/crd/experimental
  sigs.k8s.io/kueue@v0.15.2:config/components/crd/bases
  sigs.k8s.io/jobset@v0.11.0:config/components/crd/bases
  sigs.k8s.io/lws@v0.8.0:config/crd/bases
  github.com/external-secrets/external-secrets@v1.3.2:config/crds/bases
  github.com/argoproj/argo-rollouts@v1.10.1:manifests/crds
  github.com/kedacore/keda/v2@v2.21.0:config/crd/bases
  istio.io/api@v1.31.1:kubernetes/customresourcedefinitions.gen.yaml
  knative.dev/serving@v0.51.0:config/core/300-resources
  github.com/tektoncd/pipeline@v1.0.0:config/300-crds
)
own=$( (cat main.go go.mod; printf '%s\n' "${projects[@]}") | sha256sum | cut -c 1-16)
folder="${ROLLCALL_KUBERNETES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rollcall}/openapi-$own"
mkdir -p "$folder"
if ! [ -x "$folder/gnostic" ]; then
  echo "building the reader of OpenAPI documents …" >&2
  GOFLAGS=-mod=readonly go build -trimpath -ldflags '-s -w' -o "$folder/gnostic.part" . >&2
  mv "$folder/gnostic.part" "$folder/gnostic"
fi
if ! [ -d "$folder/definitions" ]; then
  rm -rf "$folder/definitions.part"
  mkdir "$folder/definitions.part"
  for project in "${projects[@]}"; do
    module=${project%%:*}
    source=$(cd / && go mod download -json "$module" | sed -nE 's/^\s*"Dir": "(.*)",?$/\1/p')
    find "$source/${project#*:}" -name '*.yaml' ! -name 'kustom*' | LC_ALL=C sort | while read -r file; do
      grep -q '^kind: CustomResourceDefinition' "$file" && install -m 644 "$file" "$folder/definitions.part/$(tr / - <<<"${module%@*}")-$(basename "$file")"
    done || true
  done
  mv "$folder/definitions.part" "$folder/definitions"
fi
echo "$folder"
