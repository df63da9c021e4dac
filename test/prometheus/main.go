// Command prometheus-for-tests runs Prometheus' service discovery with every role against the cluster of a kubeconfig, and prints the targets of each role
// that have the wanted name, as JSON. It ends when every role has some.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/config"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/discovery"
	"github.com/prometheus/prometheus/discovery/kubernetes"
	"github.com/prometheus/prometheus/discovery/targetgroup"
)

// The label of each role that has the name of its object.
var names = map[kubernetes.Role]model.LabelName{
	kubernetes.RoleNode:          "__meta_kubernetes_node_name",
	kubernetes.RolePod:           "__meta_kubernetes_pod_controller_name",
	kubernetes.RoleService:       "__meta_kubernetes_service_name",
	kubernetes.RoleEndpoint:      "__meta_kubernetes_service_name",
	kubernetes.RoleEndpointSlice: "__meta_kubernetes_service_name",
	kubernetes.RoleIngress:       "__meta_kubernetes_ingress_name",
}

func main() {
	kubeconfig, wanted := os.Args[1], os.Args[2]
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	found := map[kubernetes.Role][]string{}
	for role, label := range names {
		targets, err := discover(ctx, kubeconfig, role, label, wanted)
		if err != nil {
			fmt.Fprintln(os.Stderr, role, err)
			os.Exit(1)
		}
		found[role] = targets
	}
	text, _ := json.Marshal(found)
	fmt.Println(string(text))
}

// discover returns the addresses of the targets whose label starts with the wanted name; of nodes, all.
func discover(ctx context.Context, kubeconfig string, role kubernetes.Role, label model.LabelName, wanted string) ([]string, error) {
	conf := &kubernetes.SDConfig{Role: role, KubeConfig: kubeconfig, HTTPClientConfig: config.DefaultHTTPClientConfig}
	registry := client.NewRegistry()
	refresh := discovery.NewRefreshMetrics(registry)
	metrics := conf.NewDiscovererMetrics(registry, refresh)
	discoverer, err := conf.NewDiscoverer(discovery.DiscovererOptions{Metrics: metrics})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	updates := make(chan []*targetgroup.Group)
	go discoverer.Run(ctx, updates)
	for {
		select {
		case groups := <-updates:
			var targets []string
			for _, group := range groups {
				for _, target := range group.Targets {
					name := target[label]
					if name == "" {
						name = group.Labels[label]
					}
					if role == kubernetes.RoleNode || strings.HasPrefix(string(name), wanted) {
						targets = append(targets, string(target[model.AddressLabel]))
					}
				}
			}
			if len(targets) > 0 {
				return targets, nil
			}
		case <-ctx.Done():
			return nil, fmt.Errorf("no targets: %w", ctx.Err())
		}
	}
}
