//go:build !controllers

package operator

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// There is no Deployment controller in envtest: the test writes the status of the Deployment itself.
func TestStatusFollowsTheDeployment(t *testing.T) {
	site, err := newWebsite(t, "nginx:1.29", nil)
	if err != nil {
		t.Fatal(err)
	}
	deployment := deploymentOf(t, site)
	base := deployment.DeepCopy()
	deployment.Status.Replicas, deployment.Status.ReadyReplicas = 1, 1
	if err := k8s.Status().Patch(ctx, deployment, client.MergeFrom(base)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "Ready", func() error { return isReady(site) })
}
