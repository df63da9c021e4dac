//go:build controllers

// Tests that need the controllers of Kubernetes and nodes, which a real envtest does not have. Rollcall starts them with
// ROLLCALL_CONTROLLERS=all.
package operator

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func gone(object client.Object) error {
	err := k8s.Get(ctx, client.ObjectKeyFromObject(object), object)
	if apierrors.IsNotFound(err) {
		return nil
	}
	return fmt.Errorf("%s is still there (%v)", object.GetName(), err)
}

func TestPodsRunAndTheWebsiteBecomesReady(t *testing.T) {
	three := int32(3)
	site, err := newWebsite(t, "nginx:1.29", &three)
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "Ready", func() error { return isReady(site) })
	var pods corev1.PodList
	if err := k8s.List(ctx, &pods, client.InNamespace(site.Namespace)); err != nil || len(pods.Items) != 3 {
		t.Fatalf("%d pods: %v", len(pods.Items), err)
	}
	for _, pod := range pods.Items {
		if pod.Status.Phase != corev1.PodRunning {
			t.Fatalf("pod %s is %s", pod.Name, pod.Status.Phase)
		}
	}
}

func TestOwnedObjectsAreCollected(t *testing.T) {
	site, err := newWebsite(t, "nginx:1.29", nil)
	if err != nil {
		t.Fatal(err)
	}
	deployment := deploymentOf(t, site)
	if err := k8s.Delete(ctx, site); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the Deployment", func() error { return gone(deployment) })
}

func TestNamespacesAreEmptiedAndRemoved(t *testing.T) {
	site, err := newWebsite(t, "nginx:1.29", nil)
	if err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{}
	namespace.Name = site.Namespace
	if err := k8s.Delete(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the namespace", func() error { return gone(namespace) })
	if err := gone(site); err != nil {
		t.Fatal(err)
	}
}
