package operator

import (
	"context"
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

var (
	k8s client.Client
	ctx context.Context
)

// One API server and one manager for all tests, as kubebuilder scaffolds it.
func TestMain(m *testing.M) {
	log.SetLogger(zap.New())
	os.Exit(run(m))
}

func run(m *testing.M) int {
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	var cancel context.CancelFunc
	ctx, cancel = context.WithCancel(context.Background())
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{"config/crd"},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{"config/webhook"}},
	}
	config, err := environment.Start()
	must(err)
	defer func() { must(environment.Stop()) }()
	defer cancel()
	must(AddToScheme(clientscheme.Scheme))
	k8s, err = client.New(config, client.Options{})
	must(err)
	hooks := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics: metricsserver.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{
			Host: hooks.LocalServingHost, Port: hooks.LocalServingPort, CertDir: hooks.LocalServingCertDir,
		}),
	})
	must(err)
	must(Setup(manager))
	go func() { must(manager.Start(ctx)) }()
	address := net.JoinHostPort(hooks.LocalServingHost, fmt.Sprint(hooks.LocalServingPort))
	for {
		connection, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			must(connection.Close())
			return m.Run()
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func eventually(t *testing.T, what string, check func() error) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err = check(); err == nil {
			return
		}
	}
	t.Fatalf("%s: %v", what, err)
}

func newNamespace(t *testing.T) *corev1.Namespace {
	t.Helper()
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "site-"}}
	if err := k8s.Create(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	return namespace
}

func newWebsite(t *testing.T, image string, replicas *int32) (*Website, error) {
	t.Helper()
	site := &Website{ObjectMeta: metav1.ObjectMeta{Name: "shop", Namespace: newNamespace(t).Name}, Spec: WebsiteSpec{image, replicas}}
	return site, k8s.Create(ctx, site)
}

func deploymentOf(t *testing.T, site *Website) *appsv1.Deployment {
	t.Helper()
	deployment := &appsv1.Deployment{}
	eventually(t, "Deployment", func() error { return k8s.Get(ctx, client.ObjectKeyFromObject(site), deployment) })
	return deployment
}

func TestWebhooksDefaultAndRefuse(t *testing.T) {
	site, err := newWebsite(t, "nginx:1.29", nil)
	if err != nil || *site.Spec.Replicas != 1 {
		t.Fatalf("replicas were not set: %v %v", site.Spec.Replicas, err)
	}
	if _, err := newWebsite(t, "nginx:latest", nil); !apierrors.IsForbidden(err) {
		t.Fatalf("expected a refusal, got %v", err)
	}
}

func TestSchemaIsEnforced(t *testing.T) {
	many := int32(2000)
	for _, replicas := range []*int32{&many} {
		if _, err := newWebsite(t, "nginx:1.29", replicas); !apierrors.IsInvalid(err) {
			t.Fatalf("expected Invalid, got %v", err)
		}
	}
	if _, err := newWebsite(t, "", nil); !apierrors.IsInvalid(err) {
		t.Fatalf("expected Invalid, got %v", err)
	}
}

func TestDeploymentFollowsTheWebsite(t *testing.T) {
	two := int32(2)
	site, err := newWebsite(t, "nginx:1.29", &two)
	if err != nil {
		t.Fatal(err)
	}
	deployment := deploymentOf(t, site)
	if owner := metav1.GetControllerOf(deployment); owner == nil || owner.UID != site.UID {
		t.Fatalf("the Website does not own its Deployment: %v", owner)
	}
	base := site.DeepCopyObject().(*Website)
	site.Spec.Image = "nginx:1.30"
	if err := k8s.Patch(ctx, site, client.MergeFrom(base)); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the new image", func() error {
		if image := deploymentOf(t, site).Spec.Template.Spec.Containers[0].Image; image != "nginx:1.30" {
			return fmt.Errorf("it is %s", image)
		}
		return nil
	})
}

func isReady(site *Website) error {
	if err := k8s.Get(ctx, client.ObjectKeyFromObject(site), site); err != nil {
		return err
	}
	if !meta.IsStatusConditionTrue(site.Status.Conditions, "Ready") {
		return fmt.Errorf("%d of %d replicas are ready", site.Status.ReadyReplicas, *site.Spec.Replicas)
	}
	return nil
}
