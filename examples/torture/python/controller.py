"""A controller with kopf. A Shop gets a token (a Secret), a configuration and workers (ConfigMaps), and an entry in the namespace "registry".

The environment variable BUG plants one of five mistakes that `rollcall torture` finds.
"""

import os

import kopf
from kubernetes import client, config

BUG = os.environ.get("BUG")
SHOPS = {"group": "example.dev", "version": "v1", "plural": "shops"}
# What the events have shown.
workers = {}

config.load_kube_config()
core = client.CoreV1Api()
custom = client.CustomObjectsApi()


@kopf.on.startup()
def configure(settings, **_):
    settings.posting.enabled = False
    settings.networking.error_backoffs = [0.1, 0.2, 0.5]


def ignoring(code, call):
    try:
        return call()
    except client.ApiException as error:
        if error.status != code:
            raise kopf.TemporaryError(f"{error.status} {error.reason}", delay=0.2) from error


def owned(body, suffix, **more):
    metadata = body["metadata"]
    owner = {"apiVersion": "example.dev/v1", "kind": "Shop", "name": metadata["name"], "uid": metadata["uid"], "controller": True}
    return {"name": f"{metadata['name']}-{suffix}", "ownerReferences": [owner], **more}


def create_config_map(namespace, metadata, data=None):
    return ignoring(409, lambda: core.create_namespaced_config_map(namespace, {"metadata": metadata, "data": data or {}}))


def set_status(name, namespace, status):
    ignoring(404, lambda: custom.patch_namespaced_custom_object_status(**SHOPS, namespace=namespace, name=name, body={"status": status}))


@kopf.on.resume("shops", backoff=0.2)
@kopf.on.create("shops", backoff=0.2)
@kopf.on.update("shops", backoff=0.2)
def reconcile(body, name, namespace, spec, status, **_):
    create_config_map("registry", {"name": f"shop-{name}"})
    ensure_token(body, name, namespace, status)
    ensure_configuration(body, name, namespace, status)
    ensure_workers(body, name, namespace, spec)


if BUG != "missed-event":

    @kopf.timer("shops", interval=3, initial_delay=3, backoff=0.2)
    def reconcile_again(body, name, namespace, spec, status, **_):
        # kopf 1.45.2 forgets an object when the response to the patch that adds its finalizer is lost: nothing is called until the object changes again.
        reconcile(body=body, name=name, namespace=namespace, spec=spec, status=status)


def ensure_token(body, name, namespace, status):
    metadata = owned(body, "token")
    if BUG == "lost-answer":
        # Wrong: where the response is lost, there is a second token that nothing refers to.
        if status.get("token"):
            return
        del metadata["name"]
        metadata["generateName"] = f"{name}-token-"
    secret = ignoring(409, lambda: core.create_namespaced_secret(namespace, {"metadata": metadata, "stringData": {"token": "secret"}}))
    if BUG == "lost-answer":
        set_status(name, namespace, {"token": secret.metadata.name})


def ensure_configuration(body, name, namespace, status):
    is_ready = status.get("phase") == "Ready"
    if BUG == "intermediate-state":
        # Wrong: after a crash between the two writes, the configuration is never created.
        if is_ready:
            return
        set_status(name, namespace, {"phase": "Ready"})
        create_config_map(namespace, owned(body, "configuration"), {"open": "always"})
        return
    create_config_map(namespace, owned(body, "configuration"), {"open": "always"})
    if not is_ready:
        set_status(name, namespace, {"phase": "Ready"})


def ensure_workers(body, name, namespace, spec):
    wanted = spec.get("workers", 0)
    if BUG != "stale-read":
        for i in range(1, wanted + 1):
            create_config_map(namespace, owned(body, f"worker-{i}"))
        return
    # Wrong: the events of workers that were just created may not have come.
    for _ in range(len(workers.get(name, ())), wanted):
        metadata = owned(body, "", generateName=f"{name}-worker-", labels={"shop": name})
        del metadata["name"]
        create_config_map(namespace, metadata)


@kopf.on.event("configmaps", labels={"shop": kopf.PRESENT})
def see_worker(event, name, labels, **_):
    known = workers.setdefault(labels["shop"], set())
    known.discard(name) if event["type"] == "DELETED" else known.add(name)


def delete_entry(name):
    return core.delete_namespaced_config_map(f"shop-{name}", "registry")


if BUG == "missed-event":

    @kopf.on.event("shops")
    def release(event, name, **_):
        # Wrong: without a finalizer, a deletion is missed while the controller does not run.
        if event["type"] == "DELETED":
            delete_entry(name)

else:

    @kopf.on.delete("shops", backoff=0.2)
    def release(name, **_):
        if BUG == "finalizer-leak":
            # Wrong: after a crash the entry is gone already, and the finalizer stays for ever.
            try:
                delete_entry(name)
            except client.ApiException as error:
                raise kopf.TemporaryError(str(error.status), delay=0.2) from error
        else:
            ignoring(404, lambda: delete_entry(name))
