package operator

import (
	"context"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// Reconciler keeps a Deployment for each Website.
type Reconciler struct{ client.Client }

// Reconcile creates or updates the Deployment, and reports its readiness.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var site Website
	if err := r.Get(ctx, request.NamespacedName, &site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}}
	labels := map[string]string{"website": site.Name}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		deployment.Spec.Replicas = site.Spec.Replicas
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		deployment.Spec.Template.Labels = labels
		if len(deployment.Spec.Template.Spec.Containers) == 0 {
			deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web"}}
		}
		deployment.Spec.Template.Spec.Containers[0].Image = site.Spec.Image
		return controllerutil.SetControllerReference(&site, deployment, r.Scheme())
	})
	if err != nil {
		return ctrl.Result{}, err
	}
	ready := metav1.ConditionFalse
	if deployment.Status.ReadyReplicas == *site.Spec.Replicas {
		ready = metav1.ConditionTrue
	}
	next := site.DeepCopyObject().(*Website)
	next.Status.ReadyReplicas = deployment.Status.ReadyReplicas
	meta.SetStatusCondition(&next.Status.Conditions, metav1.Condition{Type: "Ready", Status: ready, Reason: "Deployment"})
	return ctrl.Result{}, r.Status().Patch(ctx, next, client.MergeFrom(&site))
}

// Hooks are the webhooks of Websites.
type Hooks struct{}

// Default sets one replica.
func (Hooks) Default(_ context.Context, site *Website) error {
	if site.Spec.Replicas == nil {
		one := int32(1)
		site.Spec.Replicas = &one
	}
	return nil
}

// ValidateCreate refuses images without a fixed version.
func (Hooks) ValidateCreate(_ context.Context, site *Website) (admission.Warnings, error) {
	if strings.HasSuffix(site.Spec.Image, ":latest") {
		return nil, fmt.Errorf("spec.image: %q has no fixed version", site.Spec.Image)
	}
	if *site.Spec.Replicas > 100 {
		return admission.Warnings{"that is a large website"}, nil
	}
	return nil, nil
}

// ValidateUpdate applies the rules of ValidateCreate.
func (h Hooks) ValidateUpdate(ctx context.Context, _, next *Website) (admission.Warnings, error) {
	return h.ValidateCreate(ctx, next)
}

// ValidateDelete accepts every deletion.
func (Hooks) ValidateDelete(context.Context, *Website) (admission.Warnings, error) { return nil, nil }

// Setup adds the controller and the webhooks to a manager.
func Setup(manager ctrl.Manager) error {
	err := ctrl.NewControllerManagedBy(manager).For(&Website{}).Owns(&appsv1.Deployment{}).Complete(&Reconciler{manager.GetClient()})
	if err != nil {
		return err
	}
	return ctrl.NewWebhookManagedBy(manager, &Website{}).WithDefaulter(Hooks{}).WithValidator(Hooks{}).Complete()
}
