//go:build tools

// Names the program of an older Kubernetes that the tests of version skew run against; scripts/build-kubernetes.sh builds it.
package tools

import _ "k8s.io/kubernetes/cmd/kube-apiserver"
