"""An operator with kopf: a ConfigMap for each Greeting, with its finalizer and status."""
import kopf
import kubernetes


@kopf.on.create("example.com", "v1", "greetings")
@kopf.on.update("example.com", "v1", "greetings")
def greet(spec, name, namespace, **_):
    kubernetes.config.load_kube_config()
    body = {"metadata": {"name": name}, "data": {"text": f"Hello, {spec['who']}!"}}
    kopf.adopt(body)
    core = kubernetes.client.CoreV1Api()
    try:
        core.create_namespaced_config_map(namespace, body)
    except kubernetes.client.ApiException as error:
        if error.status != 409:
            raise
        core.patch_namespaced_config_map(name, namespace, body)
    return {"greeted": spec["who"]}


@kopf.on.delete("example.com", "v1", "greetings")
def forget(name, namespace, **_):
    kubernetes.client.CoreV1Api().create_namespaced_config_map(namespace, {"metadata": {"name": f"{name}-forgotten"}})
