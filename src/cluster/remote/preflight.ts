// Finds out whether the built-in controllers of a cluster are active, by asking each for something harmless and watching
// whether it answers. Two controllers of one kind would fight over every object.
//
// The probe objects ask for no pods. They carry an annotation by which Rollcall's own controllers leave them alone, so a
// replica that stands by can run the preflight while another one leads.

import { cronJobs, daemonSets, deployments, jobs, replicaSets, replicationControllers, statefulSets } from '../../api/kinds.ts'
import type { Kind } from '../../api/machinery/kind.ts'
import { ignoring, isStatusError } from '../../api/machinery/status-error.ts'
import type { CronJob, Job, KubernetesObject, Stored } from '../../api/types.ts'
import { type Clock, formatTime, sleep } from '../../base/clock.ts'
import { type Random, randomSuffix } from '../../base/random.ts'
import type { Client } from '../../client/client.ts'
import { builtInNames, type ControllerName } from './controller-names.ts'

const preflightAnnotation = 'rollcall.dev/preflight'

/** Whether the object is a probe, which Rollcall's controllers leave alone. */
export const isProbe = ({ metadata }: KubernetesObject): boolean => metadata?.annotations?.[preflightAnnotation] !== undefined

interface PreflightOptions {
  readonly client: Client
  readonly clock: Clock
  readonly random: Random
  /** Where the probes are created. */
  readonly namespace: string
  readonly controllers: readonly ControllerName[]
  /** How long a built-in controller has to answer. */
  readonly waitMs: number
}

interface Probe {
  readonly kind: Kind
  object(nowMs: number): KubernetesObject
  /** Makes the probe one that its controller has to act on, where creating it is not enough. */
  provoke?(client: Client, created: Stored<KubernetesObject>, nowMs: number): Promise<void>
  /** Whether a controller has acted. Undefined: the probe was deleted. */
  isAnswered(current: Stored<KubernetesObject> | undefined): boolean
}

const labels = { [preflightAnnotation]: 'probe' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'none', image: 'rollcall.invalid/none' }] } }
const selector = { matchLabels: labels }

const hasObservedGeneration = (current: Stored<KubernetesObject> | undefined) =>
  ((current as { readonly status?: { readonly observedGeneration?: number } } | undefined)?.status?.observedGeneration ?? 0) > 0

/** A kind whose controller writes observedGeneration for every object. */
const observed = (kind: Kind<never>, spec: object): Probe => ({
  kind,
  object: () => ({ spec }) as KubernetesObject,
  isAnswered: hasObservedGeneration,
})

const jobTemplate = { metadata: {}, spec: { ...template.spec, restartPolicy: 'Never' } }
const missingJob = 'rollcall-preflight-missing'

