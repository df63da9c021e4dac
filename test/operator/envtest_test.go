//go:build !controllers

package operator

import (
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Without controllers, the test plays the Deployment controller.
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
