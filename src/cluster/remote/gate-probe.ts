// Asks the API server whether new pods of the workloads that opted in get the pacer's gate: it creates a pod of each as a dry run, which
// passes admission and stores nothing.
import { deployments, jobs, namespaces, pods, replicaSets } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { controllerReference } from '../../api/machinery/owners.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import type { KubernetesObject, Pod, PodTemplateSpec, Stored } from '../../api/types.ts'
import { messageOf } from '../../base/error-message.ts'
import type { Client } from '../../client/client.ts'
import { setName, templateHashLabel } from '../../controllers/deployment/plan/replica-sets.ts'
import { isOptedIn, optInKey } from '../../controllers/pacer/plan/opt-in.ts'
import { isGated } from '../../controllers/pacer/plan/pacing.ts'
import { listAll } from './list-all.ts'

export interface OptedInWorkload {
  readonly kind: string
  readonly namespace: string
  readonly name: string
}

interface ProbedWorkload extends OptedInWorkload {
  /** Undefined: the server does not create the pod, for the reason in `problem`. */
  readonly hasGate: boolean | undefined
  readonly problem?: string
}

interface Templated extends KubernetesObject {
  readonly spec?: { readonly template?: PodTemplateSpec }
}

const kinds = [deployments, replicaSets, jobs] as readonly Kind<Templated>[]

/** So many workloads are asked about: what one lacks the others lack. */
const maxProbes = 50

/** Workloads that opted in, and whose new pods would be created without the gate. Empty for a user who may not create pods. */
export const findBypassedWorkloads = async (client: Client, namespace: string | undefined): Promise<readonly OptedInWorkload[]> =>
  (await probeGates(client, namespace))
    .filter(({ hasGate }) => hasGate === false)
    .map(({ kind, namespace: own, name }) => ({ kind, namespace: own, name }))

/** The workloads that opted in, without ReplicaSets of Deployments. */
export async function probeGates(client: Client, namespace: string | undefined): Promise<readonly ProbedWorkload[]> {
  const labels = await readLabels(client, namespace)
  const inNamespace = namespace === undefined ? {} : { namespace }
  const found: ProbedWorkload[] = []
  for (const kind of kinds)
    for (const workload of await listAll(client, kind, inNamespace)) {
      const { namespace: own = '', name } = workload.metadata
      if (!isOptedIn(kind.kind, workload, labels.get(own)) || isOfDeployment(kind.kind, workload)) continue
      if (found.length >= maxProbes) return found
      found.push({ kind: kind.kind, namespace: own, name, ...(await probe(client, kind.kind, workload)) })
    }
  return found
}

const isOfDeployment = (kind: string, { metadata }: KubernetesObject) =>
  kind === 'ReplicaSet' && (metadata?.ownerReferences?.some(({ controller }) => controller === true) ?? false)

/** The label of each namespace that has it. */
async function readLabels(client: Client, namespace: string | undefined): Promise<ReadonlyMap<string, string>> {
  try {
    const all = namespace === undefined ? await listAll(client, namespaces, {}) : [await client.get(namespaces, { name: namespace })]
    return new Map(
      all.flatMap(({ metadata }) => (metadata.labels?.[optInKey] === undefined ? [] : [[metadata.name, metadata.labels[optInKey]]])),
    )
  } catch (error) {
    if (isStatusError(error, 'Forbidden')) return new Map()
    throw error
  }
}

const probeHash = 'probe'

async function probe(
  client: Client,
  kind: string,
  { metadata, spec }: Stored<Templated>,
): Promise<Pick<ProbedWorkload, 'hasGate' | 'problem'>> {
  const template = spec?.template
  if (template?.spec === undefined) return { hasGate: undefined, problem: 'it has no pod template' }
  const { name, uid, namespace } = metadata
  const labels = { ...template.metadata?.labels, ...(kind === 'Deployment' && { [templateHashLabel]: probeHash }) }
  const owner =
    kind === 'Deployment'
      ? controllerReference('apps/v1', 'ReplicaSet', { metadata: { name: setName(name, probeHash), uid } })
      : controllerReference(kind === 'Job' ? 'batch/v1' : 'apps/v1', kind, { metadata: { name, uid } })
  const pod = {
    metadata: { generateName: 'rollcall-probe-', labels, ownerReferences: [{ ...owner, blockOwnerDeletion: false }] },
    spec: template.spec,
  } as Pod
  try {
    return { hasGate: isGated(await client.create(pods, namespace, pod, { dryRun: true })) }
  } catch (error) {
    return { hasGate: undefined, problem: messageOf(error) }
  }
}
