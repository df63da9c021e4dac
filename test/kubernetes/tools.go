//go:build tools

// Names the programs of a real Kubernetes that the tests run against; scripts/build-kubernetes.sh builds them.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kube-scheduler"
)