const probes: Readonly<Record<ControllerName, Probe>> = {
  deployment: observed(deployments as never, { replicas: 0, selector, template }),
  replicaset: observed(replicaSets as never, { replicas: 0, selector, template }),
  replicationcontroller: observed(replicationControllers as never, { replicas: 0, selector: labels, template }),
  statefulset: observed(statefulSets as never, { replicas: 0, selector, serviceName: 'none', template }),
  daemonset: observed(daemonSets as never, {
    selector,
    template: { ...template, spec: { ...template.spec, nodeSelector: { [preflightAnnotation]: 'no-node' } } },
  }),
  // The controller marks a suspended Job as suspended.
  job: {
    kind: jobs,
    object: () => ({ spec: { suspend: true, template: jobTemplate } }) as KubernetesObject,
    isAnswered: (current) => ((current as Job | undefined)?.status?.conditions?.length ?? 0) > 0,
  },
  // The controller removes a Job that does not exist from the list of active ones, also while the CronJob is suspended.
  cronjob: {
    kind: cronJobs,
    object: () =>
      ({ spec: { suspend: true, schedule: '0 0 1 1 *', jobTemplate: { spec: { template: jobTemplate } } } }) as KubernetesObject,
    async provoke(client, created) {
      const { namespace = '' } = created.metadata
      const active = [{ apiVersion: 'batch/v1', kind: 'Job', namespace, name: missingJob, uid: created.metadata.uid }]
      await client.updateStatus(cronJobs, { ...(created as Stored<CronJob>), status: { active } })
    },
    isAnswered: (current) => ((current as CronJob | undefined)?.status?.active?.length ?? 0) === 0,
  },
  // The controller deletes a finished Job at once. `managedBy` keeps the Job controller away from it.
  'ttl-after-finished': {
    kind: jobs,
    object: () =>
      ({
        spec: { ttlSecondsAfterFinished: 0, suspend: true, managedBy: preflightAnnotation, template: jobTemplate },
      }) as KubernetesObject,
    async provoke(client, created, nowMs) {
      const at = formatTime(nowMs)
      const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: at, lastProbeTime: at, reason: 'Preflight' })
      const status = {
        startTime: at,
        completionTime: at,
        uncountedTerminatedPods: {},
        conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
      }
      await client.updateStatus(jobs, { ...(created as Stored<Job>), status } as Stored<Job>)
    },
    isAnswered: (current) => current === undefined || current.metadata.deletionTimestamp !== undefined,
  },
}

const intervalMs = 100

/** The controllers of the list that something else in the cluster runs already. */
export async function findActiveControllers(options: PreflightOptions): Promise<readonly ControllerName[]> {
  const found = await Promise.all(options.controllers.map(async (name) => ((await isActive(options, name)) ? [name] : [])))
  return found.flat()
}

async function isActive({ client, clock, random, namespace, waitMs }: PreflightOptions, name: ControllerName): Promise<boolean> {
  const { kind, object, provoke, isAnswered } = probes[name]
  const metadata = {
    name: `rollcall-preflight-${name}-${randomSuffix(random)}`,
    namespace,
    annotations: { [preflightAnnotation]: formatTime(clock.now()) },
  }
  const created = await client.create(kind, namespace, { ...object(clock.now()), metadata })
  const ref = { namespace, name: metadata.name }
  const read = () => ignoring('NotFound', client.get(kind, ref))
  try {
    try {
      await provoke?.(client, created, clock.now())
    } catch (error) {
      // The controller was faster: it has changed or deleted the probe already.
      if (isStatusError(error, 'Conflict') || isStatusError(error, 'NotFound')) return true
      throw error
    }
    const untilMs = clock.now() + waitMs
    for (;;) {
      if (isAnswered(await read())) return true
      if (clock.now() >= untilMs) return false
      await sleep(clock, intervalMs)
    }
  } finally {
    await client.delete(kind, ref, { propagationPolicy: 'Background' }).catch(() => {})
  }
}

/**
 * How to turn the built-in controllers off, one line for each kind of installation. The flag names all that are to be replaced, because it
 * takes the place of a flag that has turned some of them off already.
 */
export function refusal(active: readonly ControllerName[], replaced: readonly ControllerName[]): string {
  const flag = `--controllers=*,bootstrap-signer-controller,token-cleaner-controller,${replaced.map((name) => `-${builtInNames[name]}`).join(',')}`
  const others = replaced.filter((name) => !active.includes(name))
  return [
    `the built-in controllers for ${active.join(', ')} are active, and two controllers of one kind would fight over every object.`,
    'Turn them off, then start again:',
    `  kubeadm  in /etc/kubernetes/manifests/kube-controller-manager.yaml on every control-plane node, replace the flag --controllers by: ${flag}`,
    `  kind     in the cluster's config, under kubeadmConfigPatches, ClusterConfiguration.controllerManager.extraArgs: controllers: "${flag.slice('--controllers='.length)}"`,
    `  k3s      start the server with --kube-controller-manager-arg=${flag.slice(2)}`,
    ...(others.length === 0 ? [] : [`Or leave them to Kubernetes: --controllers=${others.join(',')}`]),
  ].join('\n')
}
