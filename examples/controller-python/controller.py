"""A controller with the plain Kubernetes client: it labels every pod with the node that it runs on."""

from kubernetes import client, config, watch

config.load_kube_config()
core = client.CoreV1Api()

for event in watch.Watch().stream(core.list_pod_for_all_namespaces):
    pod = event["object"]
    node = pod.spec.node_name
    labels = pod.metadata.labels or {}
    if event["type"] == "DELETED" or node is None or labels.get("seen") == node:
        continue
    try:
        body = {"metadata": {"labels": {"seen": node}}}
        core.patch_namespaced_pod(pod.metadata.name, pod.metadata.namespace, body)
    except client.ApiException as error:
        if error.status != 404:
            raise
