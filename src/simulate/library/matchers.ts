// What tests expect of clusters, for vitest, jest and node:test.
import { defaultFeatureGates } from '../../api/machinery/feature-gates.ts'
import type { KubernetesObject, Stored } from '../../api/types.ts'
import { explain, explainedKinds } from '../../cluster/explain/explain.ts'
import { type ListObjects, readSurroundings } from '../../cluster/explain/read-surroundings.ts'
import { readWorkload } from '../objects.ts'
import type { KindName, WorkloadName } from './cluster-api.ts'
import type { AvailableOptions, CapOptions, MatchedCluster, MatcherResult, Matchers } from './matcher-api.ts'

/** The workload never had more pods, terminating ones included, than its cap. Reads the run so far. */
function toKeepCap(cluster: Pick<MatchedCluster, 'peakOverCap'>, workload: WorkloadName, { namespace }: CapOptions = {}): MatcherResult {
  const excess = cluster.peakOverCap(workload, namespace)
  return {
    pass: excess === undefined,
    message: () =>
      excess === undefined
        ? `${workload} never had more pods than its cap`
        : `${workload} had ${excess.pods} pods at ${excess.at}, and may have ${excess.cap}: ${excess.counts}`,
  }
}

/** Advances time until every desired pod of the workload has the current template and is available. */
async function toBecomeAvailable(
  cluster: Pick<MatchedCluster, 'get' | 'list' | 'now' | 'until'>,
  workload: WorkloadName,
  { namespace, within = '5m' }: AvailableOptions = {},
): Promise<MatcherResult> {
  const { kind, name } = readWorkload(workload)
  const isAvailable = availability[kind.plural]
  if (isAvailable === undefined)
    throw new Error(`Cannot wait until ${workload} is available: give one of ${Object.keys(availability).join(', ')}`)
  let last: Observed | undefined
  try {
    await cluster.until(
      async () => {
        last = (await cluster.get(kind.plural as KindName, name, namespace)) as Observed | undefined
        return last !== undefined && isAvailable(last)
      },
      { within, what: `${workload} is available` },
    )
    return { pass: true, message: () => `${workload} became available` }
  } catch (error) {
    // Another failure, such as a violated invariant, is not an answer.
    if (!(error instanceof Error) || !error.message.startsWith('Timed out')) throw error
    const status = last === undefined ? 'it does not exist' : `its status is ${JSON.stringify(counts(last.status))}`
    const why = last === undefined ? '' : await causeIn(cluster, kind, last as Stored<KubernetesObject>)
    return { pass: false, message: () => `${workload} did not become available within ${within}: ${status}${why}` }
  }
}

/** What the object waits for, as `rollcall explain` says it. */
async function causeIn(
  cluster: Pick<MatchedCluster, 'list' | 'now'>,
  { kind }: { readonly kind: string },
  object: Stored<KubernetesObject>,
): Promise<string> {
  if (!explainedKinds.includes(kind)) return ''
  const { namespace = 'default' } = object.metadata
  const list: ListObjects = async ({ namespaced, kind: name }) =>
    (await cluster.list(name as KindName, namespaced ? { namespace } : {})) as never
  const surroundings = await readSurroundings(list, { gates: defaultFeatureGates, nowMs: cluster.now() })
  return `. ${explain(kind, object, surroundings)!.cause}`
}

interface Observed {
  readonly metadata: { readonly generation?: number }
  readonly spec?: { readonly replicas?: number }
  readonly status?: {
    readonly observedGeneration?: number
    readonly replicas?: number
    readonly availableReplicas?: number
    readonly updatedReplicas?: number
    readonly desiredNumberScheduled?: number
    readonly updatedNumberScheduled?: number
    readonly numberAvailable?: number
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

const isObserved = ({ metadata, status }: Observed) => (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0)
const hasReplicas = ({ spec, status }: Observed) => (status?.availableReplicas ?? 0) >= (spec?.replicas ?? 1)
/** As `kubectl rollout status` has it: available pods may be old ones as long as there are any. */
const hasNoOldReplicas = ({ status }: Observed) => (status?.replicas ?? 0) <= (status?.updatedReplicas ?? 0)
const isUpdated = ({ spec, status }: Observed) => (status?.updatedReplicas ?? 0) >= (spec?.replicas ?? 1)

const availability: Readonly<Record<string, (object: Observed) => boolean>> = {
  deployments: (object) => isObserved(object) && isUpdated(object) && hasReplicas(object) && hasNoOldReplicas(object),
  statefulsets: (object) => isObserved(object) && isUpdated(object) && hasReplicas(object),
  replicasets: (object) => isObserved(object) && hasReplicas(object),
  replicationcontrollers: (object) => isObserved(object) && hasReplicas(object),
  daemonsets: (object) => {
    const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } = object.status ?? {}
    return isObserved(object) && updatedNumberScheduled >= desiredNumberScheduled && numberAvailable >= desiredNumberScheduled
  },
  pods: ({ status }) => status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') ?? false,
}

const counts = (status: Observed['status'] = {}) =>
  Object.fromEntries(Object.entries(status).filter(([, value]) => typeof value === 'number'))

/** For `expect.extend(matchers)` of vitest and jest. */
export const matchers: Matchers = { toKeepCap, toBecomeAvailable }
