// The paths of the objects that the page reads and changes.

const collections: Readonly<Record<string, string>> = {
  Pod: '/api/v1/namespaces/NS/pods',
  Deployment: '/apis/apps/v1/namespaces/NS/deployments',
  ReplicaSet: '/apis/apps/v1/namespaces/NS/replicasets',
  StatefulSet: '/apis/apps/v1/namespaces/NS/statefulsets',
  DaemonSet: '/apis/apps/v1/namespaces/NS/daemonsets',
  ControllerRevision: '/apis/apps/v1/namespaces/NS/controllerrevisions',
  Job: '/apis/batch/v1/namespaces/NS/jobs',
  CronJob: '/apis/batch/v1/namespaces/NS/cronjobs',
}

/** Throws for a kind that the page does not show. */
export function pathOf(kind: string, namespace: string, name: string): string {
  const collection = collections[kind]
  if (collection === undefined) throw new Error(`${kind} is no kind of this page`)
  return `${collection.replace('NS', encodeURIComponent(namespace))}/${encodeURIComponent(name)}`
}
