"""The official Python client: typed objects, a watch, a custom resource through the dynamic client."""
import sys

from kubernetes import client, config, dynamic, watch

config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()
core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="python")))
for number in range(3):
    core.create_namespaced_config_map("python", {"metadata": {"name": f"m{number}"}, "data": {"n": str(number)}})
pages = core.list_namespaced_config_map("python", limit=2, label_selector="!app")
assert pages.metadata._continue, "a page has no continue token"
core.patch_namespaced_config_map("m0", "python", {"data": {"n": "9"}})
stream = watch.Watch().stream(core.list_namespaced_config_map, "python", field_selector="metadata.name=m0", timeout_seconds=5)
assert next(stream)["object"].data == {"n": "9"}
names = {"plural": "notes", "singular": "note", "kind": "Note"}
schema = {"openAPIV3Schema": {"type": "object", "properties": {"text": {"type": "string"}}}}
client.ApiextensionsV1Api().create_custom_resource_definition({
    "metadata": {"name": "notes.example.com"},
    "spec": {"group": "example.com", "scope": "Namespaced", "names": names,
             "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema}]},
})
notes = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version="example.com/v1", kind="Note")
notes.create(namespace="python", body={"kind": "Note", "apiVersion": "example.com/v1", "metadata": {"name": "a"}, "text": "hello"})
assert notes.get(namespace="python", name="a").text == "hello"
core.delete_namespace("python")
print("ok")
