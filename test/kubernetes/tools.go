//go:build tools

// Names the programs of a real Kubernetes that the tests run against, which scripts/build-kubernetes.sh builds, and its end-to-end tests
// (scripts/build-conformance-tests.sh), so that go.sum has what they need too.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kube-scheduler"
	_ "k8s.io/kubernetes/test/e2e"
)
