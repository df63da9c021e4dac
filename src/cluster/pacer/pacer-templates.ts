// Pod templates that carry the pacer's gate: without the pacer, their new pods would wait for ever.
import { cronJobs, daemonSets, deployments, replicaSets, statefulSets } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { controllerOf } from '../../api/machinery/owners.ts'
import type { KubernetesObject, PodSpec, Stored } from '../../api/types.ts'
import type { Client } from '../../client/client.ts'
import { pacerGate } from '../../controllers/pacer/plan/pacing.ts'
import { listAll } from '../remote/list-all.ts'

interface Templated extends KubernetesObject {
  readonly spec?: {
    readonly template?: { readonly spec?: PodSpec }
    readonly jobTemplate?: { readonly spec?: { readonly template?: { readonly spec?: PodSpec } } }
  }
}

/** The template of a Job cannot be changed, and the ReplicaSets of a Deployment follow it. */
const kinds = [deployments, replicaSets, statefulSets, daemonSets, cronJobs] as readonly Kind<Templated>[]

interface GatedTemplate {
  /** `Deployment default/web` */
  readonly name: string
  readonly kind: Kind<Templated>
  readonly object: Stored<Templated>
}

export async function readGatedTemplates(client: Client, namespace: string | undefined): Promise<readonly GatedTemplate[]> {
  const found: GatedTemplate[] = []
  for (const kind of kinds)
    for (const object of await listAll(client, kind, namespace === undefined ? {} : { namespace }))
      if (hasGate(object) && controllerOf(object) === undefined)
        found.push({ name: `${kind.kind} ${object.metadata.namespace}/${object.metadata.name}`, kind, object })
  return found
}

const podSpecOf = ({ spec }: Templated) => spec?.template?.spec ?? spec?.jobTemplate?.spec?.template?.spec
const hasGate = (object: Templated) => podSpecOf(object)?.schedulingGates?.some(({ name }) => name === pacerGate) ?? false

/** Resolves to the names of the workloads. */
export async function removeGateFromTemplates(client: Client, namespace: string | undefined): Promise<readonly string[]> {
  const found = await readGatedTemplates(client, namespace)
  const template = { template: { spec: { schedulingGates: [{ $patch: 'delete', name: pacerGate }] } } }
  for (const { kind, object } of found) {
    const spec = kind.kind === 'CronJob' ? { jobTemplate: { spec: template } } : template
    const { namespace: where = '', name, uid } = object.metadata
    await client.patch(kind, { namespace: where, name }, 'strategic', { metadata: { uid }, spec })
  }
  return found.map(({ name }) => name)
}
