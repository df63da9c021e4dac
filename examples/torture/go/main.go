// A controller with controller-runtime. A Shop gets a token (a Secret), a configuration and workers (ConfigMaps), and an entry in the namespace "registry", which
// a finalizer removes. The environment variable BUG plants one of five mistakes that `rollcall torture` finds.
package main

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const finalizer = "example.dev/registry"

var bug = os.Getenv("BUG")

type reconciler struct{ client.Client }

func newShop() *unstructured.Unstructured {
	shop := &unstructured.Unstructured{}
	shop.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Shop"})
	return shop
}

func (r reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	shop := newShop()
	if err := r.Get(ctx, request.NamespacedName, shop); err != nil {
		if bug == "missed-event" && apierrors.IsNotFound(err) {
			// Wrong: without a finalizer, a deletion is missed while the controller does not run.
			shop.SetName(request.Name)
			err = r.Delete(ctx, &corev1.ConfigMap{ObjectMeta: entryOf(shop)})
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if shop.GetDeletionTimestamp() != nil {
		return ctrl.Result{}, r.release(ctx, shop)
	}
	for _, ensure := range []func(context.Context, *unstructured.Unstructured) error{
		r.ensureFinalizer, r.ensureEntry, r.ensureToken, r.ensureConfiguration, r.ensureWorkers,
	} {
		if err := ensure(ctx, shop); err != nil {
			return ctrl.Result{}, err
		}
	}
	return ctrl.Result{}, nil
}

func (r reconciler) release(ctx context.Context, shop *unstructured.Unstructured) error {
	if !controllerutil.ContainsFinalizer(shop, finalizer) {
		return nil
	}
	err := r.Delete(ctx, &corev1.ConfigMap{ObjectMeta: entryOf(shop)})
	// Wrong: after a crash the entry is gone already, and the finalizer stays for ever.
	if err != nil && (bug == "finalizer-leak" || !apierrors.IsNotFound(err)) {
		return err
	}
	controllerutil.RemoveFinalizer(shop, finalizer)
	return client.IgnoreNotFound(r.Update(ctx, shop))
}

func (r reconciler) ensureFinalizer(ctx context.Context, shop *unstructured.Unstructured) error {
	if bug == "missed-event" || !controllerutil.AddFinalizer(shop, finalizer) {
		return nil
	}
	return r.Update(ctx, shop)
}

func entryOf(shop *unstructured.Unstructured) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "registry", Name: "shop-" + shop.GetName()}
}

func (r reconciler) ensureEntry(ctx context.Context, shop *unstructured.Unstructured) error {
	return r.create(ctx, &corev1.ConfigMap{ObjectMeta: entryOf(shop)})
}

func (r reconciler) ensureToken(ctx context.Context, shop *unstructured.Unstructured) error {
	secret := &corev1.Secret{ObjectMeta: owned(shop, "token"), StringData: map[string]string{"token": "secret"}}
	if bug != "lost-answer" {
		return r.create(ctx, secret)
	}
	// Wrong: where the response is lost, there is a second token that nothing refers to.
	if name, _, _ := unstructured.NestedString(shop.Object, "status", "token"); name != "" {
		return nil
	}
	secret.Name, secret.GenerateName = "", shop.GetName()+"-token-"
	if err := r.Create(ctx, secret); err != nil {
		return err
	}
	return r.setStatus(ctx, shop, "token", secret.Name)
}

func (r reconciler) ensureConfiguration(ctx context.Context, shop *unstructured.Unstructured) error {
	configuration := &corev1.ConfigMap{ObjectMeta: owned(shop, "configuration"), Data: map[string]string{"open": "always"}}
	phase, _, _ := unstructured.NestedString(shop.Object, "status", "phase")
	if bug == "intermediate-state" {
		// Wrong: after a crash between the two writes, the configuration is never created.
		if phase == "Ready" {
			return nil
		}
		if err := r.setStatus(ctx, shop, "phase", "Ready"); err != nil {
			return err
		}
		return r.create(ctx, configuration)
	}
	if err := r.create(ctx, configuration); err != nil || phase == "Ready" {
		return err
	}
	return r.setStatus(ctx, shop, "phase", "Ready")
}

func (r reconciler) ensureWorkers(ctx context.Context, shop *unstructured.Unstructured) error {
	wanted, _, _ := unstructured.NestedInt64(shop.Object, "spec", "workers")
	if bug == "stale-read" {
		// Wrong: the cache may not show the workers that were just created.
		var workers corev1.ConfigMapList
		if err := r.List(ctx, &workers, client.InNamespace(shop.GetNamespace()), client.MatchingLabels{"shop": shop.GetName()}); err != nil {
			return err
		}
		for i := int64(len(workers.Items)); i < wanted; i++ {
			meta := owned(shop, "")
			meta.Name, meta.GenerateName, meta.Labels = "", shop.GetName()+"-worker-", map[string]string{"shop": shop.GetName()}
			if err := r.Create(ctx, &corev1.ConfigMap{ObjectMeta: meta}); err != nil {
				return err
			}
		}
		return nil
	}
	for i := int64(1); i <= wanted; i++ {
		if err := r.create(ctx, &corev1.ConfigMap{ObjectMeta: owned(shop, fmt.Sprintf("worker-%d", i))}); err != nil {
			return err
		}
	}
	return nil
}

func owned(shop *unstructured.Unstructured, suffix string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace:       shop.GetNamespace(),
		Name:            shop.GetName() + "-" + suffix,
		OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(shop, shop.GroupVersionKind())},
	}
}

// create does nothing where the object exists.
func (r reconciler) create(ctx context.Context, object client.Object) error {
	if err := r.Get(ctx, client.ObjectKeyFromObject(object), object.DeepCopyObject().(client.Object)); !apierrors.IsNotFound(err) {
		return err
	}
	if err := r.Create(ctx, object); !apierrors.IsAlreadyExists(err) {
		return err
	}
	return nil
}

func (r reconciler) setStatus(ctx context.Context, shop *unstructured.Unstructured, field, value string) error {
	before := shop.DeepCopy()
	if err := unstructured.SetNestedField(shop.Object, value, "status", field); err != nil {
		return err
	}
	return r.Status().Patch(ctx, shop, client.MergeFrom(before))
}

func main() {
	ctrl.SetLogger(zap.New())
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), ctrl.Options{Metrics: metrics.Options{BindAddress: "0"}})
	if err == nil {
		err = ctrl.NewControllerManagedBy(manager).For(newShop()).Owns(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(reconciler{manager.GetClient()})
	}
	if err == nil {
		err = manager.Start(ctrl.SetupSignalHandler())
	}
	if err != nil {
		ctrl.Log.Error(err, "cannot run")
		os.Exit(1)
	}
}
